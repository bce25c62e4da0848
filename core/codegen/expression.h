// SPDX-License-Identifier: GPL-3.0-or-later
// One node as a Python statement, and one argument as a Python expression, as torch.fx generates them.
// Which names stand for nodes and globals is decided in code_names.h; what is freed where in python_code.h.
#pragma once

#include "core/ir/argument_text.h"
#include "core/ir/graph.h"

#include <functional>
#include <string>
#include <vector>

namespace fx {

/// A name that generated code needs from outside: what it asks to be called, and whether that very thing is
/// what Python reserves the name for (the builtin `getattr` may be called getattr).
struct GlobalName {
    std::string hint;
    bool isBuiltin = false;
    std::string qualified = {}; ///< what it names, where that is not the hint: "net.Mode" for "Mode"

    const std::string& name() const { return qualified.empty() ? hint : qualified; }
};

/// The names in force while code is generated.
struct CodeContext {
    AppendName local;
    std::function<std::string(const GlobalName&)> global;
};

void appendExpression(std::string& out, const Argument& argument, const CodeContext& context);
std::string argumentExpression(const Argument& argument, const CodeContext& context);
/// A type annotation, from the text that Python's typing gives it.
std::string typeExpression(std::string_view type, const CodeContext& context);
/// "add = x + y": without what follows to free values. A placeholder gives "local = target" where they
/// differ, else nothing. The output gives what `returned` makes of its expression.
void appendStatement(std::string& out, const Node& node, const CodeContext& context,
                     const std::function<std::string(const std::string&)>& returned);
/// Whether a call_function is written as a call of its name, and not as an operator or an attribute.
bool isCalledByName(const Node& node, const CodeContext& context);
/// "x : T = default" of a placeholder.
struct ParameterText {
    std::string name, type, otherwise; ///< the last two may be empty
    std::string text() const;
};
ParameterText parameterText(const Node& node, const CodeContext& context);
/// The globals that a node's statement names, and how many of them Python meets before the node's own name.
struct NodeGlobals {
    std::vector<GlobalName> names;
    size_t beforeLocal = 0;
    size_t ofType = 0; ///< the first of them are the annotation's
};
NodeGlobals nodeGlobals(const Node& node);
/// How a function is written as a callee; asks for a global unless torch itself holds it.
std::string functionExpression(Target function, const CodeContext& context);

} // namespace fx
