// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/integer_values.h"

#include "core/passes/clean/state_reads.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

constexpr std::string_view kQuantizedOperators = "torch.ops.quantized_decomposed.";

/// "quantize_per_tensor" of either overload; empty for what is none of these operators.
std::string_view quantizedOperatorOf(const Node& node) {
    const std::string_view name = node.target.name();
    if (node.opcode != Opcode::CallFunction || !name.starts_with(kQuantizedOperators))
        return {};
    return name.substr(kQuantizedOperators.size(), name.rfind('.') - kQuantizedOperators.size());
}

std::optional<TensorQuantization> callAt(const Graph& graph, NodeId id, std::string_view name) {
    if (!id || quantizedOperatorOf(graph.node(id)) != name || !graph.node(id).kwargs.empty())
        return std::nullopt;
    const Arguments& args = graph.node(id).args;
    if (args.size() != 6 || !args[0].node())
        return std::nullopt;
    return TensorQuantization{id, args[0].node(), args[1], args[2], args[3], args[4], args[5]};
}

} // namespace

bool TensorQuantization::isByte() const {
    return dtype == Argument(at::kByte) && least == Argument(0);
}

bool TensorQuantization::isLike(const TensorQuantization& other) const {
    return scale == other.scale && zeroPoint == other.zeroPoint && least == other.least &&
           most == other.most && dtype == other.dtype;
}

std::optional<TensorQuantization> quantizationAt(const Graph& graph, NodeId id) {
    return callAt(graph, id, "quantize_per_tensor");
}

std::optional<TensorQuantization> restorationAt(const Graph& graph, NodeId id) {
    return callAt(graph, id, "dequantize_per_tensor");
}

std::optional<IntegerWeight> integerWeightAt(const Model& model, ModuleId module, NodeId id) {
    if (!id)
        return std::nullopt;
    const Graph& graph = model.graph(module);
    const Node& node = graph.node(id);
    const std::string_view name = quantizedOperatorOf(node);
    const bool isByChannel = name == "dequantize_per_channel";
    if ((!isByChannel && name != "dequantize_per_tensor") || node.args.size() != (isByChannel ? 7 : 6) ||
        !(node.args.back() == Argument(at::kChar)) || (isByChannel && !(node.args[3] == Argument(0))))
        return std::nullopt;
    for (size_t i = 0; i < 3; ++i)
        if (!node.args[i].node())
            return std::nullopt;
    const TensorSlot* integers = tensorRead(model, module, node.args[0].node());
    const TensorSlot* scale = tensorRead(model, module, node.args[1].node());
    const TensorSlot* zero = tensorRead(model, module, node.args[2].node());
    // oneDNN knows no zero point of a weight, and wants scales in float32.
    if (!integers || !scale || scale->meta().dtype != at::kFloat || !zero ||
        !zero->value().eq(0).all().item<bool>())
        return std::nullopt;
    const Argument* dtype = node.keyword("out_dtype");
    return IntegerWeight{id,
                         node.args[0].node(),
                         node.args[1],
                         node.args[2],
                         dtype && dtype->as<at::ScalarType>() ? *dtype->as<at::ScalarType>() : at::kFloat,
                         isByChannel};
}

} // namespace fx
