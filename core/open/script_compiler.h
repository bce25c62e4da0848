// SPDX-License-Identifier: GPL-3.0-or-later
// Compiles a graph to a TorchScript program, by LibTorch alone.
#pragma once

#include "core/base/progress.h"
#include "core/interpret/graph_inputs.h"
#include "core/module/model.h"

#include <string>
#include <string_view>

namespace fx {

/// The program takes the inputs of the graph one by one, as tensors, and lies at `path` then; as
/// torch.jit.freeze leaves it, where that is the form (core/interpret/compiled_program.h). Throws an Error
/// where the graph has no form in TorchScript.
void compileToScript(std::string_view form, const Model& model, const GraphInputs& inputs,
                     const std::string& path, Progress& progress);

} // namespace fx
