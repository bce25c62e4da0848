// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/remote_message.h"

#include "core/io/argument_json.h"
#include "core/io/change_json.h"
#include "core/io/model_json.h"
#include "core/process/wire.h"
#include "core/session/debug_wire.h"
#include "core/session/tensor_message.h"

#include <ATen/ATen.h>
#include <torch/version.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace fx {

namespace {

/// Goes up with each change of what is said.
constexpr int kProtocol = 5;
/// Small tensors that go along with one that was asked for, in bytes together.
constexpr uint64_t kAlong = uint64_t(1) << 20;

const Json& memberOf(const JsonDocument& json, const char* key) {
    return json.member(json.root(), key);
}

std::string textOf(const JsonDocument& json, const char* key) {
    return json.string(memberOf(json, key));
}

/// Those of a replica have sizes that are numbers; what is believed here is used without looking.
TensorMeta concreteMeta(const JsonDocument& json, const Json& value) {
    const ValueMeta meta = valueMetaFromJson(json, value);
    const auto* tensor = std::get_if<TensorMeta>(&meta.value);
    if (!tensor)
        json.fail(value, "is no tensor");
    for (const Dimension& size : tensor->shape)
        if (const auto* number = std::get_if<int64_t>(&size); !number || *number < 0)
            json.fail(value, "has a size that is no number");
    return *tensor;
}

bool fits(const at::Tensor& tensor, const TensorMeta& meta) {
    const TensorMeta found = describe(tensor);
    return found.dtype == meta.dtype && found.shape == meta.shape;
}

const void* storageOf(const at::Tensor& tensor) {
    return tensor.has_storage() && tensor.storage().nbytes() > 0 ? tensor.storage().unsafeGetStorageImpl()
                                                                 : nullptr;
}

} // namespace

// --- Greetings

std::string remoteVersion() {
    return "fxscope 0.1.0, protocol " + std::to_string(kProtocol) + ", LibTorch " TORCH_VERSION;
}

Message greetingMessage(const Greeting& greeting) {
    return {
        MessageKind::Greeting, 0,
        jsonText({{"version", greeting.version}, {"token", greeting.token}, {"session", greeting.session}})};
}

Greeting greetingFrom(const Message& message) {
    if (message.kind != MessageKind::Greeting)
        throw Error("", "what is at the other end does not greet");
    const JsonDocument json(message.body, "greeting");
    return {textOf(json, "version"), textOf(json, "token"), textOf(json, "session")};
}

Message welcomeMessage(const Welcome& welcome) {
    return {MessageKind::Greeting, 0,
            jsonText({{"version", welcome.version},
                      {"session", welcome.session},
                      {"host", welcome.host},
                      {"devices", welcome.devices},
                      {"run", welcome.run},
                      {"updates", welcome.updates}})};
}

Welcome welcomeFrom(const Message& message) {
    if (message.kind == MessageKind::Fault)
        throw faultFrom(message);
    if (message.kind != MessageKind::Greeting)
        throw Error("", "what is at the other end does not greet");
    const JsonDocument json(message.body, "greeting");
    Welcome out{textOf(json, "version"), textOf(json, "session"), textOf(json, "host"), {}};
    for (const Json& device : json.array(memberOf(json, "devices")))
        out.devices.push_back(json.string(device));
    out.run = static_cast<int>(json.integer(memberOf(json, "run")));
    out.updates = static_cast<size_t>(json.integer(memberOf(json, "updates")));
    return out;
}

// --- Models

Message describedModel(const OpenedModel& opened, int32_t number) {
    Json tensors = Json::array();
    for (size_t i = 0; i < opened.model.tensorCount(); ++i)
        tensors.push_back(toJson(ValueMeta{opened.model.tensor(TensorId{static_cast<int32_t>(i)}).meta()}));
    return {MessageKind::Reply, number,
            cborBytes({{"model", snapshotJson(opened.model)},
                       {"tensors", std::move(tensors)},
                       {"sources", sourcesJson(opened.model)},
                       {"symbols", symbolsJson(opened.symbols)},
                       {"path", opened.path},
                       {"format", opened.format},
                       {"writer", opened.writer},
                       {"notes", opened.notes},
                       {"layout", opened.layoutState},
                       {"export_record", opened.exportRecord},
                       {"examples", opened.examples != nullptr},
                       {"reason", opened.whyNoGraph.reason},
                       {"advice", opened.whyNoGraph.advice},
                       {"weights_only", opened.whyNoGraph.isWeightsOnly}})};
}

