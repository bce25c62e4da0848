// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/call_names.h"

namespace fx {

std::string_view functionOfTorch(const Node& node) {
    std::string_view name = node.target.name();
    if (node.opcode != Opcode::CallFunction)
        return {};
    for (const std::string_view head : {"torch.ops.aten.", "torch.nn.functional.", "torch._C._nn.", "torch."})
        if (name.starts_with(head)) {
            name.remove_prefix(head.size());
            return head == "torch.ops.aten." ? name.substr(0, name.find('.')) : name;
        }
    return {};
}

const Module* calledModule(const Model& model, ModuleId owner, const Node& node) {
    const ModuleId id =
        node.opcode == Opcode::CallModule ? model.resolve(owner, node.target.name()).module : ModuleId();
    return id ? &model.module(id) : nullptr;
}

bool hasHooks(const Module& module) {
    return module.value("_forward_pre_hooks") || module.value("_forward_hooks");
}

const Argument* inputOfModule(const Node& node) {
    return !node.args.empty() ? &node.args[0] : node.keyword("input");
}

const Argument* firstInput(const Node& node) {
    if (node.opcode == Opcode::CallModule)
        return inputOfModule(node);
    return node.args.empty() ? node.keyword("input") : &node.args[0];
}

NodeId nodeOf(const Argument* argument) {
    return argument ? argument->node() : NodeId();
}

} // namespace fx
