// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of a call by the parameters that they are for, those that it leaves out among them: for
// whoever shows them, gives it another node to read, or has it call something else. What there is to call,
// and what it takes, says callables.h.
#pragma once

#include "core/module/edit.h"
#include "core/rewrite/callables.h"

#include <optional>
#include <string>
#include <vector>

namespace fx {

struct ArgumentPlace {
    CallParameter parameter;       ///< with a number for a name where it is not known
    int index = -1;                ///< among the positional arguments; -1: it goes by name
    std::optional<Argument> value; ///< none: it is left out
};

/// The overload that takes the arguments of the call, or null.
const CallForm* formTaking(const std::vector<CallForm>& forms, const Node& call);
/// The overloads of what a node of the module's graph calls; empty where they are not known.
std::vector<CallForm> formsOfCall(const Model& model, ModuleId module, const Node& call);
/// What is given, in its order, and then what is left out. Nothing for an input or a weight.
std::vector<ArgumentPlace> argumentPlaces(const Model& model, ModuleId module, const Node& node);

/// Those at which another node can be read, as far as types are known.
std::vector<ArgumentPlace> placesForNode(const std::vector<ArgumentPlace>& places);
/// What stands at a place now, for people: "other, now relu", "bias, none yet", "tensors, one more".
std::string placeText(const ArgumentPlace& place, const Graph& graph);
/// Lets a node read another one there; where a list is, it is one more of it.
///   before  b = add(a, 1)     other       after  b = add(a, n)
///   before  c = cat([a, b])   tensors     after  c = cat([a, b, n])
void readAt(Edit& edit, NodeId node, const ArgumentPlace& place, NodeId producer);

/// Lets a node call something else with the same arguments: each goes to the parameter of its name, nodes of
/// which there is none to the next that takes one. Where names are not known, they stay as they are. Throws
/// an Error that names the argument that has no place.
///   before  b = torch.add(a, c, alpha=2)    after  b = torch.sub(a, c, alpha=2)
void callInstead(Edit& edit, NodeId node, const Target& target);

} // namespace fx
