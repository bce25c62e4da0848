// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/model_state.h"

#include "core/base/text.h"
#include "core/io/argument_json.h"
#include "core/ir/graph_text.h"
#include "core/module/edit.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

std::string nodeState(const Graph& graph, const Node& node) {
    std::vector<std::string> users, inputs;
    for (NodeId user : node.users)
        users.push_back(std::to_string(user.value));
    for (const InputUse& use : node.inputs)
        inputs.push_back(std::to_string(use.node.value));
    std::string out = std::to_string(node.id.value) + ' ' + formatNode(graph, node.id) + " users " +
                      join(users, ",") + " inputs " + join(inputs, ",") + '\n';
    for (const auto& [key, value] : node.meta.entries())
        out += "  " + key + ' ' + jsonText(toJson(value, [](NodeId id) { return int64_t(id.value); })) + '\n';
    return out;
}

} // namespace

std::string modelState(const Model& model) {
    std::string out;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        const Module& module = model.module(id);
        out += "module " + path + " #" + std::to_string(id.value) + ' ' + module.type +
               (module.isTraining ? " training\n" : "\n");
        for (const NamedModule& child : module.children)
            out += "  child " + child.name + " #" + std::to_string(child.module.value) + '\n';
        for (const NamedTensor& entry : module.tensors)
            out += "  tensor " + entry.name + " #" + std::to_string(entry.tensor.value) + ' ' +
                   std::to_string(static_cast<int>(entry.role)) + '\n';
        for (const NamedValue& entry : module.values)
            out += "  value " + entry.name + ' ' +
                   jsonText(toJson(entry.value, [](NodeId) { return int64_t(0); })) + '\n';
        if (!module.graph)
            return;
        if (module.graph->signature())
            out += jsonText(toJson(*module.graph->signature())) + '\n';
        for (const Node& node : *module.graph)
            out += nodeState(*module.graph, node);
    });
    return out;
}

SmallModel::SmallModel() {
    Edit edit(model);
    edit.addSubmodule("sub.lin", edit.createModule("torch.nn.modules.linear.Linear"));
    edit.setTensor("w", edit.createTensor(TensorSlot(at::ones({2}))), TensorRole::Parameter);
    edit.setTensor("b", edit.createTensor(TensorSlot(at::zeros({2}))), TensorRole::Buffer);
    x = edit.placeholder("x");
    w = edit.getAttr("w");
    relu = edit.callFunction("torch.relu", {x});
    add = edit.callFunction("torch.add", {relu, w}, {{"alpha", 2}});
    output = edit.output(add);
    edit.finish();
}

} // namespace fx
