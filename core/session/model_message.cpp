// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/model_message.h"

#include "core/base/error.h"
#include "core/io/model_json.h"
#include "core/process/fault_message.h"
#include "core/session/debug_wire.h"
#include "core/session/tensor_message.h"

namespace fx {

namespace {

std::string textIn(const JsonDocument& json, const Json& of, const char* key) {
    return json.string(json.member(of, key));
}

std::string bytesIn(const JsonDocument& json, const Json& value) {
    if (!value.is_binary())
        json.fail(value, "should be bytes");
    return {value.get_binary().begin(), value.get_binary().end()};
}

} // namespace

Message modelMessage(const OpenedModel& opened, std::shared_ptr<const Descriptor> data) {
    Progress progress;
    ModelJson model = modelJson(opened, progress);
    std::vector<TensorSlot> tensors;
    for (const TensorId id : model.tensors)
        tensors.push_back(opened.model.tensor(id));
    model.json["data"] = tensorsMessage(tensors, data->number(), FileMemoryUse::Written);
    model.json["sources"] = sourcesJson(opened.model);
    model.json["path"] = opened.path;
    model.json["no_graph"] = {{"reason", opened.whyNoGraph.reason},
                              {"advice", opened.whyNoGraph.advice},
                              {"weights_only", opened.whyNoGraph.isWeightsOnly}};
    if (opened.traceFault) {
        const std::string bytes = errorBytes(*opened.traceFault);
        model.json["trace_fault"] = Json::binary({bytes.begin(), bytes.end()});
    }
    return {MessageKind::Reply, 0, cborBytes(model.json), std::move(data)};
}

OpenedModel modelFrom(const Message& message, const std::string& path) {
    if (!message.file)
        throw Error(path, "came without its tensors");
    const JsonDocument json = JsonDocument::ofCbor(message.body, path);
    const Json& root = json.root();
    Progress progress;
    OpenedModel out = modelFromJson(
        json,
        [&](const JsonDocument& document, Edit& edit) {
            std::vector<TensorId> ids;
            for (TensorSlot& slot :
                 tensorsFromMessage(document, document.member(root, "data"), message.file->number()))
                ids.push_back(edit.createTensor(std::move(slot)));
            return ids;
        },
        progress);
    out.model.setSources(sourcesFromJson(json, json.member(root, "sources")));
    out.path = textIn(json, root, "path");
    out.format = textIn(json, root, "origin");
    const Json& noGraph = json.member(root, "no_graph");
    out.whyNoGraph = {textIn(json, noGraph, "reason"), textIn(json, noGraph, "advice"),
                      json.boolean(json.member(noGraph, "weights_only"))};
    if (const Json* fault = json.find(root, "trace_fault"))
        out.traceFault = placed(errorFrom(bytesIn(json, *fault)), path);
    return out;
}

} // namespace fx
