// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/operator_support.h"

#include "core/ir/dtype.h"
#include "core/passes/split/parts.h"

#include <algorithm>

namespace fx {

namespace {

std::optional<c10::ScalarType> dtypeOf(const Graph& graph, const Argument& argument) {
    if (!argument.node())
        return std::nullopt;
    const ValueMeta* value = knownValue(graph.node(argument.node()).meta);
    const auto* tensor = value ? std::get_if<TensorMeta>(&value->value) : nullptr;
    return tensor ? std::optional(tensor->dtype) : std::nullopt;
}

/// Why the argument is refused; empty if it is not. A value whose dtype is not known fits no list of them.
std::string refusedArgument(const Graph& graph, const Argument& argument, const std::string& which,
                            const SupportRule::Dtypes& dtypes) {
    if (dtypes.empty() || !argument.node())
        return {};
    const std::optional<c10::ScalarType> dtype = dtypeOf(graph, argument);
    if (!dtype)
        return "the dtype of " + which + " is not recorded";
    return std::ranges::find(dtypes, *dtype) == dtypes.end() ? which + " is " + dtypeText(*dtype)
                                                             : std::string();
}

std::string refusedArguments(const Graph& graph, const Node& node, const SupportRule& rule) {
    std::string why;
    for (size_t i = 0; i < std::min(node.args.size(), rule.args.size()) && why.empty(); ++i)
        why = refusedArgument(graph, node.args[i], "argument " + std::to_string(i), rule.args[i]);
    for (const auto& [name, dtypes] : rule.kwargs)
        if (const Argument* value = node.keyword(name); value && why.empty())
            why = refusedArgument(graph, *value, "argument " + name, dtypes);
    if (!rule.all.empty())
        for (const InputUse& use : node.inputs) {
            const Node& read = graph.node(use.node);
            if (why.empty() && dtypeOf(graph, read.id))
                why = refusedArgument(graph, read.id, "'" + read.name + "'", rule.all);
        }
    return why;
}

} // namespace

std::string nodeTarget(const Model& model, ModuleId module, const Node& node) {
    if (node.opcode != Opcode::CallModule)
        return node.opcode == Opcode::CallFunction ? node.target.qualifiedName() : node.target.name();
    const ModuleId called = model.resolve(module, node.target.name()).module;
    return called ? model.module(called).type : node.target.name();
}

void SupportTable::add(const std::string& target, SupportRule rule) {
    if (target.ends_with('*'))
        m_prefixes[target.substr(0, target.size() - 1)] = std::move(rule);
    else
        m_rules[target.starts_with("operator.") ? '_' + target : target] = std::move(rule);
}

const SupportRule* SupportTable::ruleOf(const std::string& target) const {
    auto found = m_rules.find(target);
    if (found == m_rules.end() && Target(target).isOperatorOverload())
        found = m_rules.find(target.substr(0, target.rfind('.')));
    if (found != m_rules.end())
        return &found->second;
    // The longest that fits comes last.
    const auto prefix = std::find_if(m_prefixes.rbegin(), m_prefixes.rend(),
                                     [&](const auto& each) { return target.starts_with(each.first); });
    return prefix == m_prefixes.rend() ? nullptr : &prefix->second;
}

Refusals SupportTable::refusals(const Model& model, ModuleId module) const {
    Refusals out;
    for (const Node& node : model.graph(module)) {
        if (!isCallNode(node))
            continue;
        const std::string target = nodeTarget(model, module, node);
        const SupportRule* rule = ruleOf(target);
        std::string why =
            rule ? refusedArguments(model.graph(module), node, *rule) : target + " is not in the table";
        if (!why.empty())
            out.emplace(node.id, std::move(why));
    }
    return out;
}

} // namespace fx
