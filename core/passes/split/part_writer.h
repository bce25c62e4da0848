// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a graph as a module with a graph of its own, and the graph that calls the parts. torch.fx has
// three ways to write them, which differ in names and in what goes in; each of its passes has its own.
#pragma once

#include "core/module/edit.h"
#include "core/passes/split/parts.h"

namespace fx {

namespace meta {
/// string: what a node called or read before a split gave that another path.
inline constexpr std::string_view kSplitFrom = "split_from";
/// string: of what a part gives, the node that gave it before.
inline constexpr std::string_view kGivenFor = "given_for";
} // namespace meta

struct PartForm {
    bool areInputsFirst = false;    ///< else each where it is first read
    bool keepsNodeNames = true;     ///< else those that new nodes get
    bool keepsInputNames = true;    ///< else arg_0, arg_1
    bool keepsPaths = true;         ///< "layer1.conv", else "layer1_conv"
    bool readsOwnAttributes = true; ///< tensors of the model are read in the part, else they are given to it
    bool returnsTuple = false;      ///< even of one value
};

/// torch.fx's split_module: all nodes are in parts, whose tensors are arguments.
struct SplitModuleForm {
    bool keepsOriginalOrder = false; ///< attributes come where they are needed, and not first
    bool keepsNodeNames = false, keepsInputNames = true, returnsTuple = false;
};
/// The edit's graph becomes calls of the parts in this order, which hold all of its calls. Throws an Error
/// where one would be called before what it reads. Borders are known, here and in splitByTags.
void splitModule(Edit& edit, const std::vector<Part>& parts, const std::vector<size_t>& order,
                 const SplitModuleForm& form);
/// torch.fx's split_by_tags: all nodes are in parts, which run in their order in the list.
void splitByTags(Edit& edit, const std::vector<Part>& parts, bool returnsTuple);
/// torch.fx's fuse_by_partitions: what is in no part stays in the graph.
void fusePartitions(Edit& edit, std::vector<Part>& parts);
/// One part, which reads its own weights; all else stays in the graph. Its outputs are those that others
/// read.
void extractPart(Edit& edit, const Part& part);

} // namespace fx
