// SPDX-License-Identifier: GPL-3.0-or-later
// What kind of work a call does, in the words in which people speak of a model.
#pragma once

#include "core/ir/graph.h"

#include <string_view>

namespace fx {

enum class CallFamily {
    InOut, ///< inputs and outputs of the graph
    Weight,
    Layer, ///< convolution, linear, matrix product, recurrent
    Normalisation,
    Activation,
    Attention,
    Elementwise,
    Shape, ///< views, slices, joins
    Reduction,
    Embedding,
    Random,
    Collective,
    Constant, ///< tensors that are made from nothing but numbers: arange, full
    Other,
};

constexpr CallFamily kLastCallFamily = CallFamily::Other;

/// "elementwise arithmetic".
std::string_view familyName(CallFamily family);
/// `className`: of the module that the node calls, without its modules: "Conv2d"; empty for other nodes.
CallFamily familyOf(const Node& node, std::string_view className = {});
/// Whether the values of the tensors that it reads do not matter: ones_like, new_zeros, size, shape.
bool readsSizesAlone(const Node& node);

} // namespace fx
