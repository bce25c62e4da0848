// SPDX-License-Identifier: GPL-3.0-or-later
// Saves a model as a TorchScript program, which torch.jit.load runs (core/io/script makes it).
#pragma once

#include "core/base/progress.h"
#include "core/io/opened_model.h"
#include "core/io/output_file.h"

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace fx {

/// Throws an Error for what is known, without trying, not to become a program.
void requireScriptable(const OpenedModel& model);
/// The same of a program without modes: also for a model in training mode.
void requireFreezable(const OpenedModel& model);
/// Writes a module as torch.jit.save does.
void writeModule(const torch::jit::Module& module, OutputFile& file);
/// Writes beside the target, loads what was written, compares its tensors, and its results where inputs are
/// to be had, with the model's, and moves it into place if they are the same. Gives what a reader of the file
/// should know.
std::vector<std::string> writeTorchScript(const OpenedModel& model, const std::string& path,
                                          Progress& progress);
/// The same as torch.jit.freeze leaves it: parameters and flags are constants of the code.
std::vector<std::string> writeFrozenTorchScript(const OpenedModel& model, const std::string& path,
                                                Progress& progress);

} // namespace fx
