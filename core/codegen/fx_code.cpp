// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/codegen/fx_code.h"

#include "core/base/text.h"
#include "core/codegen/expression.h"
#include "core/codegen/written_names.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace fx {

namespace {

class FxCode {
public:
    FxCode(const Graph& graph, std::vector<NodeId> nodes) : m_graph(graph), m_nodes(std::move(nodes)) {
        std::sort(m_nodes.begin(), m_nodes.end(), [&](NodeId a, NodeId b) { return graph.precedes(a, b); });
        m_selected.insert(m_nodes.begin(), m_nodes.end());
        for (const NodeId id : m_nodes)
            for (const InputUse& use : graph.node(id).inputs)
                if (!m_selected.contains(use.node) &&
                    std::find(m_read.begin(), m_read.end(), use.node) == m_read.end())
                    m_read.push_back(use.node);
        for (const NodeId id : m_read)
            name(id);
        for (const NodeId id : m_nodes)
            name(id);
    }

    std::string text() {
        std::string body;
        for (const NodeId id : m_nodes)
            body += "    " + statement(m_graph.node(id)) + '\n';
        const std::vector<std::string> results = resultNames();
        if (!results.empty())
            body += "    return " + join(results, ", ") + '\n';
        std::vector<std::string> parameters = {"graph"};
        for (const NodeId id : m_read)
            parameters.push_back(m_names.at(id));
        std::string imports;
        for (const std::string& module : m_imports)
            imports += "import " + module + '\n';
        for (const std::string& line : m_namesImported)
            imports += line + '\n';
        return imports + (imports.empty() ? "" : "\n") + "# The nodes, in a graph that has them.\n" +
               finding() + "\n\n# The same calls, where the graph inserts now.\ndef build(" +
               join(parameters, ", ") + "):\n" + body;
    }

private:
    /// A variable for a node: its name, where nothing else here has it.
    void name(NodeId id) {
        static const std::set<std::string, std::less<>> kTaken = {"graph", "nodes", "node",
                                                                  "build", "torch", "operator"};
        std::string wish = m_graph.node(id).name;
        if (!isWrittenBare(wish))
            wish = "node_" + std::to_string(id.value);
        while (kTaken.contains(wish) || m_taken.contains(wish))
            wish += '_';
        m_taken.insert(wish);
        m_names[id] = wish;
    }

    std::string finding() const {
        std::vector<std::string> names, lookups;
        for (const NodeId id : m_nodes) {
            names.push_back(m_names.at(id));
            lookups.push_back("nodes[" + pythonRepr(m_graph.node(id).name) + ']');
        }
        return "nodes = {node.name: node for node in graph.nodes}\n" + join(names, ", ") + " = " +
               join(lookups, ", ") + '\n';
    }

    std::vector<std::string> resultNames() const {
        std::vector<std::string> out;
        for (const NodeId id : m_nodes) {
            const Node& node = m_graph.node(id);
            const bool isRead =
                std::ranges::any_of(node.users, [&](NodeId user) { return m_selected.contains(user); });
            if (!isRead && node.opcode != Opcode::Output)
                out.push_back(m_names.at(id));
        }
        return out;
    }

    /// Modules of other files are imported by their names.
    std::string imported(const std::string& path) {
        const size_t dot = path.rfind('.');
        if (dot != std::string::npos && isBarePath(path.substr(0, dot)))
            m_imports.insert(path.starts_with("torch.") ? "torch" : path.substr(0, dot));
        return path;
    }

    CodeContext context() {
        return {[this](std::string& out, NodeId id) { out += m_names.at(id); },
                [this](const GlobalName& global) {
                    return global.isBuiltin ? global.hint : imported(global.name());
                }};
    }

    std::string expression(const Argument& argument) {
        std::string out = argumentExpression(argument, context());
        if (out.find("torch.") != std::string::npos)
            m_imports.insert("torch");
        // These are written as they print.
        forEachPart(argument, [&](const Argument& part) {
            const auto* number = part.as<double>();
            if (part.as<c10::Device>())
                m_namesImported.insert("from torch import device");
            else if (number && std::isnan(*number))
                m_namesImported.insert("from math import nan");
            else if (number && std::isinf(*number))
                m_namesImported.insert("from math import inf");
        });
        return out;
    }

    std::string statement(const Node& node) {
        const auto call = [&](const char* method, std::vector<std::string> parts) {
            return (node.opcode == Opcode::Output ? "" : m_names.at(node.id) + " = ") + "graph." + method +
                   '(' + join(parts, ", ") + ')';
        };
        switch (node.opcode) {
        case Opcode::Placeholder:
            return call("placeholder", node.args.empty()
                                           ? std::vector{pythonRepr(node.target.name())}
                                           : std::vector{pythonRepr(node.target.name()),
                                                         "default_value=" + expression(node.args[0])});
        case Opcode::GetAttr:
            return call("get_attr", {pythonRepr(node.target.name())});
        case Opcode::Output:
            return call("output", {node.args.empty() ? "None" : expression(node.args[0])});
        default:
            break;
        }
        std::vector<std::string> parts = {
            node.opcode == Opcode::CallFunction ? function(node.target) : pythonRepr(node.target.name())};
        if (!node.args.empty() || !node.kwargs.empty())
            parts.push_back(expression(TupleValue{node.args}));
        if (!node.kwargs.empty()) {
            std::vector<std::string> entries;
            for (const auto& [key, value] : node.kwargs)
                entries.push_back(pythonRepr(key) + ": " + expression(value));
            parts.push_back('{' + join(entries, ", ") + '}');
        }
        return call(node.opcode == Opcode::CallFunction ? "call_function"
                    : node.opcode == Opcode::CallMethod ? "call_method"
                                                        : "call_module",
                    std::move(parts));
    }

    std::string function(Target target) {
        if (target.isFromTorch())
            m_imports.insert("torch");
        if (target.name().starts_with("operator."))
            return imported(target.name());
        return functionExpression(target, context());
    }

    const Graph& m_graph;
    std::vector<NodeId> m_nodes;
    std::set<NodeId> m_selected;
    std::vector<NodeId> m_read; ///< by those selected, in the order in which they are
    std::unordered_map<NodeId, std::string> m_names;
    std::set<std::string> m_taken, m_imports, m_namesImported;
};

} // namespace

std::string fxCode(const Graph& graph, std::vector<NodeId> nodes) {
    return nodes.empty() ? std::string() : FxCode(graph, std::move(nodes)).text();
}

} // namespace fx
