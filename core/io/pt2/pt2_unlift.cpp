// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pt2/pt2_unlift.h"

#include "core/base/error.h"
#include "core/ir/argument_text.h"
#include "core/module/known_faults.h"
#include "core/passes/dead_code.h"
#include "core/torch/bind/operators.h"

#include <ATen/core/function_schema.h>

#include <algorithm>
#include <map>

namespace fx {

namespace {

bool isGetItem(const Node& node) {
    return node.opcode == Opcode::CallFunction && node.target == Target("operator.getitem") &&
           node.args.size() == 2;
}

} // namespace

void mergeEqualGetItems(Edit& edit) {
    for (ModuleId module : graphsOf(edit.model())) {
        edit.enter(module);
        std::map<NodeId, std::string> identity;
        std::map<std::string, NodeId> first;
        std::vector<NodeId> nodes;
        for (const Node& node : edit.graph())
            nodes.push_back(node.id);
        for (NodeId id : nodes) {
            const Node& node = edit.node(id);
            if (!isGetItem(node) || !node.args[0].node()) {
                identity[id] = node.name;
                continue;
            }
            const std::string key = identity[node.args[0].node()] + '.' +
                                    reprText(node.args[1], [&](NodeId n) { return edit.node(n).name; });
            const auto [known, isNew] = first.try_emplace(key, id);
            if (isNew) {
                identity[id] = key;
                continue;
            }
            edit.replaceAllUsesWith(id, known->second);
            edit.eraseNode(id);
        }
    }
    edit.enter(edit.model().root());
}

namespace {

/// How many values the function inside with_effects returns.
size_t returnCount(const Node& node, Target function) {
    if (const TorchOperator* op = findOperator(function))
        return op->schema->returns().size();
    const auto* value = node.meta.find<ValueMeta>(meta::kValue);
    const auto* items = value ? std::get_if<std::vector<ValueMeta>>(&value->value) : nullptr;
    return items && !items->empty() ? items->size() - 1 : 1;
}

/// with_effects(token, f, args...) becomes f(args...); its items move down by one, for item 0 is the token.
void replaceEffect(Edit& edit, NodeId id, std::vector<NodeId>& inputTokens, size_t& outputTokens) {
    const Node node = edit.node(id);
    const auto* function = node.args.size() > 1 ? node.args[1].as<FunctionValue>() : nullptr;
    if (!function)
        throw Error("node '" + node.name + "'", "with_effects does not say what it calls");
    if (const NodeId token = node.args[0].node(); token && edit.node(token).opcode == Opcode::Placeholder)
        inputTokens.push_back(token);
    NodeId fresh;
    {
        const auto at = edit.insertingBefore(id);
        fresh = edit.callFunction(function->target, Arguments(node.args.begin() + 2, node.args.end()),
                                  node.kwargs);
    }
    const auto users = edit.node(id).users.toVector();
    for (const auto& [key, value] : node.meta.entries())
        edit.setMeta(fresh, key, value);
    const size_t returns = returnCount(node, function->target);
    for (NodeId user : users) {
        const auto* index = isGetItem(edit.node(user)) ? edit.node(user).args[1].as<int64_t>() : nullptr;
        if (!index)
            throw Error("node '" + node.name + "'",
                        "with_effects has a user that does not take one of its items");
        if (*index == 0) {
            for (NodeId reader : edit.node(user).users)
                outputTokens += edit.node(reader).opcode == Opcode::Output;
        } else if (returns == 1) {
            edit.replaceAllUsesWith(user, fresh);
        } else {
            edit.setArgs(user, {fresh, *index - 1});
        }
    }
}

void removeEffectTokens(Edit& edit) {
    for (ModuleId module : graphsOf(edit.model())) {
        edit.enter(module);
        std::vector<NodeId> inputTokens;
        size_t outputTokens = 0;
        for (NodeId id : edit.graph().findNodes(Opcode::CallFunction, "torch.ops.higher_order.with_effects"))
            replaceEffect(edit, id, inputTokens, outputTokens);
        const NodeId output = edit.graph().outputNode();
        const Arguments* results = output ? edit.node(output).args[0].items() : nullptr;
        if (outputTokens > 0 && results && results->size() >= outputTokens) {
            const auto kept = results->begin() + static_cast<std::ptrdiff_t>(outputTokens);
            edit.setArgs(output, {TupleValue{Arguments(kept, results->end())}});
        }
        removeDeadCode(edit);
        for (NodeId token : inputTokens)
            if (edit.node(token).users.empty())
                edit.eraseNode(token);
    }
    edit.enter(edit.model().root());
}

/// Parameters, buffers and constants are read by get_attr nodes where their placeholders stood.
void readStateByGetAttr(Edit& edit, const std::vector<Pt2Input>& inputs,
                        std::map<std::string, NodeId>& byTarget) {
    const std::vector<NodeId> placeholders = edit.graph().findNodes(Opcode::Placeholder);
    if (placeholders.size() != inputs.size())
        throw Error("signature", "describes " + std::to_string(inputs.size()) + " inputs, the graph has " +
                                     std::to_string(placeholders.size()));
    for (size_t i = 0; i < inputs.size(); ++i) {
        const Pt2Input& input = inputs[i];
        const NodeId placeholder = placeholders[i];
        if (input.target.empty()) {
            byTarget[edit.node(placeholder).name] = placeholder;
            byTarget[input.name] = placeholder;
            continue;
        }
        const auto at = edit.insertingAfter(placeholder);
        const NodeId read = edit.getAttr(input.target);
        edit.replaceAllUsesWith(placeholder, read);
        for (const auto& [key, value] : edit.node(placeholder).meta.entries())
            edit.setMeta(read, key, value);
        edit.eraseNode(placeholder);
        byTarget[input.target] = read;
    }
}

void flatten(const Argument& argument, Arguments& leaves) {
    if (const Arguments* items = argument.items())
        for (const Argument& item : *items)
            flatten(item, leaves);
    else
        leaves.push_back(argument);
}

/// Outputs that are new values of buffers and inputs become copy_ calls; only the user's outputs stay.
void writeMutations(Edit& edit, const std::vector<Pt2Output>& outputs,
                    const std::map<std::string, NodeId>& byTarget) {
    const NodeId output = edit.graph().outputNode();
    Arguments results;
    if (output)
        flatten(edit.node(output).args[0], results);
    if (!output || results.size() != outputs.size())
        throw Error("signature", "describes " + std::to_string(outputs.size()) + " outputs, the graph has " +
                                     std::to_string(results.size()));
    Arguments kept;
    std::map<NodeId, NodeId> copies;
    const auto at = edit.insertingBefore(output);
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].target.empty()) {
            kept.push_back(results[i]);
            continue;
        }
        const auto target = byTarget.find(outputs[i].target);
        if (target == byTarget.end())
            throw Error("signature",
                        "writes to '" + outputs[i].target + "', which is no buffer and no input");
        const NodeId copy = edit.callFunction("torch.ops.aten.copy_.default", {target->second, results[i]});
        if (results[i].node())
            copies[results[i].node()] = copy;
    }
    for (Argument& result : kept)
        if (const auto copy = copies.find(result.node()); copy != copies.end())
            result = copy->second;
    const NodeId fresh = edit.output(TupleValue{std::move(kept)});
    const std::string name = edit.node(output).name;
    for (const auto& [key, value] : edit.node(output).meta.entries())
        edit.setMeta(fresh, key, value);
    edit.eraseNode(output);
    edit.setName(fresh, name);
}

} // namespace

