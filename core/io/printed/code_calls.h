// SPDX-License-Identifier: GPL-3.0-or-later
// The right side of a statement of a printed graph as the node that it is, and what stands in it as
// arguments. code_text.h goes through the statements.
#pragma once

#include "core/io/printed/printed_graph.h"
#include "core/python/tree.h"
#include "core/rewrite/argument_reader.h"

#include <string>
#include <unordered_map>

namespace fx {

class CallReader {
public:
    explicit CallReader(const SourceFile& file);
    CallReader(const CallReader&) = delete;
    CallReader& operator=(const CallReader&) = delete;

    /// What a name in the text stands for from here on: the index of a node.
    void define(const std::string& name, NodeId index) { m_variables[name] = index; }
    void forgetNames() { m_variables.clear(); }
    /// No node for a name that is not defined.
    NodeId indexOf(const std::string& name) const;

    /// Opcode, target and arguments. Throws for what is no call.
    PrintedNode call(const Expression& e) const;
    Argument read(const Expression& e) const { return m_reader.read(e); }

    std::string textOf(const Expression& e) const;
    [[noreturn]] void fail(uint32_t at, const std::string& message) const;

private:
    std::optional<std::string> modulePath(const Expression& e) const;
    void arguments(const Expression& call, PrintedNode& node) const;
    void callOf(const Expression& e, PrintedNode& node) const;
    PrintedNode unary(const Expression& e) const;
    bool isMethod(const Expression& callee) const;
    bool readsNode(const Expression& e) const;
    std::optional<Argument> complexOf(const Expression& e) const;
    std::optional<Argument> resolve(const Expression& e) const;
    Argument literal(const Expression& e) const;

    const SourceFile& m_file;
    std::unordered_map<std::string, NodeId> m_variables;
    ArgumentReader m_reader;
};

} // namespace fx
