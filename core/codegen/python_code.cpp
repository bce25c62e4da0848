// SPDX-License-Identifier: GPL-3.0-or-later
// Which statements an edit reaches, what each frees, and the text put together.
#include "core/codegen/python_code.h"

#include "core/base/text.h"
#include "core/codegen/signature_code.h"

#include <algorithm>

namespace fx {

PythonCode::PythonCode(const Model& model, ModuleId module) : m_model(model), m_module(module) {
    const Graph& graph = model.graph(module);
    m_lines.resize(static_cast<size_t>(graph.nextId().value));
    std::vector<NodeId> all;
    for (const Node& node : graph) {
        all.push_back(node.id);
        line(node.id).lastUser = lastUserOf(node);
    }
    m_names.update(graph, all);
    refresh(all, all);
}

PythonCode::Line& PythonCode::line(NodeId node) {
    if (node.value >= static_cast<int32_t>(m_lines.size()))
        m_lines.resize(static_cast<size_t>(node.value) + 1);
    return m_lines[static_cast<size_t>(node.value)];
}

NodeId PythonCode::lastUserOf(const Node& node) const {
    const Graph& graph = m_model.graph(m_module);
    NodeId last;
    for (NodeId user : node.users)
        if (!last || graph.precedes(last, user))
            last = user;
    return last;
}

std::string PythonCode::releaseText(const Node& node) const {
    if (node.opcode == Opcode::Placeholder || node.opcode == Opcode::Output)
        return {};
    const Graph& graph = m_model.graph(m_module);
    std::string out;
    for (const InputUse& use : node.inputs)
        if (m_lines[static_cast<size_t>(use.node.value)].lastUser == node.id)
            out += m_names.local(graph.node(use.node)) + " = ";
    if (node.users.empty())
        out += m_names.local(node) + " = ";
    return out.empty() ? out : ";  " + out + "None";
}

void PythonCode::refresh(std::vector<NodeId> statements, std::vector<NodeId> releases) {
    const Graph& graph = m_model.graph(m_module);
    const CodeContext context{[&](NodeId id) { return m_names.local(graph.node(id)); },
                              [&](const GlobalName& name) { return m_names.global(name); }};
    const auto unique = [](std::vector<NodeId>& ids) {
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    };
    unique(statements);
    unique(releases);
    for (NodeId id : statements)
        if (graph.contains(id))
            line(id).statement = nodeStatement(graph.node(id), context, [&](const std::string& expression) {
                return returnCode(graph.signature(), expression);
            });
    for (NodeId id : releases)
        if (graph.contains(id))
            line(id).release = releaseText(graph.node(id));
    m_isComposed = false;
}

void PythonCode::update(const Changes& changes) {
    const Graph& graph = m_model.graph(m_module);
    std::vector<NodeId> touched, inputs, statements, releases;
    for (const Change& change : changes) {
        const auto* step = std::get_if<GraphChange>(&change.step);
        if (!step || change.module != m_module)
            continue;
        if (const NodeId node = changedNode(*step)) {
            touched.push_back(node);
            for (const InputUse& use : graph.node(node).inputs)
                inputs.push_back(use.node);
        } else if (graph.outputNode()) {
            statements.push_back(graph.outputNode());
        }
        if (const auto* arguments = std::get_if<ArgumentsChanged>(step))
            for (const auto* state : {&arguments->before, &arguments->after})
                for (const InputUse& use : state->inputs)
                    inputs.push_back(use.node);
    }
    if (touched.empty() && statements.empty())
        return;
    line(NodeId{graph.nextId().value - 1}); // room for every node that is read below

    // A node that is renamed or moved is written by its users too, and freed by the last of them.
    std::vector<NodeId> renamed = m_names.update(graph, touched);
    renamed.insert(renamed.end(), touched.begin(), touched.end());
    for (NodeId id : renamed) {
        statements.push_back(id);
        releases.push_back(id);
        inputs.push_back(id);
        for (NodeId user : graph.node(id).users)
            statements.push_back(user);
    }
    for (NodeId id : inputs) {
        Line& entry = line(id);
        releases.push_back(entry.lastUser);
        releases.push_back(id);
        entry.lastUser = lastUserOf(graph.node(id));
        releases.push_back(entry.lastUser);
    }
    refresh(std::move(statements), std::move(releases));
}

const std::string& PythonCode::text() const {
    if (!m_isComposed)
        compose();
    return m_text;
}

std::vector<std::string> PythonCode::imports() const {
    std::vector<std::string> lines;
    for (const Node& node : m_model.graph(m_module))
        for (const GlobalName& global : nodeGlobals(node).names) {
            const size_t dot = global.hint.rfind('.');
            if (global.isBuiltin || dot == std::string::npos)
                continue;
            const std::string owner = global.hint.substr(0, dot), name = m_names.global(global);
            std::string line = owner == "torch.Tensor" ? name + " = " + global.hint
                                                       : "from " + owner + " import " +
                                                             global.hint.substr(dot + 1) + " as " + name;
            if (std::find(lines.begin(), lines.end(), line) == lines.end())
                lines.push_back(std::move(line));
        }
    return lines;
}

NodeId PythonCode::nodeAtLine(int line) const {
    text();
    return line >= 0 && line < static_cast<int>(m_nodeAtLine.size()) ? m_nodeAtLine[static_cast<size_t>(line)]
                                                                     : NodeId();
}

int PythonCode::lineOf(NodeId node) const {
    text();
    const auto found = m_lineOf.find(node);
    return found == m_lineOf.end() ? -1 : found->second;
}

void PythonCode::compose() const {
    const Graph& graph = m_model.graph(m_module);
    const CodeContext context{[&](NodeId id) { return m_names.local(graph.node(id)); },
                              [&](const GlobalName& name) { return m_names.global(name); }};
    std::vector<std::string> parameters, wraps;
    std::string returnAnnotation;
    for (const Node& node : graph) {
        if (node.opcode == Opcode::Placeholder)
            parameters.push_back(parameterText(node, context));
        if (node.opcode == Opcode::Output && node.type)
            returnAnnotation = " -> " + typeExpression(*node.type, context);
        const bool* isWrapped = node.meta.find<bool>(meta::kIsWrapped);
        if (isWrapped && *isWrapped && node.opcode == Opcode::CallFunction && isCalledByName(node, context)) {
            std::string wrap =
                "torch.fx._symbolic_trace.wrap(\"" + functionExpression(node.target, context) + "\")";
            if (std::find(wraps.begin(), wraps.end(), wrap) == wraps.end())
                wraps.push_back(std::move(wrap));
        }
    }
    m_text = '\n' + join(wraps, "\n") + "\n\n" +
             definitionCode(graph.signature(), std::move(parameters), returnAnnotation) + '\n';
    m_nodeAtLine.assign(static_cast<size_t>(std::count(m_text.begin(), m_text.end(), '\n')), NodeId());
    m_lineOf.clear();
    const auto append = [&](const std::string& text, NodeId node) {
        m_text += "    " + text + '\n';
        m_lineOf[node] = static_cast<int>(m_nodeAtLine.size());
        m_nodeAtLine.push_back(node);
    };
    if (graph.size() == 0)
        append("pass", NodeId());
    for (const Node& node : graph) {
        const Line& entry = m_lines[static_cast<size_t>(node.id.value)];
        if (node.opcode != Opcode::Placeholder || !entry.statement.empty())
            append(entry.statement + entry.release, node.id);
    }
    m_text += "    ";
    m_isComposed = true;
}

} // namespace fx
