// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/module/muted.h"

#include "core/base/error.h"
#include "core/module/known_faults.h"

namespace fx {

namespace {

const Target kPassOn("operator.getitem");

enum class PassedKind { Unknown, Tensor, Other };

PassedKind passedKindOf(const Node& node) {
    const ValueMeta* value = knownValue(node.meta);
    if (!value)
        return PassedKind::Unknown;
    return std::holds_alternative<TensorMeta>(value->value) ? PassedKind::Tensor : PassedKind::Other;
}

/// The input whose value can stand for the node's; weights are it only where there is nothing else.
NodeId stand(const Edit& edit, const Node& node) {
    const PassedKind kind = passedKindOf(node);
    if (kind == PassedKind::Other)
        throw Error("", node.name + " does not give one tensor, so none of its inputs can stand for it");
    NodeId weight;
    for (const InputUse& use : node.inputs) {
        const Node& input = edit.node(use.node);
        if (passedKindOf(input) == PassedKind::Other)
            continue;
        if (input.opcode != Opcode::GetAttr)
            return use.node;
        weight = weight ? weight : use.node;
    }
    if (!weight)
        throw Error("", node.name + " reads no tensor that its readers could read instead");
    return weight;
}

const Arguments* partsOf(const Node& node) {
    constexpr size_t kParts = 3; // what stands for it, its arguments, its keyword arguments
    if (node.opcode != Opcode::CallFunction || node.target != kPassOn || node.args.size() != 2 ||
        node.args[1] != Argument(0))
        return nullptr;
    const auto* parts = node.args[0].as<TupleValue>();
    return parts && parts->items.size() == kParts && parts->items[0].node() &&
                   parts->items[1].as<TupleValue>() && parts->items[2].as<DictValue>()
               ? &parts->items
               : nullptr;
}

} // namespace

std::optional<MutedCall> mutedCall(const Node& node) {
    const auto* text = node.meta.find<std::string>(meta::kMuted);
    const Arguments* parts = text ? partsOf(node) : nullptr;
    const size_t space = text ? text->find(' ') : std::string::npos;
    if (!parts || space == std::string::npos)
        return {};
    const std::optional<Opcode> opcode = opcodeFromName(text->substr(0, space));
    if (!opcode)
        return {};
    MutedCall out{*opcode, Target(text->substr(space + 1)), (*parts)[1].as<TupleValue>()->items, {}};
    for (const auto& [key, value] : (*parts)[2].as<DictValue>()->items) {
        if (!key.as<std::string>())
            return {};
        out.kwargs.emplace_back(*key.as<std::string>(), value);
    }
    return out;
}

void mute(Edit& edit, NodeId id) {
    const Node& node = edit.node(id);
    if (node.opcode != Opcode::CallFunction && node.opcode != Opcode::CallMethod &&
        node.opcode != Opcode::CallModule)
        throw Error("", node.name + " is no call that could be left out");
    const NodeId input = stand(edit, node);
    DictValue kwargs;
    for (const auto& [key, value] : node.kwargs)
        kwargs.items.emplace_back(key, value);
    edit.setMeta(id, meta::kMuted, std::string(opcodeName(node.opcode)) + ' ' + node.target.name());
    edit.setMeta(id, meta::kMutedValue, node.meta.shared(meta::kTensorMeta));
    const ValueMeta* passed = knownValue(edit.node(input).meta);
    edit.setMeta(id, meta::kTensorMeta, passed ? SharedMeta(*passed) : SharedMeta());
    Arguments args{TupleValue{{input, TupleValue{node.args}, std::move(kwargs)}}, 0};
    edit.setCallee(id, Opcode::CallFunction, kPassOn);
    edit.setKwargs(id, {});
    edit.setArgs(id, std::move(args));
}

void unmute(Edit& edit, NodeId id) {
    const Node& node = edit.node(id);
    std::optional<MutedCall> call = mutedCall(node);
    if (!call)
        throw Error("", node.name + " is not muted");
    if (call->opcode == Opcode::CallModule &&
        !edit.model().resolve(edit.module(), call->target.name()).module)
        throw Error("", "the module '" + call->target.name() + "' that " + node.name + " called is gone");
    edit.setArgs(id, std::move(call->args));
    edit.setKwargs(id, std::move(call->kwargs));
    edit.setCallee(id, call->opcode, call->target);
    edit.setMeta(id, meta::kTensorMeta, node.meta.shared(meta::kMutedValue));
    edit.setMeta(id, meta::kMutedValue, {});
    edit.setMeta(id, meta::kMuted, {});
}

void takeOutMuted(Model& model) {
    for (const ModuleId graph : graphsOf(model)) {
        std::vector<NodeId> muted;
        for (const Node& node : model.graph(graph))
            if (mutedCall(node))
                muted.push_back(node.id);
        Edit edit(model, graph);
        for (const NodeId id : muted) {
            edit.replaceAllUsesWith(id, partsOf(edit.node(id))->front().node());
            edit.eraseNode(id);
        }
        edit.finish();
    }
}

} // namespace fx