OpenedModel describedFrom(const Message& message, const RemoteData& data) {
    const JsonDocument json = JsonDocument::ofCbor(message.body, "the model of another machine");
    std::vector<TensorSlot> tensors;
    for (const Json& value : json.array(memberOf(json, "tensors"))) {
        const TensorMeta meta = concreteMeta(json, value);
        const TensorId id{static_cast<int32_t>(tensors.size())};
        tensors.emplace_back(meta, [read = data.tensor, id, meta] {
            at::Tensor out = read(id);
            if (!fits(out, meta))
                throw Error("", "another machine sent another tensor than it has described");
            return out;
        });
    }
    OpenedModel out;
    out.model = modelFromSnapshot(json, memberOf(json, "model"), std::move(tensors));
    out.model.setSources(sourcesFromJson(json, memberOf(json, "sources")));
    out.symbols = symbolsFromJson(json, memberOf(json, "symbols"));
    out.path = textOf(json, "path");
    out.format = textOf(json, "format");
    out.writer = textOf(json, "writer");
    for (const Json& note : json.array(memberOf(json, "notes")))
        out.notes.push_back(json.string(note));
    out.layoutState = textOf(json, "layout");
    out.exportRecord = textOf(json, "export_record");
    out.whyNoGraph = {textOf(json, "reason"), textOf(json, "advice"),
                      json.boolean(memberOf(json, "weights_only"))};
    if (json.boolean(memberOf(json, "examples")))
        out.examples = data.examples;
    return out;
}

// --- Their data

Message fetchedMessage(const Model& model, TensorId wanted, int32_t number) {
    if (wanted.value < 0 || static_cast<size_t>(wanted.value) >= model.tensorCount())
        throw Error("", "there is no tensor " + std::to_string(wanted.value));
    const void* storage = storageOf(model.tensor(wanted).value());
    std::vector<TensorSlot> slots;
    Json ids = Json::array();
    uint64_t along = 0;
    for (int32_t i = 0; static_cast<size_t>(i) < model.tensorCount(); ++i) {
        const TensorSlot& slot = model.tensor(TensorId{i});
        // What shares a storage must come at once, so that it is shared there, too.
        bool isSent = i == wanted.value;
        try {
            isSent |= storage && storageOf(slot.value()) == storage;
        } catch (const Error&) {
            continue; // told to whoever wants it
        }
        if (!isSent && i > wanted.value && along + slot.byteCount() <= kAlong) {
            along += slot.byteCount();
            isSent = true;
        }
        if (isSent) {
            ids.push_back(i);
            slots.push_back(slot);
        }
    }
    const auto file = memoryFile("fxscope tensors");
    Json data = tensorsMessage(slots, file->number(), FileMemoryUse::Copied);
    return {MessageKind::Reply, number, cborBytes({{"ids", std::move(ids)}, {"data", std::move(data)}}),
            file};
}

FetchedTensors fetchedFrom(const Message& message) {
    if (!message.file)
        throw Error("", "tensors came without their data");
    const JsonDocument json = JsonDocument::ofCbor(message.body, "tensors of another machine");
    const Json& ids = json.array(memberOf(json, "ids"));
    const std::vector<TensorSlot> slots =
        tensorsFromMessage(json, memberOf(json, "data"), message.file->number(), FileMemoryUse::Copied);
    if (slots.size() != ids.size())
        json.fail(ids, "are not as many as the tensors");
    FetchedTensors out;
    for (size_t i = 0; i < slots.size(); ++i)
        out.emplace_back(TensorId{static_cast<int32_t>(json.integer(ids[i]))}, slots[i].value());
    return out;
}

// --- Folders

auto fields(FolderEntry& x) {
    return std::tie(x.name, x.isFolder, x.size);
}
auto fields(FolderListing& x) {
    return std::tie(x.path, x.entries);
}

FolderListing listFolder(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code fault;
    FolderListing out;
    out.path = fs::absolute(path.empty() ? fs::path(".") : fs::path(path), fault).lexically_normal().string();
    if (out.path.size() > 1 && out.path.ends_with('/'))
        out.path.pop_back();
    fs::directory_iterator at(out.path, fs::directory_options::skip_permission_denied, fault);
    if (fault)
        throw Error(out.path, "cannot be listed: " + fault.message());
    for (; !fault && at != fs::directory_iterator(); at.increment(fault)) {
        FolderEntry entry{at->path().filename().string()};
        if (entry.name.starts_with('.'))
            continue;
        std::error_code none;
        entry.isFolder = at->is_directory(none);
        if (!entry.isFolder)
            entry.size = at->is_regular_file(none) ? at->file_size(none) : 0;
        out.entries.push_back(std::move(entry));
    }
    std::sort(out.entries.begin(), out.entries.end(), [](const FolderEntry& a, const FolderEntry& b) {
        return std::make_pair(!a.isFolder, a.name) < std::make_pair(!b.isFolder, b.name);
    });
    return out;
}

Message listingMessage(const FolderListing& listing, int32_t number) {
    return {MessageKind::Reply, number, toWire(listing)};
}

FolderListing listingFrom(const Message& message) {
    return fromWire<FolderListing>(message.body);
}

} // namespace fx
