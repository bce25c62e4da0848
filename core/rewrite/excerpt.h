// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes taken out of a graph as a model of their own, and put into a graph, the same or another one, with the
// modules and tensors that they name.
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

struct Excerpt {
    /// Its graph: an input for each value that the nodes read and are not, named like that, but what fetches
    /// an attribute as it is; the nodes; as output those that nobody among them reads.
    Model model;
    /// Of all before the nodes, the node that it is in the graph from which they were taken.
    NodeMap outside;
};

/// Inputs and the output of the graph are left out; throws where nothing is left.
Excerpt excerptOf(const Model& source, ModuleId graph, std::vector<NodeId> nodes);

/// A module that has a graph, with all that it holds, as a model of its own.
Model modelOf(const Model& source, ModuleId module);

struct PutIn {
    /// What is here already, by the excerpt's nodes: all of its inputs, and what else need not be copied.
    NodeMap inputs;
    NodeId after; ///< the new nodes go behind it and behind all inputs
    /// The graph is the one that the nodes come from: they name the same modules and tensors.
    bool isSameGraph = false;
};

/// Gives the new nodes. What is recorded of their values goes where they read other ones. They have names
/// that are free; what they name of the excerpt goes to free paths, and what is shared there is shared here.
///   excerpt  x -> b = conv1(x)     here  a    with x: a, conv1 taken     after  a -> b_1 = conv1_1(a)
std::vector<NodeId> putIn(Edit& edit, const Model& excerpt, const PutIn& how);

} // namespace fx
