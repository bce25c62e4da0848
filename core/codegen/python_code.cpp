// SPDX-License-Identifier: GPL-3.0-or-later
// Which statements an edit reaches, what each frees, and the text put together.
#include "core/codegen/python_code.h"

#include "core/base/text.h"
#include "core/codegen/signature_code.h"
#include "core/codegen/written_names.h"

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
    const CodeContext context = this->context();
    for (const Node& node : graph)
        writeLine(node, context);
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

CodeContext PythonCode::context() const {
    const Graph& graph = m_model.graph(m_module);
    return {[&](std::string& out, NodeId id) { out += m_names.local(graph.node(id)); },
            [&](const GlobalName& name) { return m_names.global(name); }};
}

void PythonCode::appendRelease(std::string& out, const Node& node) const {
    if (node.opcode == Opcode::Placeholder || node.opcode == Opcode::Output)
        return;
    const Graph& graph = m_model.graph(m_module);
    const size_t start = out.size();
    const auto free = [&](const Node& value) {
        out += out.size() == start ? ";  " : "";
        out += m_names.local(value);
        out += " = ";
    };
    for (const InputUse& use : node.inputs)
        if (m_lines[static_cast<size_t>(use.node.value)].lastUser == node.id)
            free(graph.node(use.node));
    if (node.users.empty())
        free(node);
    if (out.size() != start)
        out += "None";
}

void PythonCode::writeLine(const Node& node, const CodeContext& context) {
    std::string& text = line(node.id).text;
    text.clear();
    appendStatement(text, node, context, [&](const std::string& expression) {
        return returnCode(m_model.graph(m_module).signature(), expression);
    });
    appendRelease(text, node);
}

void PythonCode::update(const Changes& changes) {
    const Graph& graph = m_model.graph(m_module);
    std::vector<NodeId> touched, inputs, lines;
    for (const Change& change : changes) {
        const auto* step = std::get_if<GraphChange>(&change.step);
        if (!step || change.module != m_module)
            continue;
        if (const NodeId node = changedNode(*step)) {
            touched.push_back(node);
            for (const InputUse& use : graph.node(node).inputs)
                inputs.push_back(use.node);
        } else if (graph.outputNode()) {
            lines.push_back(graph.outputNode());
        }
        const std::vector<NodeId> around = inputsAround(*step);
        inputs.insert(inputs.end(), around.begin(), around.end());
    }
    if (touched.empty() && lines.empty())
        return;
    line(NodeId{graph.nextId().value - 1}); // room for every node that is read below

    // A node that is renamed or moved is written by its users too, and freed by the last of them.
    std::vector<NodeId> renamed = m_names.update(graph, touched);
    renamed.insert(renamed.end(), touched.begin(), touched.end());
    for (NodeId id : renamed) {
        lines.push_back(id);
        inputs.push_back(id);
        for (NodeId user : graph.node(id).users)
            lines.push_back(user);
    }
    for (NodeId id : inputs) {
        Line& entry = line(id);
        lines.push_back(entry.lastUser);
        lines.push_back(id);
        entry.lastUser = lastUserOf(graph.node(id));
        lines.push_back(entry.lastUser);
    }
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    const CodeContext context = this->context();
    for (NodeId id : lines)
        if (graph.contains(id))
            writeLine(graph.node(id), context);
    m_isComposed = false;
}

const std::string& PythonCode::text() const {
    if (!m_isComposed)
        compose();
    return m_text;
}

std::vector<std::string> PythonCode::parameters() const {
    const CodeContext context = this->context();
    std::vector<std::string> out;
    for (const Node& node : m_model.graph(m_module))
        if (node.opcode == Opcode::Placeholder)
            out.push_back(parameterText(node, context).text());
    return out;
}

std::vector<PythonCode::Global> PythonCode::globals() const {
    std::vector<Global> out;
    for (const Node& node : m_model.graph(m_module)) {
        const NodeGlobals used = nodeGlobals(node);
        for (size_t i = 0; i < used.names.size(); ++i) {
            const GlobalName& global = used.names[i];
            const bool isAnnotation = i < used.ofType;
            const auto known = std::ranges::find(out, global.name(), &Global::name);
            if (known != out.end())
                known->isAnnotation &= isAnnotation;
            else
                out.push_back({global.name(), m_names.global(global), node.id, isAnnotation});
        }
    }
    return out;
}

NodeId PythonCode::nodeAtLine(int line) const {
    text();
    return line >= 0 && line < static_cast<int>(m_nodeAtLine.size()) ? m_nodeAtLine[static_cast<size_t>(line)]
                                                                     : NodeId();
}

int PythonCode::lineOf(NodeId node) const {
    text();
    const auto index = static_cast<size_t>(node.value);
    return node && index < m_lineOf.size() ? m_lineOf[index] : -1;
}

void PythonCode::compose() const {
    const Graph& graph = m_model.graph(m_module);
    const CodeContext context = this->context();
    std::vector<ParameterText> parameters;
    std::vector<std::string> wraps;
    std::string returnAnnotation;
    for (const Node& node : graph) {
        if (node.opcode == Opcode::Placeholder)
            parameters.push_back(parameterText(node, context));
        if (node.opcode == Opcode::Output && node.type)
            returnAnnotation = " -> " + typeExpression(*node.type, context);
        const bool* isWrapped = node.meta.find<bool>(meta::kIsWrapped);
        if (isWrapped && *isWrapped && node.opcode == Opcode::CallFunction && isCalledByName(node, context)) {
            std::string wrap = "torch.fx._symbolic_trace.wrap(" +
                               doubleQuoted(functionExpression(node.target, context)) + ')';
            if (std::find(wraps.begin(), wraps.end(), wrap) == wraps.end())
                wraps.push_back(std::move(wrap));
        }
    }
    m_text = '\n' + join(wraps, "\n") + "\n\n" +
             definitionCode(graph.signature(), parameters, returnAnnotation) + '\n';
    m_nodeAtLine.assign(static_cast<size_t>(std::count(m_text.begin(), m_text.end(), '\n')), NodeId());
    m_lineOf.assign(m_lines.size(), -1);
    if (graph.size() == 0) {
        m_text += "    pass\n";
        m_nodeAtLine.push_back(NodeId());
    }
    for (const Node& node : graph) {
        const std::string& text = m_lines[static_cast<size_t>(node.id.value)].text;
        if (node.opcode == Opcode::Placeholder && text.empty())
            continue;
        m_text += "    ";
        m_text += text;
        m_text += '\n';
        m_lineOf[static_cast<size_t>(node.id.value)] = static_cast<int>(m_nodeAtLine.size());
        m_nodeAtLine.push_back(node.id);
    }
    m_text += "    ";
    m_isComposed = true;
}

} // namespace fx
