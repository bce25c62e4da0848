// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/replica_message.h"

#include "core/base/error.h"
#include "core/io/change_json.h"
#include "core/io/model_json.h"
#include "core/io/torch/torch_archive.h"
#include "core/session/tensor_message.h"

namespace fx {

namespace {

Message withTensors(MessageKind kind, Json json, const std::vector<TensorSlot>& tensors, FileMemoryUse use) {
    const auto file = memoryFile("fxscope tensors");
    json["data"] = tensorsMessage(tensors, file->number(), use);
    return {kind, 0, cborBytes(json), file};
}

std::vector<TensorSlot> tensorsOf(const JsonDocument& json, const Message& message, FileMemoryUse use) {
    if (!message.file)
        throw Error("", "a model came without its tensors");
    return tensorsFromMessage(json, json.member(json.root(), "data"), message.file->number(), use);
}

} // namespace

Message replicaMessage(const OpenedModel& opened) {
    std::vector<TensorSlot> tensors;
    for (size_t i = 0; i < opened.model.tensorCount(); ++i)
        tensors.push_back(opened.model.tensor(TensorId{static_cast<int32_t>(i)}));
    return withTensors(MessageKind::Model,
                       {{"model", snapshotJson(opened.model)},
                        {"sources", sourcesJson(opened.model)},
                        {"symbols", symbolsJson(opened.symbols)},
                        {"path", opened.path},
                        {"export_record", opened.exportRecord}},
                       tensors, FileMemoryUse::Read);
}

OpenedModel replicaFrom(const Message& message) {
    const JsonDocument json = JsonDocument::ofCbor(message.body, "the model of another process");
    const auto member = [&](const char* key) -> const Json& { return json.member(json.root(), key); };
    OpenedModel out;
    out.model = modelFromSnapshot(json, member("model"), tensorsOf(json, message, FileMemoryUse::Read));
    out.model.setSources(sourcesFromJson(json, member("sources")));
    out.symbols = symbolsFromJson(json, member("symbols"));
    out.path = json.string(member("path"));
    out.exportRecord = json.string(member("export_record"));
    return out;
}

Message updateMessage(const ModelUpdate& update, FileMemoryUse use) {
    return withTensors(MessageKind::Update, {{"update", updateJson(update)}}, update.tensors, use);
}

ModelUpdate updateFrom(const Message& message, FileMemoryUse use) {
    const JsonDocument json = JsonDocument::ofCbor(message.body, "an edit of another process");
    return updateFromJson(json, json.member(json.root(), "update"), tensorsOf(json, message, use));
}

void followUpdate(Model& model, const Message& message) {
    follow(model, updateFrom(message));
}

std::optional<Message> examplesMessage(const OpenedModel& opened) {
    if (!opened.examples)
        return std::nullopt;
    try {
        return Message{MessageKind::Examples, 0, torchFileBytes(makeSequence(opened.examples(), true))};
    } catch (const Error&) {
        return std::nullopt;
    }
}

void putWire(WireWriter& writer, const ModelUpdate& update) {
    writer.putBytes(
        cborBytes({{"update", updateJson(update)},
                   {"data", tensorsMessage(update.tensors, writer.file().number(), FileMemoryUse::Read)}}));
}

void getWire(WireReader& reader, ModelUpdate& update) {
    const JsonDocument json = JsonDocument::ofCbor(reader.getBytes(), "an edit of another process");
    update =
        updateFromJson(json, json.member(json.root(), "update"),
                       tensorsFromMessage(json, json.member(json.root(), "data"), reader.file().number()));
}

void takeExamples(OpenedModel& opened, const Message& message) {
    opened.examples = [bytes = std::make_shared<const std::string>(message.body)] {
        return itemsOf(readTorchArchive(*bytes, "the examples of the model")).value_or(Values());
    };
}

} // namespace fx
