// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/journal_base.h"

#include "core/base/error.h"
#include "core/io/argument_json.h"
#include "core/io/change_json.h"
#include "core/process/channel.h"
#include "core/session/tensor_message.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace fx {

namespace {

constexpr int64_t kJournalVersion = 1;

/// FNV-1a, 64 bits.
class Fingerprint {
public:
    void add(std::string_view text) {
        for (const char c : text)
            mix(static_cast<uint8_t>(c));
        mix(0);
    }
    void add(int64_t number) {
        for (int i = 0; i < 8; ++i)
            mix(static_cast<uint8_t>(number >> (8 * i)));
    }
    uint64_t value() const { return m_value; }

private:
    void mix(uint8_t byte) { m_value = (m_value ^ byte) * 0x100000001b3; }
    uint64_t m_value = 0xcbf29ce484222325;
};

/// Of all ids and names, so that edits, which name them, mean the same.
uint64_t fingerprintOf(const Model& model) {
    Fingerprint out;
    out.add(static_cast<int64_t>(model.tensorCount()));
    for (size_t i = 0; i < model.moduleCount(); ++i) {
        const Module& module = model.module(ModuleId{static_cast<int32_t>(i)});
        out.add(module.type);
        for (const NamedModule& child : module.children) {
            out.add(child.name);
            out.add(int64_t(child.module.value));
        }
        for (const NamedTensor& tensor : module.tensors) {
            out.add(tensor.name);
            out.add(int64_t(tensor.tensor.value));
        }
        if (!module.graph)
            continue;
        for (const Node& node : *module.graph) {
            out.add(int64_t(node.id.value));
            out.add(node.name);
            out.add(node.target.name());
            for (const InputUse& use : node.inputs) {
                out.add(int64_t(use.node.value));
                out.add(int64_t(use.sequence));
            }
        }
        out.add(int64_t(module.graph->nextId().value));
    }
    return out.value();
}

std::string versionOf(const struct stat& info) {
    return std::to_string(info.st_size) + ' ' + std::to_string(info.st_mtim.tv_sec) + '.' +
           std::to_string(info.st_mtim.tv_nsec);
}

std::vector<std::pair<std::string, std::string>> filesOf(const OpeningRequest& request) {
    const TraceOptions& trace = request.options.trace;
    std::vector<std::pair<std::string, std::string>> out;
    for (const std::string& path : {request.path, trace.stateFile, trace.sourceFile})
        if (!path.empty())
            out.emplace_back(path, contentVersion(path));
    return out;
}

/// Where each tensor is named first, from the root: "layer.weight". Empty where nothing names it any more.
std::vector<std::string> tensorPaths(const Model& model) {
    std::vector<std::string> out(model.tensorCount());
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        for (const NamedTensor& entry : model.module(id).tensors)
            if (entry.tensor && out[static_cast<size_t>(entry.tensor.value)].empty())
                out[static_cast<size_t>(entry.tensor.value)] =
                    path.empty() ? entry.name : path + '.' + entry.name;
    });
    return out;
}

/// The tensor of a saved model that a row of a snapshot names.
TensorSlot tensorOfRow(const JsonDocument& json, const Json& row, const Model& saved,
                       const std::string& place) {
    if (!row.is_array() || row.size() != 2)
        json.fail(row, "should be a name and a description");
    const std::string path = json.string(row[0]);
    const ValueMeta value = valueMetaFromJson(json, row[1]);
    const auto* meta = std::get_if<TensorMeta>(&value.value);
    if (!meta)
        json.fail(row, "describes no tensor");
    const TensorId found = saved.resolve(saved.root(), path).tensor;
    if (!found || saved.tensor(found).meta().shape != meta->shape ||
        saved.tensor(found).meta().dtype != meta->dtype)
        throw Error(place, "has no tensor " + path + " as the model had that was edited");
    return saved.tensor(found);
}

} // namespace

Json keptTensorsJson(const std::vector<TensorSlot>& tensors) {
    const auto file = memoryFile("fxscope tensors");
    Json message = tensorsMessage(tensors, file->number(), FileMemoryUse::Read);
    const std::string bytes = contentOf(*file);
    return {{"message", std::move(message)}, {"bytes", Json::binary({bytes.begin(), bytes.end()})}};
}

std::vector<TensorSlot> keptTensorsFrom(const JsonDocument& json, const Json& value) {
    const Json& bytes = json.member(value, "bytes");
    if (!bytes.is_binary())
        json.fail(bytes, "should be bytes");
    const auto& data = bytes.get_binary();
    const auto file = memoryFile("fxscope tensors");
    writeAll(*file, {reinterpret_cast<const char*>(data.data()), data.size()});
    return tensorsFromMessage(json, json.member(value, "message"), file->number());
}

