// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/units.h"

#include "core/module/scopes.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/module_functions.h"
#include "core/passes/clean/recurrent_modules.h"
#include "core/passes/quantize/recurrent_layers.h"
#include "core/torch/bind/call_facts.h"
#include "core/torch/bind/parameters.h"

#include <algorithm>

namespace fx {

namespace {

struct CallRow {
    std::string_view name;
    UnitKind kind;
    bool takesAll; ///< all that it reads are values as the first is; else what follows are weights and sizes
};

constexpr CallRow kCalls[] = {
    {"add", UnitKind::Computes, true},
    {"mul", UnitKind::Computes, true},
    {"matmul", UnitKind::Computes, true},
    {"bmm", UnitKind::Computes, true},
    {"dropout", UnitKind::Computes, false},
    {"elu", UnitKind::Computes, false},
    {"leaky_relu", UnitKind::Computes, false},
    {"hardswish", UnitKind::Computes, false},
    {"prelu", UnitKind::Computes, false},
    {"batch_norm", UnitKind::Computes, false},
    {"group_norm", UnitKind::Computes, false},
    {"instance_norm", UnitKind::Computes, false},
    {"layer_norm", UnitKind::Computes, false},
    {"cat", UnitKind::Shares, true},
    {"concat", UnitKind::Shares, true},
    {"stack", UnitKind::Shares, true},
    {"adaptive_avg_pool1d", UnitKind::Shares, false},
    {"adaptive_avg_pool2d", UnitKind::Shares, false},
    {"adaptive_avg_pool3d", UnitKind::Shares, false},
    {"avg_pool1d", UnitKind::Shares, false},
    {"avg_pool2d", UnitKind::Shares, false},
    {"avg_pool3d", UnitKind::Shares, false},
    {"max_pool1d", UnitKind::Shares, false},
    {"max_pool2d", UnitKind::Shares, false},
    {"max_pool3d", UnitKind::Shares, false},
    {"clamp", UnitKind::Shares, false},
    {"contiguous", UnitKind::Shares, false},
    {"detach", UnitKind::Shares, false},
    {"flatten", UnitKind::Shares, false},
    {"hardtanh", UnitKind::Shares, false},
    {"interpolate", UnitKind::Shares, false},
    {"mean", UnitKind::Shares, false},
    {"narrow", UnitKind::Shares, false},
    {"permute", UnitKind::Shares, false},
    {"pixel_shuffle", UnitKind::Shares, false},
    {"pixel_unshuffle", UnitKind::Shares, false},
    {"relu", UnitKind::Shares, false},
    {"relu6", UnitKind::Shares, false},
    {"repeat", UnitKind::Shares, false},
    {"repeat_interleave", UnitKind::Shares, false},
    {"reshape", UnitKind::Shares, false},
    {"squeeze", UnitKind::Shares, false},
    {"transpose", UnitKind::Shares, false},
    {"unsqueeze", UnitKind::Shares, false},
    {"view", UnitKind::Shares, false},
    {"hardsigmoid", UnitKind::Fixed, false},
    {"sigmoid", UnitKind::Fixed, false},
    {"tanh", UnitKind::Fixed, false},
};

const CallRow* callRowOf(std::string_view name) {
    const auto* row = std::ranges::find(kCalls, name, &CallRow::name);
    return row == std::end(kCalls) ? nullptr : row;
}

/// In training mode normalisations and dropout are other computations.
bool isInTraining(const Node& node, const Module* module, std::string_view call) {
    const CallKind kind = factsOfFunction(call).kind;
    if (kind != CallKind::BatchNorm && kind != CallKind::InstanceNorm && kind != CallKind::Dropout)
        return false;
    if (module)
        return module->isTraining;
    for (const char* name : {"training", "train", "use_input_stats"})
        if (const Argument* mode = givenArgument(node, name))
            return !mode->as<bool>() || *mode->as<bool>();
    // F.dropout is in training mode unless it is told otherwise.
    return kind == CallKind::Dropout && node.opcode == Opcode::CallFunction;
}

class UnitFinder {
public:
    UnitFinder(const Model& model, ModuleId module, const LayerSelection& selection, LeftAlone& left)
        : m_model(model), m_graph(model.graph(module)), m_module(module), m_selection(selection),
          m_left(left) {}

