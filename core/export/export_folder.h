// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a model as a Python package: `from DIR import Foo; Foo()(x)` computes what the graph computes.
// Nested graphs become classes, modules are made by their constructors, the user's own functions and classes
// come along, and nothing but torch is needed.
#pragma once

#include "core/module/model.h"

#include <string>
#include <vector>

namespace fx {

struct ExportedFolder {
    std::vector<std::string> files; ///< relative to the folder
    std::vector<std::string> notes; ///< for the user, such as libraries that must be loaded first
};

/// Writes __init__.py, module.py, state.pt and the sources that are needed into the folder, which is made if
/// it is not there. Throws an Error, before anything is written, where the folder would not compute the same.
ExportedFolder exportFolder(const Model& model, const std::string& folder, const std::string& className,
                            const std::string& origin);

} // namespace fx