std::string contentVersion(const std::string& path) {
    namespace fs = std::filesystem;
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0)
        return kMissing;
    if (!S_ISDIR(info.st_mode))
        return versionOf(info);
    std::vector<std::string> rows;
    std::error_code fault;
    for (fs::recursive_directory_iterator at(path, fault), end; !fault && at != end; at.increment(fault))
        if (::stat(at->path().c_str(), &info) == 0 && S_ISREG(info.st_mode))
            rows.push_back(at->path().string() + ' ' + versionOf(info));
    std::ranges::sort(rows);
    Fingerprint out;
    for (const std::string& row : rows)
        out.add(row);
    return std::to_string(out.value());
}

JournalBase JournalBase::ofOpened(const OpeningRequest& request, const Model& model) {
    return {request, filesOf(request), fingerprintOf(model), {}};
}

JournalBase JournalBase::ofSaved(const std::string& path, const Model& model, size_t savedTensors) {
    OpeningRequest request;
    request.path = path;
    Json rows = Json::array(); // of each tensor: where it is in the file, or nothing where it is kept
    std::vector<TensorSlot> kept;
    const std::vector<std::string> paths = tensorPaths(model);
    for (size_t i = 0; i < paths.size(); ++i) {
        const TensorSlot& slot = model.tensor(TensorId{static_cast<int32_t>(i)});
        const bool isInFile = i < savedTensors && !paths[i].empty();
        rows.push_back(isInFile ? Json::array({paths[i], toJson(ValueMeta{slot.meta()})}) : Json());
        if (!isInFile)
            kept.push_back(slot);
    }
    return {
        request, filesOf(request), 0,
        cborBytes(
            {{"model", snapshotJson(model)}, {"tensors", std::move(rows)}, {"kept", keptTensorsJson(kept)}})};
}

std::string baseRecord(const JournalBase& base) {
    Json files = Json::array();
    for (const auto& [path, version] : base.files)
        files.push_back(Json::array({path, version}));
    return cborBytes({{"version", kJournalVersion},
                      {"request", base.request.text()},
                      {"files", std::move(files)},
                      {"fingerprint", base.fingerprint},
                      {"snapshot", Json::binary({base.snapshot.begin(), base.snapshot.end()})}});
}

JournalBase baseFromRecord(const std::string& record, const std::string& place) {
    const JsonDocument json = JsonDocument::ofCbor(record, place);
    const auto member = [&](const char* key) -> const Json& { return json.member(json.root(), key); };
    if (json.integer(member("version")) != kJournalVersion)
        throw Error(place, "was written by another version of fxscope");
    JournalBase base;
    base.request = OpeningRequest::fromText(json.string(member("request")));
    for (const Json& file : json.array(member("files"))) {
        if (!file.is_array() || file.size() != 2)
            json.fail(file, "should be a path and a version");
        base.files.emplace_back(json.string(file[0]), json.string(file[1]));
    }
    const Json &fingerprint = member("fingerprint"), &snapshot = member("snapshot");
    if (!fingerprint.is_number_integer() || !snapshot.is_binary())
        json.fail(json.root(), "is no beginning of a journal");
    base.fingerprint = fingerprint.get<uint64_t>();
    base.snapshot.assign(snapshot.get_binary().begin(), snapshot.get_binary().end());
    return base;
}

Model baseModel(const JournalBase& base, const Model& opened) {
    const std::string& place = base.request.path;
    if (base.snapshot.empty()) {
        if (fingerprintOf(opened) != base.fingerprint)
            throw Error(place, "does not open as the model that was edited")
                .hint("was that another version of fxscope?");
        return opened;
    }
    const JsonDocument json = JsonDocument::ofCbor(base.snapshot, place);
    const Json& rows = json.array(json.member(json.root(), "tensors"));
    const std::vector<TensorSlot> kept = keptTensorsFrom(json, json.member(json.root(), "kept"));
    std::vector<TensorSlot> tensors;
    size_t next = 0;
    for (const Json& row : rows) {
        if (row.is_null() && next == kept.size())
            json.fail(rows, "names tensors that were not kept");
        tensors.push_back(row.is_null() ? kept[next++] : tensorOfRow(json, row, opened, place));
    }
    return modelFromSnapshot(json, json.member(json.root(), "model"), std::move(tensors));
}

} // namespace fx
