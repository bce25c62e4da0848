// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/layer_operands.h"

#include "core/passes/clean/call_names.h"
#include "core/passes/fuse/layers.h"
#include "core/torch/bind/parameters.h"

namespace fx {

std::optional<LayerOperands> operandsOfLayer(const Graph& graph, const Node& node) {
    const std::string_view name = functionOfTorch(node);
    const bool isProduct = name == "mm" || name == "addmm";
    LayerOperands out;
    out.isConvolution = name == "conv1d" || name == "conv2d" || name == "conv3d" || name == "convolution";
    if (!out.isConvolution && name != "linear" && !isProduct)
        return std::nullopt;
    if (isProduct && (!node.kwargs.empty() || node.args.size() != (name == "mm" ? 2 : 3)))
        return std::nullopt;
    out.input = nodeOf(isProduct ? &node.args[node.args.size() - 2] : givenArgument(node, "input"));
    out.weight = nodeOf(isProduct ? &node.args.back() : givenArgument(node, "weight"));
    if (!out.input || !out.weight)
        return std::nullopt;
    if (isProduct && turnsMatrix(graph.node(out.weight))) {
        out.turn = out.weight;
        out.weight = nodeOf(&graph.node(out.turn).args.at(0));
    }
    out.isByRows = isProduct && !out.turn;
    const Argument* bias = name == "addmm" ? &node.args[0]
                           : isProduct     ? nullptr
                                           : givenArgument(node, "bias");
    out.bias = bias ? *bias : Argument();
    return out;
}

} // namespace fx
