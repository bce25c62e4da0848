// SPDX-License-Identifier: GPL-3.0-or-later
// Which inputs of a graph the names mean that a user gives with values.
#pragma once

#include "core/io/opened_model.h"

#include <string>
#include <vector>

namespace fx {

/// The inputs in the order of `names`; null for a name of none. A name is that of a node, or else of a
/// parameter: an input called `input` is the node input_1. Where two names would mean one input so, all of
/// them are taken as names of parameters. Throws an Error if two names mean one input all the same.
std::vector<const ModelInput*> inputsNamed(const Model& model, const std::vector<ModelInput>& inputs,
                                           const std::vector<std::string>& names);

} // namespace fx
