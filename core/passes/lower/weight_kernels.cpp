// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/weight_kernels.h"

#include "core/base/text.h"
#include "core/interpret/shape_prop.h"
#include "core/passes/clean/erase_unread.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/lower/onednn_writer.h"
#include "core/passes/lower/small_weight.h"
#include "core/passes/lower/whole_times.h"
#include "core/passes/pass.h"
#include "core/passes/run_progress.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

class KernelWriter {
public:
    explicit KernelWriter(Edit& edit) : m_edit(edit) {}

    void write(SmallWeightLayer layer) {
        // What is before it may have been written anew.
        layer.operands = *operandsOfLayer(m_edit.graph(), m_edit.node(layer.node));
        const Edit::InsertPoint point = m_edit.insertingBefore(layer.node);
        m_at = layer.node;
        const NodeId made = layer.weight.form == WeightForm::Float16 ? float16(layer) : integers(layer);
        copyRecorded(m_edit, layer.node, made);
        m_edit.replaceAllUsesWith(layer.node, made);
        eraseUnread(m_edit, {layer.node, layer.operands.turn});
        eraseUnreadWithInputs(m_edit, layer.weight.restored);
    }

private:
    NodeId call(const char* function, Arguments args) {
        const NodeId made = m_edit.callFunction(function, std::move(args));
        copyPlace(m_edit, m_at, made);
        return made;
    }

    NodeId float16(const SmallWeightLayer& layer) {
        const NodeId packed =
            call("torch.ops.onednn.linear_prepack_fp16.default", {layer.weight.numbers, Argument()});
        return call("torch.ops.onednn.linear_dynamic_fp16.default",
                    {layer.operands.input, packed, layer.operands.bias});
    }

    /// The kernels take rows, and no bias.
    NodeId integers(const SmallWeightLayer& layer) {
        const bool isInt8 = layer.weight.form == WeightForm::Int8;
        NodeId rows = layer.operands.input;
        if (!layer.isContiguous)
            rows = call("torch.ops.aten.contiguous.default", {rows});
        const size_t rank = layer.inputSizes.size();
        if (rank > 2)
            rows = call("torch.ops.aten.flatten.using_ints", {rows, 0, -2});
        NodeId out = isInt8 ? int8(layer, rows) : int4(layer, rows);
        if (!layer.operands.bias.isNone())
            out = call("torch.ops.aten.add.Tensor", {out, layer.operands.bias});
        if (rank == 2)
            return out;
        Arguments sizes{-1};
        for (size_t i = 1; i + 1 < rank; ++i)
            sizes.emplace_back(
                call("torch.ops.aten.sym_size.int", {layer.operands.input, static_cast<int64_t>(i)}));
        return call("torch.ops.aten.unflatten.int", {out, 0, ListValue{std::move(sizes)}});
    }

    NodeId int8(const SmallWeightLayer& layer, NodeId rows) {
        NodeId scale = layer.weight.scale;
        if (layer.dtype != c10::kFloat)
            scale = call("torch.ops.aten.to.dtype", {scale, layer.dtype});
        return call("torch.ops.aten._weight_int8pack_mm.default", {rows, layer.weight.numbers, scale});
    }

    /// The kernel's numbers are 0 to 15, of which it takes 8; a run lays them out once.
    NodeId int4(const SmallWeightLayer& layer, NodeId rows) {
        const NodeId shifted = call("torch.ops.aten.add.Scalar", {layer.weight.numbers, 8});
        const NodeId whole = call("torch.ops.aten.to.dtype", {shifted, c10::kInt});
        const NodeId packed = call("torch.ops.aten._convert_weight_to_int4pack_for_cpu.default", {whole, 1});
        return call("torch.ops.aten._weight_int4pack_mm_for_cpu.default",
                    {rows, packed, layer.weight.groupSize, scaleAndZero(layer)});
    }

    /// Scales of groups as the kernel reads them, each with the zero point beside it.
    NodeId scaleAndZero(const SmallWeightLayer& layer) {
        const std::string path = m_edit.node(layer.weight.scale).target.name();
        const at::Tensor scale = tensorRead(m_edit.model(), m_edit.module(), layer.weight.scale)->value();
        const at::Tensor pairs = at::stack({scale, at::zeros_like(scale)}, -1).transpose(0, 1);
        const std::string made = freePath(m_edit.model(), m_edit.module(), path + "_and_zero");
        m_edit.setTensor(made, m_edit.createTensor(TensorSlot(pairs.contiguous().to(layer.dtype))),
                         TensorRole::Buffer);
        const NodeId read = m_edit.getAttr(made);
        copyPlace(m_edit, m_at, read);
        return read;
    }

