// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/integer_lowering.h"

#include "core/passes/clean/erase_unread.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/clean/reshape_views.h"
#include "core/passes/lower/idle_roundings.h"
#include "core/passes/lower/integer_moves.h"
#include "core/passes/lower/integer_times.h"
#include "core/passes/quantize/units.h"

#include <ranges>

namespace fx {

namespace {

class IntegerLowering {
public:
    IntegerLowering(Edit& edit, const KernelChoice& choice)
        : m_edit(edit), m_layers(edit.model(), edit.module()), m_choice(choice) {}

    IntegerCalls run() {
        std::vector<NodeId> nodes;
        for (const Node& node : m_edit.graph())
            if (!node.users.empty())
                nodes.push_back(node.id);
        for (const NodeId id : nodes) {
            if (!m_edit.graph().contains(id))
                continue;
            std::string why;
            const auto layer = m_layers.at(id, why);
            const LayerKernel kernel = layer && m_choice ? m_choice(*layer) : LayerKernel::Onednn;
            if (layer && kernel == LayerKernel::Float32) {
                NodeId& weight = m_floatWeights[layer->weight.restored];
                weight = keepInFloat(m_edit, *layer, weight);
                m_out.left.add("as they measured slower in integers", m_edit.node(id).name);
                ++m_out.floats;
            } else if (layer) {
                kernel == LayerKernel::Rounding ? writeRounding(*layer) : write(*layer);
            } else if (!why.empty()) {
                m_out.left.add(why, m_edit.node(id).name);
            } else if (moveIntegers(m_edit, m_layers, id)) {
                ++m_out.moves;
            } else if (hasNoCall(m_edit.node(id))) {
                m_out.left.add("as oneDNN has no call over integers for them here", m_edit.node(id).name);
            }
        }
        if (m_hasConvolutions)
            reshapeImageViews(m_edit);
        if (m_out.layers + m_out.moves + m_out.floats > 0)
            m_out.roundings = dropIdleRoundings(m_edit);
        return std::move(m_out);
    }

private:
    /// Of a product of two values or a transposed convolution that is given integers: PyTorch 2.13's kernels
    /// take the deprecated quantized dtypes alone.
    bool hasNoCall(const Node& node) const {
        const std::string name = quantizedCallName(m_edit.model(), m_edit.module(), node);
        return (name == "matmul" || name == "bmm" || name.starts_with("conv_transpose")) &&
               std::ranges::any_of(node.inputs, [&](const InputUse& input) {
                   return restorationAt(m_edit.graph(), input.node).has_value();
               });
    }

    void write(const IntegerLayer& layer) {
        const NodeId at = layer.sum ? layer.sum : layer.node;
        const Edit::InsertPoint point = m_edit.insertingBefore(at);
        const NodeId packed = pack(layer);
        copyPlace(m_edit, layer.node, packed);
        const Argument scale = layer.result ? layer.result->scale : Argument(1.0),
                       zeroPoint = layer.result ? layer.result->zeroPoint : Argument(0),
                       dtype = layer.result ? Argument(at::kByte) : Argument(at::kFloat);
        Arguments args{layer.input.input,  layer.input.scale,     layer.input.zeroPoint, packed,
                       layer.weight.scale, layer.weight.zeroPoint};
        if (layer.sum)
            args.emplace_back(layer.accumulated->input);
        args.push_back(layer.bias);
        if (layer.isConvolution)
            for (const Argument& setting :
                 {numberList(layer.settings.stride), numberList(layer.settings.padding),
                  numberList(layer.settings.dilation), Argument(layer.groups)})
                args.push_back(setting);
        for (const Argument& of : {scale, zeroPoint, dtype})
            args.push_back(of);
        if (layer.sum)
            for (const Argument& of :
                 {layer.accumulated->scale, layer.accumulated->zeroPoint, Argument("sum"), Argument(1.0)})
                args.push_back(of);
        for (const Argument& of : {Argument(layer.unary), Argument(ListValue{}), Argument(layer.algorithm)})
            args.push_back(of);
        const NodeId made = m_edit.callFunction(targetOf(layer), std::move(args));
        copyPlace(m_edit, layer.last(), made);
        copyRecorded(m_edit, layer.last(), made);
        m_edit.replaceAllUsesWith(layer.last(), made);
        if (layer.sum)
            m_layers.overwrite(layer.accumulated->input, made);
        ++m_out.layers;
        m_hasConvolutions |= layer.isConvolution;
        m_out.sums += layer.sum ? 1 : 0;
        const NodeId last = layer.accumulated ? layer.accumulated->node : NodeId();
        eraseUnread(m_edit, {layer.result ? layer.result->node : NodeId(), layer.activation, layer.sum});
        for (const NodeId dropped : std::views::reverse(layer.dropped))
            eraseUnread(m_edit, {dropped});
        eraseUnread(m_edit, {layer.node, layer.turn, layer.weight.restored, layer.input.node, last});
    }

