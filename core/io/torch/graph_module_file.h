// SPDX-License-Identifier: GPL-3.0-or-later
// Saves a model as torch.save saves a GraphModule: its modules by class and __dict__, of each graph the code,
// which torch.load traces again. What the file names is torch's own, or defined by the model's sources.
#pragma once

#include "core/base/progress.h"
#include "core/io/opened_model.h"
#include "core/io/pickle/pickled_module.h"

#include <functional>
#include <string>
#include <vector>

namespace fx {

/// Throws an Error that names the node or module for what cannot be saved so, as far as it is known before
/// writing.
void requirePicklable(const OpenedModel& model);
/// Throws an Error where the pickle does not lead to the graphs of the model by the rules of torch.load.
using LoadCheck = std::function<void(const Model& written, const PickledModel& read)>;
/// Writes beside the target, reads what was written, and moves it into place if that is the same. Gives what
/// a reader should know.
std::vector<std::string> writeGraphModule(const OpenedModel& model, const std::string& path,
                                          Progress& progress, const LoadCheck& requireLoadable);

} // namespace fx
