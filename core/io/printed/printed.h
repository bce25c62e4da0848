// SPDX-License-Identifier: GPL-3.0-or-later
// Models of graphs that PyTorch has printed: print_readable, GraphModule.code, str(graph), and the logs of
// torch.compile. Names, order and arguments are those of the text. The text has no weights and no code of
// the modules that it calls: both are there by name, weights with their shapes where those are printed, and
// whoever needs a value is told so.
#pragma once

#include "core/base/progress.h"
#include "core/io/opened_model.h"

#include <string>
#include <string_view>

namespace fx {

/// Whether a text holds a printed graph. `isSource`: it is a Python file, which is one only if nothing of it
/// was written by hand.
bool holdsPrintedGraph(std::string_view text, bool isSource);

/// How many graphs the file has, and how one of them is opened; empty where there are not several.
std::string printedGraphsNote(std::string_view text, const std::string& path);

/// `choice`: the number of the graph in the file, from 1, or its name; empty: the first. Throws an Error at
/// "PATH:LINE" where the text is wrong.
OpenedModel readPrintedGraph(std::string_view text, const std::string& path, const std::string& choice,
                             Progress& progress);

} // namespace fx