    std::vector<QuantizableUnit> run() {
        for (const Node& node : m_graph)
            if (node.opcode != Opcode::Placeholder && node.opcode != Opcode::Output &&
                node.opcode != Opcode::GetAttr && !m_taken.contains(node.id))
                visit(node);
        return std::move(m_units);
    }

private:
    void visit(const Node& node) {
        const std::string call = quantizedCallName(m_model, m_module, node);
        const Module* module = calledModule(m_model, m_module, node);
        std::vector<Layer> recurrent = recurrentAt(m_model, m_module, node.id);
        std::optional<Layer> layer = layerAt(m_model, m_module, node.id);
        if (!layer)
            layer = tableAt(m_model, m_module, node.id);
        if (!recurrent.empty())
            layer = recurrent.front();
        const CallRow* row = callRowOf(call);

        if (!layer && row && row->kind == UnitKind::Shares && movesState(node))
            return;
        const auto [reads, gives] = integersAround(node);
        const bool isQuantized = !layer && (gives || (reads && !row));
        if (isQuantized && (row || readsWeights(node, module))) {
            m_left.add("as they are quantized", node.name);
            return;
        }
        if (!layer && !row) {
            if (readsWeights(node, module))
                m_left.add("as " + nameOfCall(call, module) + " has no integer form here", node.name);
            else if (call == "scaled_dot_product_attention")
                m_left.add("as " + call + " has no integer form here", node.name);
            return;
        }
        std::string obstacle = m_selection.obstacle(node, module, call);
        if (obstacle.empty() && module && hasHooks(*module))
            obstacle = "with hooks";
        if (obstacle.empty() && isInTraining(node, module, call))
            obstacle = "in training mode";
        QuantizableUnit unit{layer ? UnitKind::Layer : row->kind,
                             call,
                             node.id,
                             node.id,
                             {},
                             layer,
                             std::move(recurrent),
                             node.name};
        unit.inputs = layer ? inputOfLayer(node, *layer) : inputsOf(node, *row);
        for (const Layer& each : unit.layers())
            if (obstacle.empty())
                obstacle = weightObstacle(each.weightPath);
        if (obstacle.empty() && !unit.recurrent.empty()) {
            unit.last = outputOf(node);
            if (!unit.last)
                obstacle = "as nothing takes their output";
            else if (module && !unit.inputs.empty())
                obstacle = recurrentObstacle(m_graph, node, unit.inputs[0]);
        }
        if (obstacle.empty() && unit.inputs.empty())
            obstacle = "as they read no value of the graph";
        if (!obstacle.empty()) {
            if (!m_selection.only.isEmpty() && obstacle.starts_with("as --only"))
                return; // most of a graph
            m_left.add(obstacle, node.name);
            return;
        }
        takeRelu(unit);
        m_units.push_back(std::move(unit));
    }

    /// What takes the first part of a result; none where nothing does.
    NodeId outputOf(const Node& node) const {
        for (const NodeId user : node.users) {
            const Node& reader = m_graph.node(user);
            if (reader.target.name() == "operator.getitem" && reader.args.size() == 2 &&
                reader.args[1] == Argument(0))
                return user;
        }
        return {};
    }

    /// "LSTM" of a class that no function stands for.
    static std::string nameOfCall(const std::string& call, const Module* module) {
        if (!call.empty())
            return call;
        return module ? std::string(shortTypeName(module->type)) : "what they call";
    }

    std::string weightObstacle(const std::string& path) const {
        const auto entry = tensorEntry(m_model, m_module, path);
        const c10::ScalarType dtype = entry ? m_model.tensor(entry->tensor).meta().dtype : c10::kByte;
        if (dtype == c10::kBFloat16)
            return m_selection.takesBfloat16 ? "" : "as bfloat16 is for --mode weight-only";
        return dtype == c10::kFloat ? "" : "as their weights are not float32";
    }

    /// Whether all that it reads is the model's: a weight that is turned is a weight.
    bool movesState(const Node& node) const {
        return !node.inputs.empty() && std::ranges::all_of(node.inputs, [&](const InputUse& input) {
            return m_graph.node(input.node).opcode == Opcode::GetAttr;
        });
    }

    /// Whether it computes with what was integers, and whether it gives what becomes integers, perhaps after
    /// a relu that is one with it.
    std::pair<bool, bool> integersAround(const Node& node) const {
        const bool reads = std::ranges::any_of(
            node.inputs, [&](const InputUse& input) { return isRestoring(m_graph.node(input.node)); });
        return {reads, isRounded(node) || (node.users.size() == 1 && isRelu(*node.users.begin()) &&
                                           isRounded(m_graph.node(*node.users.begin())))};
    }
    bool isRounded(const Node& node) const {
        return std::ranges::any_of(node.users.toVector(),
                                   [&](NodeId user) { return isQuantizing(m_graph.node(user)); });
    }
    bool isRelu(NodeId node) const {
        return quantizedCallName(m_model, m_module, m_graph.node(node)) == "relu";
    }

    /// Whether it has parameters: what people expect to be quantized, or to be told why not.
    bool readsWeights(const Node& node, const Module* module) const {
        if (module)
            return std::ranges::any_of(module->tensors, [](const NamedTensor& tensor) {
                return tensor.tensor && tensor.role == TensorRole::Parameter;
            });
        return std::ranges::any_of(node.inputs, [&](const InputUse& input) {
            const auto entry = entryRead(m_model, m_module, input.node);
            return entry && entry->role == TensorRole::Parameter;
        });
    }

