// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes as formulas of the inputs' symbols, for any model: it runs on the device meta for several numbers
// (core/passes/symbolic/size_domain.h says which may be), and each size of each value gets the formula that
// gives what it was in all runs (core/torch/values/size_fitter.h).
#pragma once

#include "core/module/edit.h"
#include "core/passes/pass.h"
#include "core/passes/symbolic/size_domain.h"
#include "core/torch/values/size_fitter.h"

namespace fx {

class PassOptions;

struct SymbolicShapes {
    std::map<NodeKey, ValueMeta> values; ///< with a formula for what depends on symbols, and what it was once
    std::vector<std::string> symbols;    ///< of the inputs, that can be chosen
    std::vector<SizeConstraint> constraints;
    /// Of these, numbers differ in how many there are: they are as they were in one run.
    std::vector<NodeKey> varying;
    /// Numbers that depend on data, and the node that gives each first.
    std::vector<std::pair<std::string, NodeKey>> fresh;
};

SymbolicShapes findSymbolicShapes(const Model& model, const SymbolicInputs& inputs, const GraphInputs& others,
                                  const std::map<std::string, KnownRange>& ranges, Progress& progress);

std::vector<PassOption> symbolicOptions();
/// As a pass: into the metadata where shapes are, and what was found out as lines.
void runSymbolicShapes(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
