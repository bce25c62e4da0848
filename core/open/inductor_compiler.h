// SPDX-License-Identifier: GPL-3.0-or-later
// AOTInductor of the PyTorch that `python3` imports: the one thing for which Python is started, where the
// user has asked for it.
#pragma once

#include "core/base/progress.h"
#include "core/interpret/graph_inputs.h"
#include "core/module/model.h"

#include <string>

namespace fx {

/// Compiles a graph of operators for inputs like these. Python gets the .pt2 that our writer writes, and runs
/// nothing of the model but what Inductor makes of it. Tells how long it has taken, with the last line of the
/// compiler; a cancelled one is ended with all that it has started. The package takes its place when it is
/// whole, with the compiler's log beside it (.log). Throws an Error with the log's last lines.
void compileWithInductor(const Model& model, const GraphInputs& inputs, const std::string& path,
                         Progress& progress);

} // namespace fx
