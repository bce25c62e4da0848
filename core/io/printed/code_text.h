// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs printed as Python (print_readable, GraphModule.code): each statement is one node. Nothing is
// evaluated. core/rewrite/code_reader.h reads code that belongs to a model which is there.
#pragma once

#include "core/io/printed/printed_graph.h"

#include <map>

namespace fx {

/// `text` holds one class or one function (PrintedFile::textOf, which gives `names`, too); `path` is what
/// errors call it. Throws an Error at "PATH:LINE:COLUMN".
PrintedGraph readPrintedCode(const std::string& text, const std::string& path,
                             const std::map<int, std::string>& names);

} // namespace fx
