// SPDX-License-Identifier: GPL-3.0-or-later
// Which models a source makes, by what it says of itself.
#pragma once

#include "core/python/value.h"

#include <string>
#include <vector>

namespace fx {

class Evaluator;

/// As expressions. Of a file: the instances, classes and functions that it defines at its top level, in its
/// order. Of a package, and of its `models`, what opens as it is: `create_model("vit_tiny")` where it has
/// list_models() and create_model or get_model; else `resnet50()` of functions that make a model, then
/// `Net(NetConfig())` of classes, which are known by their text where a package reads its own files to offer
/// them.
std::vector<std::string> modelExpressions(Evaluator& evaluator, const Value& module);

/// The first few of them, and how many more there are: "A(), B() and 1,200 more".
std::string shortList(const std::vector<std::string>& expressions);

} // namespace fx