    /// What the kernel cannot do is left to the calls behind it.
    void writeRounding(IntegerLayer layer) {
        layer.result.reset();
        if (layer.unary != "relu" || !layer.dropped.empty())
            layer.activation = NodeId();
        const Edit::InsertPoint point = m_edit.insertingBefore(layer.node);
        const auto call = [&](const std::string& function, Arguments args) {
            const NodeId made = m_edit.callFunction(function, std::move(args));
            copyPlace(m_edit, layer.last(), made);
            return made;
        };
        const NodeId weight = call("torch.ops.aten._make_per_channel_quantized_tensor.default",
                                   {layer.weight.integers, layer.weight.scale, layer.weight.zeroPoint, 0});
        const NodeId packed = call("torch.ops.quantized.linear_prepack.default", {weight, layer.bias});
        const std::string head = "torch.ops.quantized.linear_", relu = layer.activation ? "relu_" : "";
        NodeId made;
        if (layer.input.isConstant()) {
            made = call(head + "with_input_q_dq_qweight_dq_" + relu + "output_fp32.default",
                        {withinRange(layer, call), layer.input.scale, layer.input.zeroPoint, packed});
        } else {
            constexpr bool kReducesRange = true; // as torch.ao: sums of two products then fit anywhere
            made = call(head + relu + "dynamic.default", {layer.rounded, packed, kReducesRange});
        }
        copyRecorded(m_edit, layer.last(), made);
        m_edit.replaceAllUsesWith(layer.last(), made);
        ++m_out.layers;
        ++m_out.rounding;
        eraseUnread(m_edit, {layer.activation, layer.node, layer.turn, layer.weight.restored});
        eraseUnreadWithInputs(m_edit, layer.input.node);
    }

    /// What the layer reads, cut off where its integers would be: the kernel's go to 255.
    template <class Call>
    NodeId withinRange(const IntegerLayer& layer, const Call& call) const {
        const NodeId read = layer.rounded ? layer.rounded : layer.input.node;
        const auto* scale = layer.input.scale.as<double>();
        const auto *zeroPoint = layer.input.zeroPoint.as<int64_t>(), *most = layer.input.most.as<int64_t>();
        if (!scale || !zeroPoint || !most || *most >= 255)
            return read;
        const NodeId made =
            call("torch.ops.aten.clamp.default", {read, *scale * static_cast<double>(-*zeroPoint),
                                                  *scale * static_cast<double>(*most - *zeroPoint)});
        copyRecorded(m_edit, layer.input.node, made);
        return made;
    }

    static std::string targetOf(const IntegerLayer& layer) {
        const std::string head = "torch.ops.onednn.";
        if (layer.sum)
            return head + "qconv2d_pointwise.binary";
        return head + (layer.isConvolution ? "qconv_pointwise." : "qlinear_pointwise.") +
               (layer.input.isConstant() ? "default" : "tensor");
    }

    /// Recorded shape of the layer's input. oneDNN chooses the layout of the weight by it; with another
    /// layout than the kernel takes, each run reorders the weight, which can take longer than the layer.
    /// None: unknown.
    Argument inputShape(const IntegerLayer& layer) const {
        const TensorMeta* input = recordedTensor(m_edit.graph().node(layer.input.node));
        if (!input)
            return {};
        std::vector<int64_t> sizes;
        for (const Dimension& each : input->shape) {
            const auto* symbol = std::get_if<SymbolicInt>(&each);
            if (symbol && !symbol->hint)
                return {};
            sizes.push_back(symbol ? *symbol->hint : std::get<int64_t>(each));
        }
        return numberList(sizes);
    }

    NodeId pack(const IntegerLayer& layer) {
        if (!layer.isConvolution)
            return m_edit.callFunction("torch.ops.onednn.qlinear_prepack.default",
                                       {layer.weight.integers, inputShape(layer)});
        return m_edit.callFunction("torch.ops.onednn.qconv_prepack.default",
                                   {layer.weight.integers, layer.weight.scale, layer.input.scale,
                                    layer.input.zeroPoint, numberList(layer.settings.stride),
                                    numberList(layer.settings.padding), numberList(layer.settings.dilation),
                                    layer.groups, inputShape(layer)});
    }

    Edit& m_edit;
    IntegerLayers m_layers;
    const KernelChoice& m_choice;
    std::unordered_map<NodeId, NodeId> m_floatWeights; ///< by the calls that restored them
    IntegerCalls m_out;
    bool m_hasConvolutions = false;
};

} // namespace

IntegerCalls lowerIntegers(Edit& edit, const KernelChoice& choice) {
    return IntegerLowering(edit, choice).run();
}

} // namespace fx
