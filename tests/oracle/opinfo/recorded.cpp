// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/oracle/opinfo/recorded.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/argument_json.h"
#include "core/io/mapped_file.h"
#include "core/io/pickle/pickled_entries.h"
#include "core/ir/dtype.h"
#include "core/module/edit.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

RecordedFile::RecordedFile(const std::string& path) : m_folder(path.substr(0, path.rfind('/') + 1)) {
    const std::string content = readFile(path);
    for (std::string_view line : split(content, '\n')) {
        if (line.empty())
            continue;
        Json row = Json::parse(line);
        if (m_header.is_null())
            m_header = std::move(row);
        else if (row.contains("skipped"))
            m_skipped = row["skipped"];
        else
            m_rows.push_back(std::move(row));
    }
    m_bytes = readFile(path.substr(0, path.size() - std::string_view("jsonl").size()) + "bin");
}

at::Tensor RecordedFile::tensor(const Json& entry, const std::vector<at::Tensor>& storages,
                                const std::vector<at::Tensor>& others) const {
    const at::TensorOptions options = *dtypeFromName("torch." + entry["dtype"].get<std::string>());
    const auto shape = entry["shape"].get<std::vector<int64_t>>();
    if (entry.contains("parts")) {
        std::vector<at::Tensor> parts;
        for (const Json& part : entry["parts"])
            parts.push_back(others.at(part.get<size_t>()));
        if (entry["layout"] == "sparse_coo")
            return at::sparse_coo_tensor(parts[0], parts[1], shape)._coalesced_(entry["coalesced"]);
        const auto layout = layoutFromName("torch." + entry["layout"].get<std::string>());
        return at::sparse_compressed_tensor(parts[0], parts[1], parts[2], shape, options.layout(layout));
    }
    const auto strides = entry["stride"].get<std::vector<int64_t>>();
    if (entry.contains("device"))
        return at::empty_strided(shape, strides, options.device(entry["device"].get<std::string>()));
    const at::Tensor& storage = storages.at(entry["storage"].get<size_t>());
    at::Tensor out = at::empty({0}, options);
    out.set_(storage.storage(), entry["offset"].get<int64_t>(), shape, strides);
    if (entry["conj"])
        out = at::_conj(out);
    if (entry["neg"])
        out = at::_neg_view(out);
    // Even without autograd it decides how some products are computed.
    return entry["requires_grad"] ? out.set_requires_grad(true) : out;
}

std::vector<at::Tensor> RecordedFile::tensors(const Json& row, const std::string& prefix) const {
    std::vector<at::Tensor> storages, out;
    for (const Json& place : row[prefix + "storages"]) {
        const std::string_view bytes =
            std::string_view(m_bytes).substr(place[0].get<size_t>(), place[1].get<size_t>());
        storages.push_back(at::empty({static_cast<int64_t>(bytes.size())}, at::kByte));
        std::ranges::copy(bytes, static_cast<char*>(storages.back().data_ptr()));
    }
    for (const Json& entry : row[prefix + "tensors"])
        out.push_back(tensor(entry, storages, out));
    return out;
}

namespace {

void fillGraph(Edit& edit, const Json& nodes) {
    const JsonDocument document("null", "recorded graph");
    std::vector<NodeId> ids;
    const auto nodeAt = [&](int64_t index) { return ids.at(static_cast<size_t>(index)); };
    for (const Json& node : nodes) {
        Arguments args;
        Keywords kwargs;
        for (const Json& argument : node[3])
            args.push_back(argumentFromJson(document, argument, nodeAt));
        for (const Json& argument : node[4])
            kwargs.emplace_back(argument[0], argumentFromJson(document, argument[1], nodeAt));
        ids.push_back(edit.createNode(*opcodeFromName(node[0].get<std::string>()), node[2].get<std::string>(),
                                      std::move(args), std::move(kwargs), node[1].get<std::string>()));
    }
}

TensorRole roleOf(const std::string& name) {
    return name == "parameter"          ? TensorRole::Parameter
           : name == "buffer"           ? TensorRole::Buffer
           : name == "transient_buffer" ? TensorRole::TransientBuffer
                                        : TensorRole::Constant;
}

/// The tree of a leaf module; gives its top.
ModuleId addModules(Edit& edit, const Json& modules, const std::vector<at::Tensor>& tensors) {
    const JsonDocument document("null", "recorded module");
    std::vector<ModuleId> ids;
    for (const Json& module : modules)
        ids.push_back(edit.createModule(module["type"]));
    for (size_t i = 0; i < ids.size(); ++i) {
        edit.enter(ids[i]);
        edit.setTraining(modules[i]["training"]);
        for (const Json& entry : modules[i]["tensors"])
            edit.setTensor(entry[0].get<std::string>(),
                           entry[1].is_null()
                               ? TensorId()
                               : edit.createTensor(TensorSlot(tensors.at(entry[1].get<size_t>()))),
                           roleOf(entry[2]));
        for (const Json& entry : modules[i]["values"])
            edit.setValue(entry[0].get<std::string>(),
                          argumentFromJson(document, entry[1], [](int64_t) { return NodeId(); }));
        for (const Json& entry : modules[i]["children"])
            edit.addSubmodule(entry[0].get<std::string>(), ids.at(entry[1].get<size_t>()));
    }
    return ids[0];
}

ModuleId addSaved(Edit& edit, const std::string& path) {
    const auto container = std::make_shared<TorchContainer>(TorchContainer::open(path));
    const std::optional<PickledModel> pickled = pickledModelIn(container);
    if (!pickled)
        throw Error(path, "holds no module");
    return addPickledModule(edit, *pickled->root);
}

} // namespace

Model modelOf(const RecordedFile& file) {
    Model out;
    Edit edit(out);
    for (size_t i = 0; i < file.rows().size(); ++i) {
        const Json& row = file.rows()[i];
        const ModuleId id = edit.createModule("GraphModule", true);
        edit.enter(out.root());
        edit.addSubmodule("s" + std::to_string(i), id);
        edit.enter(id);
        if (!row["constants"].empty()) {
            const std::vector<at::Tensor> tensors = file.tensors(row, "");
            for (const Json& constant : row["constants"])
                edit.setTensor(constant[0].get<std::string>(),
                               edit.createTensor(TensorSlot(tensors.at(constant[1].get<size_t>()))),
                               TensorRole::Constant);
        }
        if (!row["modules"].empty()) {
            const std::string saved = row["saved"];
            const ModuleId leaf = saved.empty() ? addModules(edit, row["modules"], file.tensors(row, ""))
                                                : addSaved(edit, file.folder() + saved);
            edit.enter(id);
            edit.addSubmodule("m", leaf);
        }
        fillGraph(edit, row["nodes"]);
    }
    edit.finish();
    return out;
}

} // namespace fx