Model unlift(const Model& lifted, Pt2Signature signature, bool hasEffects) {
    // Copying asks for every name again, as copying a torch.fx graph does.
    Model model = lifted.withEmptyRootGraph();
    Edit edit(model);
    NodeMap map;
    if (const std::optional<Argument> result = edit.graphCopy(lifted.graph(), map)) {
        const NodeId output = edit.output(*result);
        for (const auto& [key, value] : lifted.graph().node(lifted.graph().outputNode()).meta.entries())
            edit.setMeta(output, key, value);
    }
    if (hasEffects) {
        removeEffectTokens(edit);
        std::erase_if(signature.inputs, [](const Pt2Input& i) { return i.kind == Pt2Input::Kind::Token; });
        std::erase_if(signature.outputs, [](const Pt2Output& o) { return o.kind == Pt2Output::Kind::Token; });
    }
    std::map<std::string, NodeId> byTarget;
    readStateByGetAttr(edit, signature.inputs, byTarget);
    for (Pt2Output& output : signature.outputs)
        if (output.kind == Pt2Output::Kind::Gradient)
            output.target.clear();
    writeMutations(edit, signature.outputs, byTarget);
    edit.setSignature(signature.call);
    edit.finish();
    requireSound(model, model.root());
    return model;
}

} // namespace fx
