// SPDX-License-Identifier: GPL-3.0-or-later
// What a convolution or a linear layer reads, however it is written, where its weight may be worked out.
#pragma once

#include "core/module/model.h"

#include <optional>

namespace fx {

struct LayerOperands {
    NodeId input, weight; ///< the weight as it was before it is turned for a product
    NodeId turn;          ///< of a product: what turns its weight
    Argument bias;
    bool isConvolution = false;
    bool isByRows = false; ///< x @ weight
};

/// Of a call of torch's functions.
std::optional<LayerOperands> operandsOfLayer(const Graph& graph, const Node& node);

} // namespace fx
