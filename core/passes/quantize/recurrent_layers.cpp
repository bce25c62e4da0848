// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/recurrent_layers.h"

#include "core/passes/clean/call_names.h"
#include "core/passes/clean/recurrent_modules.h"

namespace fx {

namespace {

Layer matrixOf(NodeId node, std::string path) {
    return {.kind = Layer::Kind::Linear, .node = node, .weightPath = std::move(path), .weightUser = node};
}

bool isMatrix(const Model& model, const TensorEntry& entry) {
    return model.tensor(entry.tensor).meta().shape.size() == 2;
}

std::vector<Layer> ofModule(const Model& model, ModuleId owner, const Node& node, const Module& module) {
    std::vector<Layer> out;
    if ((module.type != "torch.nn.modules.rnn.LSTM" && module.type != "torch.nn.modules.rnn.GRU") ||
        hasHooks(module))
        return out;
    for (const std::string& name : recurrentWeights(module)) {
        Layer layer = matrixOf(node.id, node.target.name() + '.' + name);
        layer.module = module.id;
        if (const auto entry = tensorEntry(model, owner, layer.weightPath); entry && isMatrix(model, *entry))
            out.push_back(std::move(layer));
    }
    return out;
}

} // namespace

std::vector<Layer> recurrentAt(const Model& model, ModuleId owner, NodeId id) {
    const Node& node = model.graph(owner).node(id);
    if (const Module* module = calledModule(model, owner, node))
        return ofModule(model, owner, node, *module);
    if (!isRecurrentCall(node))
        return {};
    std::vector<Layer> out;
    for (const Argument& weight : *node.args[2].items()) {
        const auto entry = entryRead(model, owner, weight.node());
        if (!entry)
            return {};
        if (!isMatrix(model, *entry))
            continue;
        Layer layer = matrixOf(id, model.graph(owner).node(weight.node()).target.name());
        layer.weightReader = weight.node();
        out.push_back(std::move(layer));
    }
    return out;
}

} // namespace fx
