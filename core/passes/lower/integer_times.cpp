// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/integer_times.h"

#include "core/ir/argument_text.h"
#include "core/passes/clean/erase_unread.h"
#include "core/passes/clean/lazy_tensor.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/lower/whole_times.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// What the layer computes with, and what becomes of its result, without a sum.
std::vector<NodeId> nodesOf(const Graph& graph, const IntegerLayer& layer) {
    std::vector<NodeId> out{layer.node, layer.weight.restored, layer.input.node};
    if (layer.roundsItself && layer.rounded) { // the kernels differ in who rounds
        const auto add = [&](NodeId node) {
            if (node && std::ranges::find(out, node) == out.end())
                out.push_back(node);
        };
        add(layer.input.input);
        for (const NodeId part : {layer.input.scale.node(), layer.input.zeroPoint.node()})
            if (part) {
                add(part);
                for (const InputUse& chosen : graph.node(part).inputs)
                    add(chosen.node);
            }
    }
    if (layer.turn)
        out.push_back(layer.turn);
    if (layer.sum)
        return out;
    out.insert(out.end(), layer.dropped.begin(), layer.dropped.end());
    for (const NodeId node : {layer.activation, layer.result ? layer.result->node : NodeId()})
        if (node && graph.contains(node))
            out.push_back(node);
    return out;
}

/// What is called and what it gives, without names.
std::string lookOf(const Model& model, ModuleId module, const std::vector<NodeId>& nodes) {
    std::string out;
    const Graph& graph = model.graph(module);
    for (const NodeId id : nodes) {
        const Node& node = graph.node(id);
        out += node.target.name();
        if (id == nodes.front()) // settings; of the others scales, which each layer has of its own
            for (const Argument& arg : node.args)
                out += ' ' + reprText(arg, [](NodeId) { return "*"; });
        if (const ValueMeta* value = knownValue(node.meta))
            out += ' ' + valueMetaText(*value);
        out += '\n';
    }
    return out;
}

} // namespace

LayerKernel IntegerTimes::fastest(const Model& model, ModuleId module, const IntegerLayer& layer) {
    const std::vector<NodeId> nodes = nodesOf(model.graph(module), layer);
    const auto [known, isNew] = m_known.try_emplace(lookOf(model, module, nodes), LayerKernel::Onednn);
    if (!isNew)
        return known->second;
    LayerKernel& best = known->second;
    const auto by = [](LayerKernel kernel) {
        return [kernel](Edit& edit) { lowerIntegers(edit, [&](const IntegerLayer&) { return kernel; }); };
    };
    for (const LayerKernel kernel : {LayerKernel::Float32, LayerKernel::Rounding}) {
        if (kernel == LayerKernel::Rounding && !layer.roundsItself)
            continue;
        const auto times = timesOfNodes(model, module, nodes, m_settings, by(best), by(kernel));
        if (times && times->second < times->first)
            best = kernel;
    }
    return best;
}

NodeId keepInFloat(Edit& edit, const IntegerLayer& layer, NodeId weight) {
    const NodeId restored = layer.weight.restored;
    if (!weight) {
        const Model& model = edit.model();
        const std::string& integers = edit.node(layer.weight.integers).target.name();
        const bool isByChannel = layer.weight.isByChannel;
        const std::vector<TensorSlot> made =
            lazyTensors({*tensorRead(model, edit.module(), layer.weight.integers),
                         *tensorRead(model, edit.module(), layer.weight.scale.node())},
                        [isByChannel](const std::vector<at::Tensor>& given) -> std::vector<at::Tensor> {
                            std::vector<int64_t> shape(static_cast<size_t>(given[0].dim()), 1);
                            shape[0] = -1;
                            return {given[0] * (isByChannel ? given[1].view(shape) : given[1])};
                        });
        const std::string path = freePath(model, edit.module(), integers + "_restored");
        edit.setTensor(path, edit.createTensor(made[0]), TensorRole::Buffer);
        const Edit::InsertPoint point = edit.insertingAfter(restored);
        weight = edit.getAttr(path);
        copyPlace(edit, restored, weight);
        copyRecorded(edit, restored, weight);
    }
    edit.replaceInputWith(layer.turn ? layer.turn : layer.node, restored, weight);
    eraseUnreadWithInputs(edit, restored);
    return weight;
}

} // namespace fx
