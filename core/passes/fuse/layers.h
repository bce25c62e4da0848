// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions, linear layers and batch normalisations as one form, whether a graph calls modules, functions
// of torch over weights that it reads, or operators of aten. fuse_pass.h makes one of two of them.
#pragma once

#include "core/passes/clean/state_reads.h"

namespace fx {

struct Layer {
    /// How the output's channels lie in the weight.
    enum class Kind {
        Conv,         ///< the first dimension
        Transposed,   ///< the second, in `groups` parts
        Linear,       ///< the first
        LinearByRows, ///< the second: x @ weight
        Table         ///< of an embedding, the first: which of them are read is the input
    };
    Kind kind = Kind::Conv;
    NodeId node;
    ModuleId module;        ///< of a call_module
    std::string weightPath; ///< from the module of the graph; empty: the weight is worked out
    std::optional<std::string> biasPath;
    NodeId weightReader, biasReader; ///< the nodes that give them, where it calls no module
    NodeId weightUser;               ///< the node, or what transposes the weight for it
    bool isForeignBias = false;      ///< something that no get_attr reads
    int64_t groups = 1;
    int64_t dimensions = 0; ///< that the kernel moves over; 0: not known
};

struct Norm {
    NodeId node;
    NodeId input;
    NodeId result; ///< whose value is the normalised input: the node, or a getitem of it
    ModuleId module;
    std::string meanPath, variancePath;
    std::optional<std::string> weightPath, biasPath;
    std::vector<NodeId> readers; ///< get_attr nodes
    double epsilon = 1e-5;
    int64_t dimensions = 0;
    std::string obstacle; ///< why it cannot be folded; empty: it can
};

/// Whether a call gives its matrix with rows and columns exchanged.
bool turnsMatrix(const Node& node);

/// What computes the value of a node, where that is such a layer.
std::optional<Layer> layerAt(const Model& model, ModuleId module, NodeId node);
/// Likewise, where the weight may be worked out, too.
std::optional<Layer> layerOfAnyWeightAt(const Model& model, ModuleId module, NodeId node);
/// The same of an embedding that does not write into its weight.
std::optional<Layer> tableAt(const Model& model, ModuleId module, NodeId node);
std::optional<Norm> normAt(const Model& model, ModuleId module, NodeId node);

} // namespace fx