    Edit& m_edit;
    NodeId m_at; ///< the layer that is written
};

class WeightLowering {
public:
    WeightLowering(Edit& edit, const GraphInputs& inputs, bool isAlways, PassContext& context)
        : m_edit(edit), m_inputs(inputs), m_isAlways(isAlways), m_context(context) {}

    void run() {
        Model trial = m_edit.model();
        recordShapes(trial);
        LeftAlone left("by no kernel over small weights");
        const std::vector<SmallWeightLayer> chosen = chosenOf(trial, left);
        left.tellIn(m_context.results);
        if (chosen.empty() || !isWorthwhile(trial, chosen))
            return;
        write(m_edit, chosen);
        m_context.results.push_back(plural(chosen.size(), "layer") + " over small weights as they are");
    }

private:
    void recordShapes(Model& trial) const {
        Edit edit(trial, Edit::WithoutHistory());
        edit.enter(m_edit.module());
        RunProgress progress(m_context.progress, edit.graph().size());
        propagateShapes(edit, m_inputs, m_context.settings, &progress);
        edit.finish();
    }

    std::vector<SmallWeightLayer> chosenOf(const Model& trial, LeftAlone& left) {
        const SmallWeightLayers layers(trial, m_edit.module());
        std::vector<SmallWeightLayer> out;
        for (const Node& node : trial.graph(m_edit.module())) {
            std::string why;
            std::optional<SmallWeightLayer> layer = layers.at(node.id, why);
            if (layer && !m_isAlways && !isFasterAlone(trial, *layer))
                why = "as the kernel for their weights measured no faster";
            if (!why.empty())
                left.add(why, node.name);
            else if (layer)
                out.push_back(std::move(*layer));
        }
        return out;
    }

    /// Than over a weight that a run restores once, or in each run, where oneDNN has no call for the layer.
    /// Layers of the same sizes are measured once.
    bool isFasterAlone(const Model& trial, const SmallWeightLayer& layer) {
        for (const auto& [known, answer] : m_measured)
            if (known.isLike(layer))
                return answer;
        std::vector<NodeId> nodes{layer.node, layer.weight.restored};
        if (layer.operands.turn)
            nodes.push_back(layer.operands.turn);
        const auto times = timesOfNodes(
            trial, m_edit.module(), nodes, m_context.settings,
            [](Edit& edit) { writeOnednnCalls(edit, OnednnCalls(edit.model(), edit.module()).found()); },
            [](Edit& edit) {
                std::vector<SmallWeightLayer> found;
                const SmallWeightLayers layers(edit.model(), edit.module());
                std::string why;
                for (const Node& node : edit.graph())
                    if (auto each = layers.at(node.id, why))
                        found.push_back(std::move(*each));
                write(edit, found);
            });
        const bool answer = times && times->second < times->first;
        m_measured.emplace_back(layer, answer);
        return answer;
    }

    bool isWorthwhile(const Model& trial, const std::vector<SmallWeightLayer>& layers) {
        if (m_isAlways)
            return true;
        Model model = trial;
        Edit edit(model, Edit::WithoutHistory());
        edit.enter(m_edit.module());
        write(edit, layers);
        edit.finish();
        return isFaster(wholeTimes(m_edit.model(), model, m_inputs, m_context.settings), m_context.results);
    }

    static void write(Edit& edit, const std::vector<SmallWeightLayer>& layers) {
        KernelWriter writer(edit);
        for (const SmallWeightLayer& layer : layers)
            writer.write(layer);
    }

    Edit& m_edit;
    const GraphInputs& m_inputs;
    const bool m_isAlways;
    PassContext& m_context;
    std::vector<std::pair<SmallWeightLayer, bool>> m_measured;
};

} // namespace

void lowerSmallWeights(Edit& edit, const GraphInputs& inputs, bool isAlways, PassContext& context) {
    if (std::ranges::any_of(edit.graph(), [&](const Node& node) {
            return smallWeightAt(edit.model(), edit.module(), node.id).has_value();
        }))
        WeightLowering(edit, inputs, isAlways, context).run();
}

} // namespace fx
