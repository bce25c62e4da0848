// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/fuse/layers.h"

#include "core/passes/clean/call_names.h"
#include "core/torch/bind/parameters.h"

#include <algorithm>

namespace fx {

namespace {

struct ModuleRow {
    std::string_view type;
    Layer::Kind kind;
    int64_t dimensions;
};
constexpr ModuleRow kLayerModules[] = {
    {"torch.nn.modules.conv.Conv1d", Layer::Kind::Conv, 1},
    {"torch.nn.modules.conv.Conv2d", Layer::Kind::Conv, 2},
    {"torch.nn.modules.conv.Conv3d", Layer::Kind::Conv, 3},
    {"torch.nn.modules.conv.ConvTranspose1d", Layer::Kind::Transposed, 1},
    {"torch.nn.modules.conv.ConvTranspose2d", Layer::Kind::Transposed, 2},
    {"torch.nn.modules.conv.ConvTranspose3d", Layer::Kind::Transposed, 3},
    {"torch.nn.modules.linear.Linear", Layer::Kind::Linear, 1},
};
constexpr std::pair<std::string_view, int64_t> kNormModules[] = {
    {"torch.nn.modules.batchnorm.BatchNorm1d", 1},
    {"torch.nn.modules.batchnorm.BatchNorm2d", 2},
    {"torch.nn.modules.batchnorm.BatchNorm3d", 3},
};

/// The path of the tensor that a get_attr reads.
std::optional<std::string> pathRead(const Model& model, ModuleId module, NodeId id) {
    if (!id)
        return std::nullopt;
    const Node& node = model.graph(module).node(id);
    if (node.opcode != Opcode::GetAttr || !tensorEntry(model, module, node.target.name()))
        return std::nullopt;
    return node.target.name();
}

int64_t intSetting(const Argument* value, int64_t otherwise) {
    return value && value->as<int64_t>() ? *value->as<int64_t>() : otherwise;
}

std::optional<Layer> layerModule(const Model& model, ModuleId owner, const Node& node) {
    const ModuleId id = model.resolve(owner, node.target.name()).module;
    const Module* module = id ? &model.module(id) : nullptr;
    const auto* row =
        module ? std::ranges::find(kLayerModules, std::string_view(module->type), &ModuleRow::type) : nullptr;
    if (!row || row == std::end(kLayerModules) || hasHooks(*module) || module->graph)
        return std::nullopt;
    Layer layer{.kind = row->kind, .node = node.id, .module = id, .dimensions = row->dimensions};
    layer.weightPath = node.target.name() + ".weight";
    if (!tensorEntry(model, owner, layer.weightPath))
        return std::nullopt;
    if (const std::string path = node.target.name() + ".bias"; tensorEntry(model, owner, path))
        layer.biasPath = path;
    layer.groups = intSetting(module->value("groups"), 1);
    return layer;
}

/// The weight of a product: `mat2` of a matrix product, which may be a weight that was transposed.
bool takeFactor(const Model& model, ModuleId owner, const Argument* factor, Layer& layer) {
    const Graph& graph = model.graph(owner);
    NodeId id = nodeOf(factor);
    layer.kind = Layer::Kind::LinearByRows;
    if (id && graph.node(id).users.size() == 1) {
        const Node& node = graph.node(id);
        if (turnsMatrix(node)) {
            layer.kind = Layer::Kind::Linear;
            layer.weightUser = id;
            id = nodeOf(!node.args.empty() ? &node.args[0] : nullptr);
        }
    }
    layer.weightPath = pathRead(model, owner, id).value_or("");
    layer.weightReader = id;
    return bool(id);
}

void takeBias(const Model& model, ModuleId owner, const Argument* bias, Layer& layer) {
    layer.biasReader = nodeOf(bias);
    layer.biasPath = pathRead(model, owner, layer.biasReader);
    layer.isForeignBias = bias && !bias->isNone() && !layer.biasPath;
}

std::optional<Layer> layerFunction(const Model& model, ModuleId owner, const Node& node) {
    const std::string_view name = functionOfTorch(node);
    Layer layer{.node = node.id, .weightUser = node.id};
    if (name == "mm" || name == "addmm") {
        // As calls are written: x @ w, and b + x @ w without factors.
        if (!node.kwargs.empty() || node.args.size() != (name == "mm" ? 2 : 3) ||
            !takeFactor(model, owner, &node.args.back(), layer))
            return std::nullopt;
        if (name == "addmm")
            takeBias(model, owner, &node.args[0], layer);
        layer.dimensions = 1;
        return layer;
    }
    if (name == "linear")
        layer.kind = Layer::Kind::Linear;
    else if (name.starts_with("conv_transpose"))
        layer.kind = Layer::Kind::Transposed;
    else if (name != "conv1d" && name != "conv2d" && name != "conv3d" && name != "convolution")
        return std::nullopt;
    layer.weightReader = nodeOf(givenArgument(node, "weight"));
    if (!layer.weightReader || node.keyword("out"))
        return std::nullopt;
    layer.weightPath = pathRead(model, owner, layer.weightReader).value_or("");
    takeBias(model, owner, givenArgument(node, "bias"), layer);
    if (const Argument* groups = givenArgument(node, "groups")) {
        if (!groups->as<int64_t>())
            return std::nullopt;
        layer.groups = *groups->as<int64_t>();
    }
    if (name == "convolution") {
        const Argument* isTransposed = givenArgument(node, "transposed");
        if (!isTransposed || !isTransposed->as<bool>())
            return std::nullopt;
        if (*isTransposed->as<bool>())
            layer.kind = Layer::Kind::Transposed;
    }
    const auto entry = tensorEntry(model, owner, layer.weightPath);
    if (layer.kind == Layer::Kind::Linear)
        layer.dimensions = 1;
    else if (entry)
        layer.dimensions = static_cast<int64_t>(model.tensor(entry->tensor).meta().shape.size()) - 2;
    return layer;
}

std::optional<Norm> normModule(const Model& model, ModuleId owner, const Node& node) {
    const ModuleId id = model.resolve(owner, node.target.name()).module;
    const Module* module = id ? &model.module(id) : nullptr;
    const auto* row = module ? std::ranges::find(kNormModules, std::string_view(module->type),
                                                 &std::pair<std::string_view, int64_t>::first)
                             : nullptr;
    if (!row || row == std::end(kNormModules) || module->graph)
        return std::nullopt;
    Norm norm{.node = node.id, .result = node.id, .module = id, .dimensions = row->second};
    norm.input = nodeOf(inputOfModule(node));
    const auto path = [&](const char* name) -> std::optional<std::string> {
        std::string whole = node.target.name() + '.' + name;
        return tensorEntry(model, owner, whole) ? std::optional(std::move(whole)) : std::nullopt;
    };
    norm.weightPath = path("weight");
    norm.biasPath = path("bias");
    if (const Argument* epsilon = module->value("eps"); epsilon && epsilon->as<double>())
        norm.epsilon = *epsilon->as<double>();
    const auto mean = path("running_mean"), variance = path("running_var");
    if (module->isTraining)
        norm.obstacle = "in training mode";
    else if (!mean || !variance)
        norm.obstacle = "without running statistics";
    else if (hasHooks(*module))
        norm.obstacle = "with hooks";
    norm.meanPath = mean.value_or("");
    norm.variancePath = variance.value_or("");
    return norm;
}

/// The getitem that takes the normalised value out of what such an operator gives; none where anything else
/// of that is read.
NodeId firstResult(const Graph& graph, const Node& node) {
    NodeId found;
    for (const NodeId user : node.users) {
        const Node& item = graph.node(user);
        const bool isFirst =
            item.target.name() == "operator.getitem" && item.args.size() == 2 && item.args[1] == Argument(0);
        if (item.users.empty() && !isFirst)
            continue;
        if (!isFirst || found)
            return {};
        found = user;
    }
    return found;
}

std::optional<Norm> normFunction(const Model& model, ModuleId owner, const Node& node) {
    const std::string_view name = functionOfTorch(node);
    const bool givesTuple = name == "_native_batch_norm_legit_no_training" || name == "native_batch_norm" ||
                            name == "_native_batch_norm_legit";
    if (name != "batch_norm" && !givesTuple)
        return std::nullopt;
    Norm norm{.node = node.id, .input = nodeOf(givenArgument(node, "input")), .result = node.id};
    if (givesTuple && !(norm.result = firstResult(model.graph(owner), node)))
        norm.obstacle = "whose statistics are read";
    // F.batch_norm has a default, the others none.
    const Argument* training = givenArgument(node, "training");
    if (training && !training->as<bool>())
        norm.obstacle = "whose mode is computed";
    else if (training ? *training->as<bool>()
                      : name != "_native_batch_norm_legit_no_training" &&
                            !node.target.name().starts_with("torch.nn.functional."))
        norm.obstacle = "in training mode";
    if (const Argument* epsilon = givenArgument(node, "eps"); epsilon && epsilon->as<double>())
        norm.epsilon = *epsilon->as<double>();
    else if (epsilon)
        norm.obstacle = "whose eps is computed";
    const auto take = [&](const char* parameter) -> std::optional<std::string> {
        const Argument* given = givenArgument(node, parameter);
        if (!given || given->isNone())
            return std::nullopt;
        std::optional<std::string> path = pathRead(model, owner, nodeOf(given));
        if (!path)
            norm.obstacle = "over computed statistics";
        else if (std::ranges::find(norm.readers, given->node()) == norm.readers.end())
            norm.readers.push_back(given->node());
        return path;
    };
    norm.weightPath = take("weight");
    norm.biasPath = take("bias");
    const auto mean = take("running_mean"), variance = take("running_var");
    if ((!mean || !variance) && norm.obstacle.empty())
        norm.obstacle = "without running statistics";
    norm.meanPath = mean.value_or("");
    norm.variancePath = variance.value_or("");
    return norm;
}

} // namespace

bool turnsMatrix(const Node& node) {
    const std::string_view name = functionOfTorch(node);
    const Argument* dims = name == "permute" ? givenArgument(node, "dims") : nullptr;
    return name == "t" || (dims && dims->items() && *dims->items() == Arguments{1, 0});
}

std::optional<Layer> layerAt(const Model& model, ModuleId module, NodeId id) {
    std::optional<Layer> layer = layerOfAnyWeightAt(model, module, id);
    return layer && !layer->weightPath.empty() ? layer : std::nullopt;
}

std::optional<Layer> layerOfAnyWeightAt(const Model& model, ModuleId module, NodeId id) {
    const Node& node = model.graph(module).node(id);
    return node.opcode == Opcode::CallModule ? layerModule(model, module, node)
                                             : layerFunction(model, module, node);
}

std::optional<Layer> tableAt(const Model& model, ModuleId owner, NodeId id) {
    const Node& node = model.graph(owner).node(id);
    Layer table{.kind = Layer::Kind::Table, .node = id, .weightUser = id};
    const Argument* longest = nullptr; // to which rows are cut, in place
    if (const Module* module = calledModule(model, owner, node)) {
        if (module->type != "torch.nn.modules.sparse.Embedding" || hasHooks(*module))
            return std::nullopt;
        table.module = module->id;
        table.weightPath = node.target.name() + ".weight";
        longest = module->value("max_norm");
    } else if (functionOfTorch(node) == "embedding") {
        table.weightReader = nodeOf(givenArgument(node, "weight"));
        table.weightPath = pathRead(model, owner, table.weightReader).value_or("");
        longest = givenArgument(node, "max_norm");
    }
    const bool isPlain = !longest || longest->isNone();
    return isPlain && tensorEntry(model, owner, table.weightPath) ? std::optional(std::move(table))
                                                                  : std::nullopt;
}

std::optional<Norm> normAt(const Model& model, ModuleId module, NodeId id) {
    const Node& node = model.graph(module).node(id);
    return node.opcode == Opcode::CallModule ? normModule(model, module, node)
                                             : normFunction(model, module, node);
}

} // namespace fx