    std::vector<NodeId> inputOfLayer(const Node& node, const Layer& layer) const {
        const Argument* input = node.opcode == Opcode::CallModule  ? inputOfModule(node)
                                : functionOfTorch(node) == "addmm" ? &node.args[1]
                                                                   : givenArgument(node, "input");
        if (!input && layer.kind == Layer::Kind::Table)
            input = givenArgument(node, "indices");
        if (!input && !node.args.empty() && !layer.module)
            input = &node.args[0];
        return input && input->node() ? std::vector<NodeId>{input->node()} : std::vector<NodeId>();
    }

    std::vector<NodeId> inputsOf(const Node& node, const CallRow& row) const {
        std::vector<NodeId> out;
        const auto take = [&](NodeId id) {
            if (std::ranges::find(out, id) == out.end())
                out.push_back(id);
        };
        if (row.takesAll) {
            for (const InputUse& input : node.inputs)
                take(input.node);
            return out;
        }
        if (const NodeId first = nodeOf(firstInput(node)))
            take(first);
        return out;
    }

    /// The relu that alone reads the result, after what has a form with it.
    void takeRelu(QuantizableUnit& unit) {
        const bool hasForm = (unit.kind == UnitKind::Layer && unit.layer->kind != Layer::Kind::Transposed &&
                              unit.layer->kind != Layer::Kind::Table && unit.recurrent.empty()) ||
                             unit.call == "add" || unit.call == "mul" || unit.call == "batch_norm";
        const Node& node = m_graph.node(unit.node);
        if (!hasForm || node.users.size() != 1)
            return;
        const Node& reader = m_graph.node(*node.users.begin());
        const Module* module = calledModule(m_model, m_module, reader);
        if (!isRelu(reader.id) || (module && hasHooks(*module)) ||
            !m_selection.obstacle(reader, module, "relu").empty())
            return;
        unit.last = reader.id;
        m_taken.insert(reader.id);
    }

    const Model& m_model;
    const Graph& m_graph;
    ModuleId m_module;
    const LayerSelection& m_selection;
    LeftAlone& m_left;
    std::vector<QuantizableUnit> m_units;
    std::unordered_set<NodeId> m_taken;
};

} // namespace

std::string quantizedCallName(const Model& model, ModuleId module, const Node& node) {
    std::string name;
    if (const Module* called = calledModule(model, module, node)) {
        std::string obstacle;
        const ModuleFunction* row = called->graph ? nullptr : functionOf(*called, obstacle);
        if (!row)
            return {};
        if (called->type.ends_with(".activation.ReLU6"))
            return "relu6";
        name = row->function.empty() ? "detach" : row->function; // nn.Identity hands its input on
        if (name.starts_with('.'))
            name.erase(0, 1);
        if (name.starts_with("torch."))
            name.erase(0, 6);
    } else if (node.opcode == Opcode::CallMethod) {
        name = node.target.name();
    } else {
        name = functionOfTorch(node);
        if (name.empty() && node.target.name().starts_with("operator."))
            name = node.target.functionName();
        if (name == "iadd" || name == "imul")
            name.erase(0, 1);
    }
    while (name.ends_with('_'))
        name.pop_back();
    return name;
}

static bool isDecomposed(const Node& node, std::string_view name) {
    constexpr std::string_view kHead = "torch.ops.quantized_decomposed.";
    return node.target.name().starts_with(kHead) &&
           std::string_view(node.target.name()).substr(kHead.size()).starts_with(name);
}

bool isRestoring(const Node& node) {
    return isDecomposed(node, "dequantize");
}

bool isQuantizing(const Node& node) {
    return isDecomposed(node, "quantize");
}

std::vector<Layer> QuantizableUnit::layers() const {
    if (!recurrent.empty())
        return recurrent;
    return layer ? std::vector<Layer>{*layer} : std::vector<Layer>();
}

std::vector<QuantizableUnit> findUnits(const Model& model, ModuleId module, const LayerSelection& selection,
                                       LeftAlone& left) {
    return UnitFinder(model, module, selection, left).run();
}

SharedWrites::SharedWrites(const Model& model, ModuleId module) : m_effects(model, module) {
    const Graph& graph = model.graph(module);
    std::unordered_set<NodeId> harmless; ///< results of writes into what nobody else reads
    for (const Node& node : graph) {
        const std::vector<NodeId> written = m_effects.writtenBy(node);
        bool isHarmless = !written.empty();
        for (const NodeId value : written) {
            const Node& target = graph.node(value);
            const bool isOwn = target.opcode != Opcode::Placeholder && target.opcode != Opcode::GetAttr &&
                               target.users.size() == 1 &&
                               (harmless.contains(value) || m_effects.givesNewMemory(target));
            if (!isOwn)
                m_memory.insert(m_effects.memoryOf(value));
            isHarmless = isHarmless && isOwn;
        }
        if (isHarmless)
            harmless.insert(node.id);
    }
}

} // namespace fx
