// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/integer_layer.h"

#include "core/passes/clean/call_names.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/lower/activations.h"
#include "core/passes/lower/layer_operands.h"
#include "core/passes/lower/onednn_call.h"
#include "core/passes/lower/reduced_ranges.h"
#include "core/torch/bind/parameters.h"

#include <algorithm>

namespace fx {

namespace {

bool callsOperator(const Node& node, std::string_view head) {
    return node.opcode == Opcode::CallFunction && node.target.name().starts_with(head);
}

/// Whether the integers lie with their channels last, as oneDNN's convolutions give them and add to them.
bool isChannelsLast(const Graph& graph, NodeId integers) {
    const Node& node = graph.node(integers);
    return callsOperator(node, "torch.ops.onednn.qconv") ||
           (callsOperator(node, "torch.ops.quantized.max_pool2d.") &&
            isChannelsLast(graph, node.args[0].node()));
}

} // namespace

std::optional<IntegerLayer> IntegerLayers::at(NodeId id, std::string& why) const {
    const Node& node = graph().node(id);
    IntegerLayer layer{.node = id};
    if (!takeOperands(node, layer))
        return std::nullopt;
    why = obstacle(node, layer);
    if (!why.empty())
        return std::nullopt;
    IntegerLayer withSum = layer;
    if (takeSum(withSum)) {
        takeResult(withSum);
        if (withSum.result) // it lies where the other operand's integers did
            return withSum;
    }
    takeResult(layer);
    layer.rounded = roundedValue(layer);
    layer.roundsItself = roundsItself(layer);
    return layer;
}

NodeId IntegerLayers::roundedValue(const IntegerLayer& layer) const {
    const auto rounding = quantizationAt(graph(), layer.input.input);
    const TensorMeta* value = rounding ? recordedTensor(graph().node(rounding->input)) : nullptr;
    const bool mayBeRead = value && value->dtype == at::kFloat && rounding->isLike(layer.input) &&
                           !m_effects.isWritten(rounding->input);
    return mayBeRead ? rounding->input : NodeId();
}

bool IntegerLayers::roundsItself(const IntegerLayer& layer) const {
    const TensorMeta* input = recordedTensor(graph().node(layer.input.node));
    return !layer.isConvolution && layer.weight.isByChannel && (layer.input.isConstant() || layer.rounded) &&
           input && input->shape.size() >= 2;
}

bool IntegerLayers::isThere(NodeId integers, NodeId at) const {
    const auto found = m_overwritten.find(integers);
    return found == m_overwritten.end() || graph().precedes(at, found->second);
}

bool IntegerLayers::takeOperands(const Node& node, IntegerLayer& layer) const {
    const auto operands = operandsOfLayer(graph(), node);
    const auto restored = restorationAt(graph(), operands ? operands->input : NodeId());
    const auto integers = integerWeightAt(m_model, m_module, operands ? operands->weight : NodeId());
    if (!restored || !integers || integers->dtype != at::kFloat)
        return false;
    layer.input = *restored;
    layer.weight = *integers;
    layer.turn = operands->turn;
    layer.bias = operands->bias;
    layer.isConvolution = operands->isConvolution;
    return true;
}

std::string IntegerLayers::obstacle(const Node& node, IntegerLayer& layer) const {
    if (!layer.input.isByte())
        return "as their input is no uint8 from 0 on";
    if (isTooWide(layer.input))
        return "as this processor cuts off sums over all 8 bits of their input";
    if (m_effects.isWritten(layer.input.node) || m_effects.isWritten(layer.weight.restored))
        return "as something writes into what they are given";
    if (!isThere(layer.input.input, node.id))
        return "as their input is written over before";
    if (!layer.isConvolution) {
        const bool isLinear = functionOfTorch(node) == "linear" || layer.turn;
        return isLinear ? "" : "as oneDNN wants the other way round what they multiply by";
    }
    if (!layer.input.isConstant())
        return "as oneDNN lays out their weight for one scale of the input";
    const Argument* isTransposed = givenArgument(node, "transposed");
    if (isTransposed && !(*isTransposed == Argument(false)))
        return "as they are transposed";
    const size_t dimensions = tensorRead(m_model, m_module, layer.weight.integers)->meta().shape.size() - 2;
    const TensorMeta* input = recordedTensor(graph().node(layer.input.node));
    if (input && input->shape.size() != dimensions + 2)
        return "as their input has no dimension for a batch";
    const auto settings = settingsOf([&](const char* key) { return givenArgument(node, key); }, dimensions);
    const Argument* groups = givenArgument(node, "groups");
    if (!settings || (groups && !groups->as<int64_t>()))
        return "as what they pad is worked out";
    layer.settings = *settings;
    layer.groups = groups ? *groups->as<int64_t>() : 1;
    return {};
}

/// layer + other, perhaps with a rounding of the layer's result before it, which a sum in the call leaves
/// out.
bool IntegerLayers::takeSum(IntegerLayer& layer) const {
    NodeId operand = layer.node, reader = onlyReader(operand);
    if (!layer.isConvolution || layer.settings.stride.size() != 2)
        return false;
    layer.dropped = roundingAfter(layer.node);
    if (!layer.dropped.empty()) {
        operand = layer.dropped.back();
        reader = onlyReader(operand);
    }
    const auto operands = reader ? operandsOfSum(graph().node(reader)) : std::nullopt;
    if (!operands || operands->first == operands->second)
        return false;
    layer.sum = reader;
    layer.accumulated =
        restorationAt(graph(), operands->first == operand ? operands->second : operands->first);
    if (!layer.accumulated)
        return false;
    const TensorMeta* mine = recordedTensor(graph().node(layer.node));
    const TensorMeta* other = recordedTensor(graph().node(layer.accumulated->node));
    // oneDNN reads the input while it writes the result.
    return mine && other && mine->shape == other->shape && layer.accumulated->input != layer.input.input &&
           onlyReader(layer.accumulated->node) == layer.sum && isThere(layer.input.input, layer.sum) &&
           isOverwritable(*layer.accumulated, layer.sum);
}

/// Whether nobody reads the integers later, or by another name.
bool IntegerLayers::isOverwritable(const TensorQuantization& value, NodeId sum) const {
    if (!value.isConstant() || !value.isByte() || !isChannelsLast(graph(), value.input) ||
        m_overwritten.contains(value.input))
        return false;
    return std::ranges::all_of(graph().node(value.input).users, [&](NodeId user) {
        return graph().precedes(user, sum) &&
               (restorationAt(graph(), user) || callsOperator(graph().node(user), "torch.ops.onednn.q") ||
                callsOperator(graph().node(user), "torch.ops.quantized."));
    });
}

/// A relu, or of a linear layer a gelu, before which nothing is rounded then.
void IntegerLayers::takeActivation(IntegerLayer& layer) const {
    const bool isLinear = !layer.isConvolution;
    const std::vector<NodeId> rounding = isLinear ? roundingAfter(layer.node) : std::vector<NodeId>();
    const NodeId reader = onlyReader(rounding.empty() ? layer.last() : rounding.back());
    const auto found = reader ? activationAt(m_model, m_module, graph().node(reader)) : std::nullopt;
    if (!found || (found->word != "relu" && !(isLinear && found->word == "gelu")))
        return;
    layer.activation = reader;
    layer.unary = found->word;
    layer.algorithm = found->algorithm;
    if (isLinear)
        layer.dropped = rounding;
}

void IntegerLayers::takeResult(IntegerLayer& layer) const {
    takeActivation(layer);
    const auto result = quantizationAt(graph(), onlyReader(layer.last()));
    if (result && result->isConstant() && result->isByte())
        layer.result = result;
}

NodeId IntegerLayers::onlyReader(NodeId node) const {
    const UserList& users = graph().node(node).users;
    return users.size() == 1 ? *users.begin() : NodeId();
}

/// The calls that round a value and restore it, where nobody else reads what lies between.
std::vector<NodeId> IntegerLayers::roundingAfter(NodeId node) const {
    const NodeId integers = onlyReader(node);
    const NodeId restored = quantizationAt(graph(), integers) ? onlyReader(integers) : NodeId();
    return restorationAt(graph(), restored) ? std::vector<NodeId>{integers, restored} : std::vector<NodeId>();
}

} // namespace fx
