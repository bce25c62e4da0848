// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/model_message.h"

#include "core/base/error.h"
#include "core/io/mapped_file.h"
#include "core/io/model_json.h"
#include "core/session/tensor_message.h"

#include <sys/mman.h>
#include <unistd.h>

namespace fx {

namespace {

/// Arguments of programs are nested more deeply than those of files.
constexpr int kDeepest = 4000;

void write(const std::string& text, int descriptor) {
    for (size_t sent = 0; sent < text.size();) {
        const ssize_t count = ::write(descriptor, text.data() + sent, text.size() - sent);
        if (count <= 0)
            throw Error("", "its graph cannot be handed over");
        sent += static_cast<size_t>(count);
    }
}

Json errorJson(const Error& error) {
    return {{"place", error.place()},
            {"message", error.message()},
            {"kind", error.kind()},
            {"advice", error.advice()},
            {"code", static_cast<int>(error.code())}};
}

} // namespace

MessageFiles::MessageFiles() : m_text(memoryFile("fxscope text")), m_data(memoryFile("fxscope data")) {}

MessageFiles::MessageFiles(int text, int data)
    : m_text(std::make_shared<const Descriptor>(text)), m_data(std::make_shared<const Descriptor>(data)) {}

void sendModel(const OpenedModel& opened, const MessageFiles& to) {
    Progress progress;
    ModelJson model = modelJson(opened, progress);
    std::vector<TensorSlot> tensors;
    for (const TensorId id : model.tensors)
        tensors.push_back(opened.model.tensor(id));
    model.json["data"] = tensorsMessage(tensors, to.data(), FileMemoryUse::Written);
    model.json["sources"] = sourcesJson(opened.model);
    model.json["path"] = opened.path;
    model.json["no_graph"] = {{"reason", opened.whyNoGraph.reason},
                              {"advice", opened.whyNoGraph.advice},
                              {"weights_only", opened.whyNoGraph.isWeightsOnly}};
    if (opened.traceFault)
        model.json["trace_fault"] = errorJson(*opened.traceFault);
    write(jsonText(model.json), to.text());
}

void sendError(const Error& error, const MessageFiles& to) {
    write(jsonText({{"error", errorJson(error)}}), to.text());
}

void sendNames(const std::vector<std::string>& names, const MessageFiles& to) {
    write(jsonText({{"names", names}}), to.text());
}

namespace {

std::string textIn(const JsonDocument& json, const Json& of, const char* key) {
    return json.string(json.member(of, key));
}

std::shared_ptr<const MappedFile> answerIn(const MessageFiles& from, const std::string& path) {
    return MappedFile::ofDescriptor(from.text(), "what was read of " + path);
}

std::string_view textOf(const MappedFile& file) {
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

ErrorCode codeIn(const JsonDocument& json, const Json& error) {
    const int64_t code = json.integer(json.member(error, "code"));
    const bool isKnown = code >= 0 && code <= static_cast<int64_t>(kLastErrorCode);
    return isKnown ? static_cast<ErrorCode>(code) : ErrorCode::None;
}

Error errorIn(const JsonDocument& json, const Json& error, const std::string& path) {
    const std::string place = textIn(json, error, "place");
    return Error(place.empty() ? path : place, textIn(json, error, "message"))
        .hint(textIn(json, error, "advice"))
        .kind(textIn(json, error, "kind"))
        .code(codeIn(json, error));
}

/// Throws the Error that was sent, if one was.
JsonDocument parsed(std::string_view text, const std::string& path) {
    JsonDocument json(text, path, kDeepest);
    if (const Json* error = json.find(json.root(), "error"))
        throw errorIn(json, *error, path);
    return json;
}

} // namespace

std::vector<std::string> receiveNames(const MessageFiles& from, const std::string& path) {
    const JsonDocument json = parsed(textOf(*answerIn(from, path)), path);
    std::vector<std::string> names;
    for (const Json& name : json.array(json.member(json.root(), "names")))
        names.push_back(json.string(name));
    return names;
}

OpenedModel receiveModel(const MessageFiles& from, const std::string& path) {
    const JsonDocument json = parsed(textOf(*answerIn(from, path)), path);
    const Json& root = json.root();
    Progress progress;
    OpenedModel out = modelFromJson(
        json,
        [&](const JsonDocument& document, Edit& edit) {
            std::vector<TensorId> ids;
            for (TensorSlot& slot : tensorsFromMessage(document, document.member(root, "data"), from.data()))
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
        out.traceFault = errorIn(json, *fault, path);
    return out;
}

} // namespace fx
