// SPDX-License-Identifier: GPL-3.0-or-later
// Whether torch.load gives back the graphs that a pickled GraphModule was written from. It knows the code
// alone, which it runs and traces: what a name leads to there counts, not what it was meant to be.
#pragma once

#include "core/base/progress.h"
#include "core/io/opened_model.h"
#include "core/io/pickle/pickled_module.h"

#include <string>
#include <vector>

namespace fx {

/// Traces the code of the pickle as torch.load does, and throws an Error that names the first node which
/// would be another one. `written`: the model that was written.
void requireLoadable(const Model& written, const PickledModel& read);
/// writeGraphModule with that check.
std::vector<std::string> writeLoadableModule(const OpenedModel& model, const std::string& path,
                                             Progress& progress);

} // namespace fx
