// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a model as a Python package: `from DIR import Foo; Foo()(x)` computes what the graph computes.
// Nested graphs become classes, nested inputs and tied weights are kept, and nothing but torch is needed.
#pragma once

#include "core/module/model.h"

#include <string>
#include <vector>

namespace fx {

/// Writes __init__.py, module.py and state.pt into the folder, which is made if it is not there.
/// Gives notes for the user, such as libraries that must be loaded first.
std::vector<std::string> exportFolder(const Model& model, const std::string& folder,
                                      const std::string& className, const std::string& origin);

} // namespace fx
