// SPDX-License-Identifier: GPL-3.0-or-later
// Where in the tree of modules a statement is about, and the statements that put something there.
#pragma once

#include "core/module/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx {

using Lines = std::vector<std::string>;

/// A module of the tree: the Python expression that leads to it, and its path from the root.
struct TreePlace {
    std::string object, path;
    TreePlace below(const std::string& name) const;
};

/// "path.name"; the name alone at the root.
std::string joinedPath(const std::string& path, const std::string& name);
/// "object.name = value", for a name of any letters.
std::string assignment(const std::string& object, const std::string& name, const std::string& value);
/// The same for a child: add_module where the name is no identifier.
std::string childAssignment(const Model& model, const TreePlace& owner, const NamedModule& child,
                            const std::string& value);
/// "del object.name".
std::string deletion(const std::string& object, const std::string& name);

/// What a layer over packed weights holds here, and a method of it takes in PyTorch (core/torch/library).
inline constexpr std::string_view kHeldWeight = "held_weight", kHeldBias = "held_bias";

} // namespace fx
