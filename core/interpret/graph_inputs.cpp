// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/graph_inputs.h"

#include "core/base/error.h"
#include "core/codegen/written_names.h"

#include <algorithm>

namespace fx {

namespace {

/// In their order, with their stars.
std::vector<std::string> parametersOf(const Graph& graph) {
    std::vector<std::string> out;
    for (const Node& node : graph)
        if (node.opcode == Opcode::Placeholder)
            out.push_back(node.target.name());
    return out;
}

} // namespace

const Value* GraphInputs::named(const std::string& parameter) const {
    const auto found = std::find_if(keywords.begin(), keywords.end(),
                                    [&](const auto& keyword) { return keyword.first == parameter; });
    return found == keywords.end() ? nullptr : &found->second;
}

int starsOf(const std::string& parameter) {
    return static_cast<int>(parameter.size() - withoutStars(parameter).size());
}

Value otherKeywords(const Graph& graph, const GraphInputs& inputs) {
    const std::vector<std::string> parameters = parametersOf(graph);
    std::vector<std::pair<Value, Value>> out;
    for (const auto& [name, value] : inputs.keywords)
        if (std::find(parameters.begin(), parameters.end(), name) == parameters.end())
            out.emplace_back(makeText(name), value);
    return makeDict(std::move(out));
}

InputReader::InputReader(const Graph& graph, GraphInputs inputs)
    : m_graph(&graph), m_inputs(std::move(inputs)) {
    if (m_inputs.keywords.empty())
        return;
    const std::vector<std::string> parameters = parametersOf(graph);
    const bool takesAny = std::any_of(parameters.begin(), parameters.end(),
                                      [](const std::string& parameter) { return starsOf(parameter) == 2; });
    for (const auto& [name, value] : m_inputs.keywords) {
        const auto found = std::find(parameters.begin(), parameters.end(), name);
        if (found == parameters.end() && !takesAny)
            throw Error("", "forward() got an unexpected keyword argument '" + name + '\'').kind("TypeError");
        if (found != parameters.end() &&
            static_cast<size_t>(found - parameters.begin()) < m_inputs.values.size())
            throw Error("", "forward() got multiple values for argument '" + name + '\'').kind("TypeError");
    }
}

std::optional<Value> InputReader::next(const Node& placeholder, bool isKept) {
    const std::string& parameter = placeholder.target.name();
    Values& values = m_inputs.values;
    if (starsOf(parameter) == 2)
        return otherKeywords(*m_graph, m_inputs);
    if (starsOf(parameter) == 1) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(m_next);
        m_next = values.size();
        return makeSequence({first, values.end()}, true);
    }
    if (m_next < values.size()) {
        Value& value = values[m_next++];
        return isKept ? value : std::move(value);
    }
    const Value* named = m_inputs.named(parameter);
    return named ? std::optional(*named) : std::nullopt;
}

void InputReader::goTo(NodeId node) {
    m_next = 0;
    for (const Node& before : *m_graph) {
        if (before.id == node)
            break;
        if (before.opcode == Opcode::Placeholder)
            m_next = starsOf(before.target.name()) > 0 ? m_inputs.values.size() : m_next + 1;
    }
    m_next = std::min(m_next, m_inputs.values.size());
}

void InputReader::forEach(const std::function<void(const Value&)>& visit) const {
    for (const Value& value : m_inputs.values)
        visit(value);
    for (const auto& [name, value] : m_inputs.keywords)
        visit(value);
}

} // namespace fx
