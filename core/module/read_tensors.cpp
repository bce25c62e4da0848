// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/module/read_tensors.h"

#include <algorithm>

namespace fx {

namespace {

void addOnce(std::vector<ReadTensor>& out, ReadTensor tensor) {
    const bool isKnown = std::any_of(out.begin(), out.end(), [&](const ReadTensor& known) {
        return known.tensor == tensor.tensor && known.path == tensor.path;
    });
    if (tensor.tensor && !isKnown)
        out.push_back(std::move(tensor));
}

std::string joined(const std::string& path, const std::string& name) {
    return path.empty() ? name : name.empty() ? path : path + '.' + name;
}

void addAttribute(std::vector<ReadTensor>& out, const Model& model, ModuleId graph, const Node& node) {
    const std::string& path = node.target.name();
    addOnce(out, {path.substr(path.rfind('.') + 1), path, model.resolve(graph, path).tensor});
}

} // namespace

std::vector<ReadTensor> tensorsOf(const Model& model, ModuleId module, const std::string& path) {
    std::vector<ReadTensor> out;
    model.forEachModule(module, [&](ModuleId id, const std::string& below) {
        for (const NamedTensor& tensor : model.module(id).tensors) {
            const std::string name = joined(below, tensor.name);
            addOnce(out, {name, joined(path, name), tensor.tensor});
        }
    });
    return out;
}

std::vector<ReadTensor> tensorsReadBy(const Model& model, ModuleId graph, NodeId node) {
    const Node& it = model.graph(graph).node(node);
    std::vector<ReadTensor> out;
    if (it.opcode == Opcode::GetAttr)
        addAttribute(out, model, graph, it);
    if (it.opcode == Opcode::CallModule)
        if (const ModuleId module = model.resolve(graph, it.target.name()).module)
            out = tensorsOf(model, module, it.target.name());
    for (const InputUse& use : it.inputs)
        if (const Node& input = model.graph(graph).node(use.node); input.opcode == Opcode::GetAttr)
            addAttribute(out, model, graph, input);
    return out;
}

} // namespace fx
