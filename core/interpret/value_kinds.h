// SPDX-License-Identifier: GPL-3.0-or-later
// What of a value its readers count on, for a value that a user puts in its place while a run stands still.
#pragma once

#include "core/python/value.h"

#include <string>

namespace fx {

/// Throws an Error where `fresh` is of another kind than `old`, which those who read the node called `name`
/// could not bear: a number for a tensor, a tuple with another length. Gives what else is different, for
/// people: "shape [2, 4] instead of [4, 8]"; empty if nothing is.
std::string compareKinds(const std::string& name, const Value& old, const Value& fresh);

} // namespace fx
