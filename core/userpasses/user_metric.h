// SPDX-License-Identifier: GPL-3.0-or-later
// How good a model is, by a user's Python.
#pragma once

#include "core/module/model.h"

#include <string>

namespace fx {

/// What "FILE.py:NAME" gives for the model, a function of a GraphModule that gives a number. Evaluates the
/// file. Throws an Error for anything else.
double userMetric(const std::string& name, const Model& model);

} // namespace fx
