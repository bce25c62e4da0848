// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/small_weight.h"

#include "core/passes/clean/recorded.h"
#include "core/passes/lower/integer_values.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

constexpr int64_t kInt4Groups[] = {32, 64, 128, 256};
constexpr int64_t kInt4Channels = 16;

/// dequantize_per_channel_group(numbers, scales, zeros, -8, 7, int8, group size, dtype)
std::optional<SmallWeight> int4At(const Model& model, ModuleId module, const Node& node) {
    if (node.target.name() != "torch.ops.quantized_decomposed.dequantize_per_channel_group.default" ||
        node.args.size() != 8 || !(node.args[3] == Argument(-8)) || !(node.args[4] == Argument(7)))
        return std::nullopt;
    const NodeId numbers = node.args[0].node(), scale = node.args[1].node();
    const TensorSlot* zero = tensorRead(model, module, node.args[2].node());
    const auto* size = node.args[6].as<int64_t>();
    if (!tensorRead(model, module, numbers) || !tensorRead(model, module, scale) || !zero || !size ||
        zero->value().count_nonzero().item<int64_t>() != 0)
        return std::nullopt;
    return SmallWeight{WeightForm::Int4, node.id, numbers, scale, *size};
}

/// numbers.to(float32)
std::optional<SmallWeight> float16At(const Model& model, ModuleId module, const Node& node) {
    const bool isMethod = node.opcode == Opcode::CallMethod && node.target.name() == "to";
    if ((!isMethod && node.target.name() != "torch.ops.aten.to.dtype") || node.args.size() != 2 ||
        !(node.args[1] == Argument(c10::kFloat)))
        return std::nullopt;
    const TensorSlot* numbers = tensorRead(model, module, node.args[0].node());
    if (!numbers || numbers->meta().dtype != c10::kHalf)
        return std::nullopt;
    return SmallWeight{WeightForm::Float16, node.id, node.args[0].node(), NodeId()};
}

/// Why no kernel reads the weight; empty: one does.
std::string weightObstacle(const SmallWeight& weight, const std::vector<Dimension>& sizes) {
    if (sizes.size() != 2)
        return "as their weights are no matrices";
    if (weight.form == WeightForm::Int8 && !weight.isByChannel)
        return "as the kernel wants a scale for each channel";
    if (weight.form != WeightForm::Int4)
        return {};
    if (std::ranges::find(kInt4Groups, weight.groupSize) == std::end(kInt4Groups))
        return "as the kernel takes int4 in groups of 32, 64, 128 or 256";
    return std::get<int64_t>(sizes[0]) % kInt4Channels ? "as the kernel takes int4 by 16 channels" : "";
}

} // namespace

std::optional<SmallWeight> smallWeightAt(const Model& model, ModuleId module, NodeId id) {
    if (!id)
        return std::nullopt;
    if (const auto integers = integerWeightAt(model, module, id))
        return SmallWeight{WeightForm::Int8,       id, integers->integers,
                           integers->scale.node(), 0,  integers->isByChannel};
    const Node& node = model.graph(module).node(id);
    const auto int4 = int4At(model, module, node);
    return int4 ? int4 : float16At(model, module, node);
}

bool SmallWeightLayer::isLike(const SmallWeightLayer& other) const {
    return weight.form == other.weight.form && weight.groupSize == other.weight.groupSize &&
           dtype == other.dtype && inputSizes == other.inputSizes && weightSizes == other.weightSizes &&
           isContiguous == other.isContiguous && operands.bias.isNone() == other.operands.bias.isNone() &&
           bool(operands.turn) == bool(other.operands.turn);
}

std::optional<SmallWeightLayer> SmallWeightLayers::at(NodeId id, std::string& why) const {
    const Graph& graph = m_model.graph(m_module);
    const auto operands = operandsOfLayer(graph, graph.node(id));
    const auto weight = smallWeightAt(m_model, m_module, operands ? operands->weight : NodeId());
    if (!weight || restorationAt(graph, operands->input)) // of integers there are other calls
        return std::nullopt;
    SmallWeightLayer layer{.node = id, .operands = *operands, .weight = *weight};
    layer.weightSizes = tensorRead(m_model, m_module, weight->numbers)->meta().shape;
    why = operands->isConvolution || operands->isByRows ? "as LibTorch has no kernel that reads such weights"
                                                        : weightObstacle(*weight, layer.weightSizes);
    if (why.empty() && m_effects.isWritten(weight->restored))
        why = "as something writes into their weights";
    if (why.empty())
        why = takeInput(layer);
    return why.empty() ? std::optional(std::move(layer)) : std::nullopt;
}

std::string SmallWeightLayers::takeInput(SmallWeightLayer& layer) const {
    const TensorMeta* input = recordedTensor(m_model.graph(m_module).node(layer.operands.input));
    if (!input)
        return "as their shapes are not known";
    if (input->shape.size() < 2)
        return "as they take a vector";
    if (!input->device.is_cpu())
        return "as they are not on the processor";
    layer.dtype = input->dtype;
    int64_t step = 1;
    for (size_t i = input->shape.size(); i-- > 0;) {
        const auto* size = std::get_if<int64_t>(&input->shape[i]);
        if (!size)
            return "as their shapes are not known";
        layer.isContiguous &= *size == 1 || input->stride[i] == Dimension(step);
        step *= *size;
        layer.inputSizes.insert(layer.inputSizes.begin(), *size);
    }
    return {};
}

} // namespace fx
