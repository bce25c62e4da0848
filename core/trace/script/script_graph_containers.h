// SPDX-License-Identifier: GPL-3.0-or-later
// Lists and dicts of a TorchScript program that are values of the graph: inputs, results of calls, and those
// whose keys, indices or lengths depend on the inputs. A graph changes nothing: a container that the program
// changes becomes another value, for everybody who holds it.
#pragma once

#include "core/trace/script/script_state.h"

namespace fx {

/// Returns what an operator on a container gives where the container is a proxy, or where a proxy decides
/// what a live container holds; none for other operators. Throws Error where the change cannot be followed.
std::optional<Value> callOnGraphContainer(ScriptState& state, const torch::jit::Node& node,
                                          std::string_view name, const Values& args);

/// Returns a dict with proxies among its keys.
Value recordDict(ScriptState& state, const Values& keysAndValues);

/// Throws Error where the operator changes a container that is part of a value of the graph.
void refuseChangeOfFrozen(ScriptState& state, const torch::jit::Node& node, const Values& args);

} // namespace fx
