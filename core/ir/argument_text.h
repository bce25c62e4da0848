// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments as Python writes them. Generated code has a few rules more; they are in core/codegen.
#pragma once

#include "core/ir/argument.h"

#include <functional>
#include <string>

namespace fx {

/// The name under which a node is written.
using NodeNames = std::function<std::string(NodeId)>;

/// Python's repr(): strings quoted, nodes by name.
std::string reprText(const Argument& argument, const NodeNames& names);
/// Python's str(): as repr(), but a string at the top is bare.
std::string strText(const Argument& argument, const NodeNames& names);
/// As torch.fx lists arguments in graph text: nodes as "%name", strings bare at every depth of lists.
std::string formatText(const Argument& argument, const NodeNames& names);
std::string formatText(const Arguments& args, const NodeNames& names);
std::string formatText(const Keywords& kwargs, const NodeNames& names);

// The same, appended to a longer text.

/// Appends the name under which a node is written.
using AppendName = std::function<void(std::string& out, NodeId)>;

void appendRepr(std::string& out, const Argument& argument, const AppendName& name);
void appendStr(std::string& out, const Argument& argument, const AppendName& name);
void appendFormat(std::string& out, const Argument& argument, const AppendName& name);
void appendFormat(std::string& out, const Arguments& args, const AppendName& name);
void appendFormat(std::string& out, const Keywords& kwargs, const AppendName& name);

/// Appends what `write` appends for each item, with ", " between them.
template <class Items, class Write>
void appendList(std::string& out, const Items& items, const Write& write) {
    bool isFirst = true;
    for (const auto& item : items) {
        if (!isFirst)
            out += ", ";
        isFirst = false;
        write(item);
    }
}

} // namespace fx
