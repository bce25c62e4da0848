// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/script/call_parameters.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/library_calls.h"
#include "core/torch/host/function_table.h"

#include <algorithm>

namespace fx {

namespace {

bool holdsUntyped(const Argument& argument) {
    bool found = false;
    forEachPart(argument, [&](const Argument& part) {
        const bool isKnown = part.node() || part.isNone() || part.items() || part.as<bool>() ||
                             part.as<int64_t>() || part.as<double>() || part.as<std::string>();
        found |= !isKnown;
    });
    return found;
}

} // namespace

bool CallParameters::areNamed(const Node& node) {
    const FunctionRow* row = node.opcode == Opcode::CallFunction ? findFunction(node.target.name()) : nullptr;
    if (!row || row->kind != FunctionKind::Python || node.args.size() > row->parameters.size())
        return false;
    for (size_t i = 0; i < node.args.size(); ++i)
        if (row->parameters[i].kind == ParameterKind::VarPositional)
            return false;
    return std::ranges::none_of(node.args, holdsUntyped) &&
           std::ranges::none_of(node.kwargs, [](const auto& entry) { return holdsUntyped(entry.second); });
}

CallParameters::CallParameters(GraphLowering& caller, const Node& node) : m_node(node) {
    const FunctionRow* row = areNamed(node) ? findFunction(node.target.name()) : nullptr;
    const auto add = [&](std::string name, const Argument& argument) {
        m_names.push_back(std::move(name));
        m_given.push_back(caller.lowered(argument));
        m_values.push_back(caller.single(m_given.back()));
    };
    for (size_t i = 0; i < node.args.size(); ++i)
        add(row ? std::string(row->parameters[i].name) : "input_" + std::to_string(i), node.args[i]);
    for (const auto& [key, argument] : node.kwargs)
        add(key, argument);
}

std::string CallParameters::key() const {
    std::string out;
    for (size_t i = 0; i < m_values.size(); ++i)
        out += '\n' + m_names[i] + ' ' + m_values[i]->type()->repr_str() + ' ' +
               std::to_string(static_cast<int>(m_given[i].kind));
    return out;
}

std::vector<Lowered> CallParameters::inputsIn(torch::jit::Graph& to) const {
    std::unordered_map<NodeId, Lowered> known;
    const std::function<void(const Argument&, Lowered)> take = [&](const Argument& argument, Lowered value) {
        if (argument.node()) {
            known.try_emplace(argument.node(), std::move(value));
            return;
        }
        const Arguments* items = argument.items();
        if (!items) {
            if (argument.as<DictValue>())
                throw Error("", "is given a dict, which is not written for such a call");
            return;
        }
        const std::vector<JitValue*> parts = [&] {
            if (value.value->type()->kind() == c10::TypeKind::TupleType)
                return torch::jit::createTupleUnpack(value.value).vec();
            torch::jit::Node* unpack = to.insertNode(to.createListUnpack(value.value, items->size()));
            return unpack->outputs().vec();
        }();
        for (size_t i = 0; i < items->size(); ++i)
            take((*items)[i], loweredValue(parts[i]));
    };
    std::vector<Lowered> inputs;
    for (size_t i = 0; i < m_values.size(); ++i) {
        JitValue* input = to.addInput(m_names[i]);
        input->setType(m_values[i]->type());
        inputs.push_back(loweredValue(input));
        inputs.back().kind = m_given[i].kind;
    }
    size_t at = 0;
    for (const Argument& argument : m_node.args)
        take(argument, inputs[at++]);
    for (const auto& [key, argument] : m_node.kwargs)
        take(argument, inputs[at++]);
    std::vector<Lowered> out;
    for (const NodeId node : nodesIn(m_node))
        out.push_back(known.at(node));
    return out;
}

} // namespace fx
