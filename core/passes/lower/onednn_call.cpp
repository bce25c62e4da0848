// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/onednn_call.h"

#include "core/passes/clean/call_names.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/lower/activations.h"
#include "core/passes/lower/small_weight.h"
#include "core/torch/bind/operators.h"
#include "core/torch/bind/parameters.h"

#include <algorithm>

namespace fx {

namespace {

std::optional<std::vector<int64_t>> plainSizes(const std::vector<Dimension>& shape) {
    std::vector<int64_t> out;
    for (const Dimension& dimension : shape)
        if (const auto* size = std::get_if<int64_t>(&dimension))
            out.push_back(*size);
        else if (const auto& hint = std::get<SymbolicInt>(dimension).hint)
            out.push_back(*hint);
        else
            return std::nullopt;
    return out;
}

bool hasBfloat16() {
    torch::jit::Stack stack;
    findOperator(Target("torch.ops.mkldnn._is_mkldnn_bf16_supported.default"))->call(stack);
    return stack.at(0).toBool();
}

} // namespace

std::optional<std::pair<NodeId, NodeId>> operandsOfSum(const Node& node) {
    static constexpr std::string_view kSums[] = {"operator.add", "operator.iadd", "torch.add",
                                                 "torch.ops.aten.add.Tensor", "torch.ops.aten.add_.Tensor"};
    const bool isSum = node.opcode == Opcode::CallFunction
                           ? std::ranges::find(kSums, node.target.name()) != std::end(kSums)
                           : node.opcode == Opcode::CallMethod &&
                                 (node.target.name() == "add" || node.target.name() == "add_");
    if (!isSum || node.args.size() != 2 || !node.kwargs.empty() || !node.args[0].node() ||
        !node.args[1].node())
        return std::nullopt;
    return std::pair(node.args[0].node(), node.args[1].node());
}

bool OnednnCall::isLike(const OnednnCall& other) const {
    return isConvolution == other.isConvolution && bool(restored) == bool(other.restored) &&
           bool(sum) == bool(other.sum) && biasPath.has_value() == other.biasPath.has_value() &&
           settings == other.settings && inputSizes == other.inputSizes && groups == other.groups &&
           unary == other.unary;
}

OnednnCalls::OnednnCalls(const Model& model, ModuleId module)
    : m_model(model), m_module(module), m_effects(model, module) {
    for (const Node& node : graph()) {
        for (const InputUse& use : node.inputs)
            m_lastRead[m_effects.memoryOf(use.node)] = node.order;
        for (const NodeId written : m_effects.writtenBy(node))
            m_written[m_effects.memoryOf(written)].push_back(node.order);
        if (node.opcode == Opcode::Placeholder || node.opcode == Opcode::GetAttr)
            m_given.insert(m_effects.memoryOf(node.id));
    }
    for (const Node& node : graph())
        visit(node);
}

void OnednnCalls::visit(const Node& node) {
    OnednnCall call{.layer = node.id};
    const std::optional<Layer> layer = layerOfAnyWeightAt(m_model, m_module, node.id);
    if (!layer)
        return;
    if (layer->weightPath.empty()) {
        if (!smallWeightAt(m_model, m_module, layer->weightReader))
            return;
        call.restored = layer->weightReader;
    }
    if (std::string reason = describe(node, *layer, call); !reason.empty()) {
        if (!call.restored) // of the others that is told where their own kernels are (weight_kernels.h)
            m_leftAlone.emplace_back(std::move(reason), node.name);
        return;
    }
    extend(call);
    for (const NodeId taken : {call.layer, call.sum, call.activation})
        if (taken)
            m_taken.insert(taken);
    m_found.push_back(std::move(call));
}

std::string OnednnCalls::describe(const Node& node, const Layer& layer, OnednnCall& call) const {
    const bool isModule = bool(layer.module);
    const bool isProduct = layer.kind == Layer::Kind::Linear;
    if (layer.kind == Layer::Kind::Transposed || layer.kind == Layer::Kind::LinearByRows)
        return "as oneDNN has no such call with a weight of its own layout";
    if (layer.isForeignBias)
        return "as their bias is computed";
    const Module* module = isModule ? &m_model.module(layer.module) : nullptr;
    if (module && module->isTraining && hasHooks(*module))
        return "with hooks";
    const auto given = [&](const char* name) {
        return module ? module->value(name) : givenArgument(node, name);
    };
    const Argument* input = module ? inputOfModule(node) : givenArgument(node, "input");
    // addmm(bias, input, weight)
    const std::string_view function = functionOfTorch(node);
    if (function == "addmm" || function == "mm")
        input = &node.args[function == "addmm" ? 1 : 0];
    if (!input || !input->node() || (module && node.args.size() + node.kwargs.size() != 1))
        return "as they are called in another way";
    call.input = input->node();
    call.weightPath = layer.weightPath;
    call.biasPath = layer.biasPath;
    call.isConvolution = !isProduct;
    call.groups = layer.groups;
    call.transposed = layer.weightUser != layer.node ? layer.weightUser : NodeId();
    const TensorMeta* value = recordedTensor(graph().node(call.input));
    const TensorMeta* result = recordedTensor(node);
    const TensorMeta* weight =
        call.restored ? recordedTensor(graph().node(call.restored))
                      : &m_model.tensor(tensorEntry(m_model, m_module, call.weightPath)->tensor).meta();
    if (!value || !result || !weight)
        return "as their shapes are not known";
    const std::optional<std::vector<int64_t>> sizes = plainSizes(value->shape);
    if (!sizes)
        return "as their shapes are not known";
    call.inputSizes = *sizes;
    const bool isLowered =
        value->dtype == c10::ScalarType::Float || value->dtype == c10::ScalarType::BFloat16;
    if (!isLowered || weight->dtype != value->dtype || result->dtype != value->dtype)
        return "as they are not of float32 or bfloat16 throughout";
    if (value->dtype == c10::ScalarType::BFloat16 && !hasBfloat16())
        return "as oneDNN does not compute in bfloat16 on this processor";
    if (!value->device.is_cpu() || !weight->device.is_cpu() || weight->layout != c10::kStrided)
        return "as they are not on the processor";
    const int32_t memory = layer.weightReader ? m_effects.memoryOf(layer.weightReader) : -1;
    if (memory >= 0 && m_written.contains(memory))
        return "as the graph changes their weights";
    const auto rankOf = [&](const std::string& path) {
        return m_model.tensor(tensorEntry(m_model, m_module, path)->tensor).meta().shape.size();
    };
    if ((call.biasPath && rankOf(*call.biasPath) != 1) || (isProduct && weight->shape.size() != 2))
        return "as their weights are of another shape";
    if (isProduct)
        return call.inputSizes.size() < 2 ? "as they take a vector" : "";
    const size_t count = weight->shape.size() - 2;
    if ((count != 2 && count != 3) || call.inputSizes.size() != count + 2)
        return "as they are not over two or three dimensions, by batch";
    if (const Argument* mode = given("padding_mode"); mode && !(*mode == Argument("zeros")))
        return "as they pad otherwise than with zeros";
    std::optional<ConvolutionSettings> settings = settingsOf(given, count);
    if (!settings)
        return "as what they pad is worked out";
    call.settings = std::move(*settings);
    return {};
}

void OnednnCalls::extend(OnednnCall& call) {
    if (!takeSum(call) || call.isConvolution) // of a linear layer oneDNN takes one of both
        takeActivation(call);
}

/// The only reader of what the call gives; none where there are several.
static NodeId soleReader(const Graph& graph, NodeId node) {
    const UserList& users = graph.node(node).users;
    return users.size() == 1 ? *users.begin() : NodeId();
}

bool OnednnCalls::takeActivation(OnednnCall& call) {
    const NodeId reader = soleReader(graph(), call.last());
    if (!reader || m_taken.contains(reader) || !canMove(call, reader))
        return false;
    const std::optional<Activation> found = activationAt(m_model, m_module, graph().node(reader));
    if (!found || found->input != call.last())
        return false;
    call.activation = reader;
    call.unary = found->word;
    call.scalars = found->scalars;
    call.algorithm = found->algorithm;
    return true;
}

bool OnednnCalls::takeSum(OnednnCall& call) {
    const NodeId reader = soleReader(graph(), call.layer);
    const auto operands = reader ? operandsOfSum(graph().node(reader)) : std::nullopt;
    if (!operands || m_taken.contains(reader) || operands->first == operands->second ||
        !canMove(call, reader))
        return false;
    const NodeId other = operands->first == call.layer ? operands->second : operands->first;
    const TensorMeta* mine = recordedTensor(graph().node(call.layer));
    const TensorMeta* theirs = recordedTensor(graph().node(other));
    if (!theirs || mine->shape != theirs->shape || mine->dtype != theirs->dtype)
        return false;
    // A convolution is added to the other value in its memory; a linear layer gives a sum of its own.
    const bool isFree = call.isConvolution ? isOverwritable(other, call, reader)
                                           : mine->stride == theirs->stride && writesOnly(reader, call.layer);
    if (!isFree)
        return false;
    call.sum = reader;
    return true;
}

/// Whether nothing that lies between writes into what the layer reads.
bool OnednnCalls::canMove(const OnednnCall& call, NodeId to) const {
    const auto written = m_written.find(m_effects.memoryOf(call.input));
    return written == m_written.end() || std::ranges::none_of(written->second, [&](uint64_t place) {
               return place > graph().node(call.layer).order && place < graph().node(to).order;
           });
}

/// Whether the node writes into nothing but, at most, that value.
bool OnednnCalls::writesOnly(NodeId node, NodeId value) const {
    return std::ranges::all_of(m_effects.writtenBy(graph().node(node)),
                               [&](NodeId written) { return written == value; });
}

/// Whether the value is in memory of its own that the layer does not read, and nobody after `reader`.
bool OnednnCalls::isOverwritable(NodeId other, const OnednnCall& call, NodeId reader) const {
    const int32_t memory = m_effects.memoryOf(other);
    const auto last = m_lastRead.find(memory);
    if (memory == m_effects.memoryOf(call.input) || m_given.contains(memory) || last == m_lastRead.end() ||
        last->second != graph().node(reader).order)
        return false;
    // A call that wrote its result into what it was given gives all of that.
    for (NodeId at = other; at;) {
        const Node& node = graph().node(at);
        if (m_effects.givesNewMemory(node))
            return true;
        const std::vector<NodeId> written = m_effects.writtenBy(node);
        const std::optional<Activation> activation = activationAt(m_model, m_module, node);
        const bool isWhole = written.size() == 1 && (activation || operandsOfSum(node));
        at = isWhole ? written[0] : NodeId();
    }
    return false;
}

} // namespace fx
