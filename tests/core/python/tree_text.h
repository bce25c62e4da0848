// SPDX-License-Identifier: GPL-3.0-or-later
// A tree of Python source as one line of text, in the form that tree_text.py gives Python's own trees.
#pragma once

#include "core/python/tree.h"

namespace fx {

/// "(= x (binary + a 1))"; the statements of the body one after another.
std::string treeText(const FunctionTree& tree);
std::string treeText(const Expression& expression);
/// "f(a:local b:cell x:free){...}": the names that each scope holds, sorted. Throws where a Name of the tree
/// points at a slot of another name.
std::string scopeText(const FunctionTree& tree);

} // namespace fx
