// SPDX-License-Identifier: GPL-3.0-or-later
// A captured graph as torch.export has it: each leaf of a list, tuple or dict is an input of its own, and
// inputs that were left at their defaults are none.
#pragma once

#include "core/module/model.h"
#include "core/python/value.h"

#include <string>
#include <vector>

namespace fx {

struct FlatInputs {
    Model model; ///< its signature says how the leaves form the arguments
    /// One entry for each input of the graph before: whether it is an input still.
    std::vector<bool> kept;
};

/// The model as it is where no input is nested and none was left out. Throws an Error that names the input
/// for one whose structure is not known.
FlatInputs withFlatInputs(const Model& model);

/// The leaves of values that were given for the inputs of the graph before.
Values flatExamples(const FlatInputs& inputs, const Values& given);

/// Whether the call only takes an item out of an input that withFlatInputs() takes apart.
bool takesInputApart(const Graph& graph, const Node& node);

} // namespace fx
