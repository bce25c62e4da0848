// SPDX-License-Identifier: GPL-3.0-or-later
// The Python of a graph: byte for byte what torch.fx's GraphModule.code holds, kept in step with the graph.
// After an edit only the statements that the edit reaches are written anew.
#pragma once

#include "core/codegen/code_names.h"
#include "core/module/model.h"

#include <string>
#include <vector>

namespace fx {

class PythonCode {
public:
    PythonCode(const Model& model, ModuleId module);

    /// Follows an edit that has just been done, undone or redone. Steps of other modules are ignored.
    void update(const Changes& changes);

    /// GraphModule.code.
    const std::string& text() const;
    /// What the placeholders are as parameters, in their order: "x : T = 1".
    std::vector<std::string> parameters() const;
    /// What text() names beside torch, in order of first use: by which name, and the node that does so first.
    struct Global {
        std::string name, local; ///< "math.trunc" or "len"; "math_trunc"
        NodeId node;
        bool isAnnotation = false; ///< nothing but annotations name it
    };
    std::vector<Global> globals() const;
    /// The node that line `line` (from 0) of text() computes; no node for the others.
    NodeId nodeAtLine(int line) const;
    /// The line of a node; -1 if it has none, as most placeholders.
    int lineOf(NodeId node) const;

private:
    struct Line {
        std::string text; ///< the statement, and what it frees: ";  x = None"
        NodeId lastUser;  ///< the last node that reads this one
    };

    Line& line(NodeId node);
    CodeContext context() const;
    void writeLine(const Node& node, const CodeContext& context);
    void appendRelease(std::string& out, const Node& node) const;
    NodeId lastUserOf(const Node& node) const;
    void compose() const;

    const Model& m_model;
    ModuleId m_module;
    CodeNames m_names;
    std::vector<Line> m_lines; ///< by node
    mutable bool m_isComposed = false;
    mutable std::string m_text;
    mutable std::vector<NodeId> m_nodeAtLine;
    mutable std::vector<int> m_lineOf; ///< by node; -1: none
};

} // namespace fx
