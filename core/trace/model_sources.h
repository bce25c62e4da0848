// SPDX-License-Identifier: GPL-3.0-or-later
// The user's source of a traced model, kept with it where the graph calls what only that source defines.
#pragma once

#include "core/module/model.h"

namespace fx {

class Evaluator;

/// The files that the evaluator has run, if some call of the model's graphs needs them.
std::vector<SourceText> neededSources(const Evaluator& evaluator, const Model& model);
/// Gives the model the files that the evaluator has run, if some call of its graphs needs them.
void keepSources(const Evaluator& evaluator, Model& model);

} // namespace fx
