// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/pattern_text.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/codegen/statement_lines.h"
#include "core/module/muted.h"

#include <algorithm>
#include <set>

namespace fx {

namespace {

class Writer {
public:
    Writer(const Model& model, ModuleId module, const std::vector<NodeId>& nodes)
        : m_graph(model.graph(module)), m_code(model, module), m_lines(split(m_code.text(), '\n')) {
        for (const Node& node : m_graph) {
            m_names.update(m_graph, {node.id});
            if (std::ranges::find(nodes, node.id) != nodes.end() && isCall(node))
                m_calls.push_back(node.id);
        }
        m_isInside.insert(m_calls.begin(), m_calls.end());
    }

    std::string text(const std::string& name) {
        if (m_calls.empty())
            throw Error("pattern", "no call is selected");
        std::vector<std::string> inputs, outputs;
        std::string body;
        for (const NodeId id : m_calls) {
            const Node& node = m_graph.node(id);
            for (const InputUse& use : node.inputs)
                if (!m_isInside.contains(use.node) && std::ranges::count(inputs, nameOf(use.node)) == 0)
                    inputs.push_back(nameOf(use.node));
            if (node.users.empty() ||
                std::ranges::any_of(node.users, [&](NodeId user) { return !m_isInside.contains(user); }))
                outputs.push_back(nameOf(id));
            body += "    " +
                    std::string(trim(withoutRelease(m_lines[static_cast<size_t>(m_code.lineOf(id))]))) + '\n';
        }
        return "def " + name + '(' + join(inputs, ", ") + "):\n" + body + "    return " + join(outputs, ", ");
    }

private:
    static bool isCall(const Node& node) {
        if (node.opcode == Opcode::CallModule)
            throw Error("node '" + node.name + "'",
                        "calls a module, which a pattern of functions cannot have")
                .hint("the pass inline-modules makes functions of what torch.nn has as such");
        if (mutedCall(node))
            throw Error("node '" + node.name + "'", "is muted, and so calls nothing that could be found");
        return node.opcode == Opcode::CallFunction || node.opcode == Opcode::CallMethod;
    }
    std::string nameOf(NodeId id) const { return m_names.local(m_graph.node(id)); }

    const Graph& m_graph;
    const PythonCode m_code;
    const std::vector<std::string_view> m_lines;
    CodeNames m_names;
    std::vector<NodeId> m_calls; ///< in graph order
    std::set<NodeId> m_isInside;
};

} // namespace

std::string patternText(const Model& model, ModuleId module, const std::vector<NodeId>& nodes,
                        const std::string& name) {
    return Writer(model, module, nodes).text(name);
}

} // namespace fx
