// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/fake_quantize.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/lazy_tensor.h"
#include "core/passes/clean/recorded.h"
#include "core/torch/bind/parameters.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace fx {

namespace {

constexpr std::string_view kFollowing = "fused_moving_avg_obs_fake_quant",
                           kFixed = "fake_quantize_per_tensor_affine";
/// How much of each run goes into the range of a value, as torch.ao has it; a weight's is its own in each run
/// of training, and nothing is to be seen where it stays as it is.
constexpr double kShareOfRun = 0.01, kWhole = 1, kNoShare = 0;

class FakeQuantizer {
public:
    FakeQuantizer(Edit& edit, const QuantizationPlan& plan, FakeQuantization what)
        : m_edit(edit), m_plan(plan), m_rounds(what == FakeQuantization::Rounds),
          m_state(freePath(edit.model(), edit.module(), "fake_quantization")) {
        for (const Node& node : edit.graph())
            if (node.opcode == Opcode::Placeholder)
                m_lastInput = node.id;
    }

    size_t run() {
        std::map<NodeId, NodeId> moved;
        const std::vector<Layer> layers = inlinedLayers(m_edit, m_plan, moved);
        std::map<NodeId, std::vector<const Layer*>> byReader;
        for (const Layer& layer : layers)
            byReader[layer.weightReader].push_back(&layer);
        for (const auto& [reader, same] : byReader)
            roundWeight(reader, same);
        const auto now = [&](NodeId id) { return moved.contains(id) ? moved.at(id) : id; };
        for (const QuantizedValue& value : m_plan.values)
            roundValue(value, now);
        return byReader.size();
    }

private:
    void roundWeight(NodeId reader, const std::vector<const Layer*>& layers) {
        const Layer& layer = *layers.front();
        const TensorEntry entry = *tensorEntry(m_edit.model(), m_edit.module(), layer.weightPath);
        const std::optional<int64_t> axis = channelAxis(layer, *m_plan.weights);
        const IntegerScheme scheme = IntegerScheme::weights();
        const std::vector<TensorSlot> range = lazyTensors(
            {m_edit.model().tensor(entry.tensor)}, [axis, scheme](const std::vector<at::Tensor>& given) {
                return rangeState(rangeOf(given[0], axis), scheme);
            });
        const NodeId rounded = following(reader, reader, m_edit.node(reader).name, range,
                                         m_rounds ? kWhole : kNoShare, scheme, axis);
        for (const Layer* each : layers)
            m_edit.replaceInputWith(each->weightUser, reader, rounded);
    }

    void roundValue(const QuantizedValue& planned, const std::function<NodeId(NodeId)>& now) {
        const NodeId value = now(planned.value);
        std::vector<NodeId> readers;
        if (planned.isForAll)
            readers = m_edit.node(value).users.toVector();
        else
            for (const NodeId reader : planned.readers)
                readers.push_back(now(reader));
        const NodeId at = m_edit.node(value).opcode == Opcode::Placeholder ? m_lastInput : value;
        const NodeId rounded = moduleOrCall(value, at, planned, now);
        for (const NodeId reader : readers)
            m_edit.replaceInputWith(reader, value, rounded);
    }

    NodeId moduleOrCall(NodeId value, NodeId at, const QuantizedValue& planned,
                        const std::function<NodeId(NodeId)>& now) {
        const bool isSeen = planned.range.low.defined();
        if (!isSeen && m_rounds)
            return fixed(value, at, planned);
        std::vector<TensorSlot> range;
        for (const at::Tensor& each : rangeState(isSeen ? planned.range : heldRange(planned), planned.scheme))
            range.emplace_back(each);
        return following(value, at, m_edit.node(isSeen ? now(planned.group) : value).name, range,
                         isSeen ? kShareOfRun : kNoShare, planned.scheme, std::nullopt);
    }

    /// What a module keeps of a range: min_val, max_val, scale, zero_point.
    static std::vector<at::Tensor> rangeState(const ValueRange& range, const IntegerScheme& scheme) {
        const QuantizationParameters found = parametersOf(range, scheme);
        return {range.low.clone(), range.high.clone(), found.scale.reshape(-1).clone(),
                found.zeroPoint.reshape(-1).to(at::kInt)};
    }

    /// Which its scale and zero point stand for.
    static ValueRange heldRange(const QuantizedValue& value) {
        const auto numberOf = [&](int64_t integer) {
            return at::tensor(
                static_cast<float>(static_cast<double>(integer - value.zeroPoint) * value.scale));
        };
        return {numberOf(value.scheme.least), numberOf(value.scheme.most)};
    }

    NodeId fixed(NodeId value, NodeId at, const QuantizedValue& planned) {
        const Edit::InsertPoint point = m_edit.insertingAfter(at);
        return noted(value, call(kFixed, {value, planned.scale, planned.zeroPoint, planned.scheme.least,
                                          planned.scheme.most}));
    }

    /// By a module that keeps the range; of values with one name it is one module.
    NodeId following(NodeId value, NodeId at, const std::string& name, const std::vector<TensorSlot>& range,
                     double share, const IntegerScheme& scheme, std::optional<int64_t> axis) {
        const std::string path = m_state + '.' + name;
        if (!m_edit.model().resolve(m_edit.module(), path))
            addModule(path, range, share, scheme, axis);
        const Edit::InsertPoint point = m_edit.insertingAfter(at);
        return noted(value, m_edit.callModule(path, {value}));
    }

    void addModule(const std::string& path, const std::vector<TensorSlot>& range, double share,
                   const IntegerScheme& scheme, std::optional<int64_t> axis) {
        const ModuleId made = m_edit.createModule("GraphModule", true), here = m_edit.module();
        m_edit.addSubmodule(path, made);
        m_edit.enter(made);
        const std::pair<const char*, TensorSlot> state[] = {
            {"observer_enabled", TensorSlot(at::full({1}, share == kNoShare ? 0 : 1, at::kLong))},
            {"fake_quant_enabled", TensorSlot(at::full({1}, m_rounds ? 1 : 0, at::kLong))},
            {"min_val", range[0]},
            {"max_val", range[1]},
            {"scale", range[2]},
            {"zero_point", range[3]}};
        const NodeId given = m_edit.placeholder("x");
        // The operator supports ranges per index of axis 0 only.
        const bool isSecond = axis == 1;
        Arguments args = {isSecond ? transposed(given) : given};
        for (const auto& [name, tensor] : state) {
            m_edit.setTensor(name, m_edit.createTensor(tensor), TensorRole::Buffer);
            args.emplace_back(m_edit.getAttr(name));
        }
        for (const Argument& last :
             {Argument(share), Argument(scheme.least), Argument(scheme.most),
              Argument(int64_t(axis ? 0 : -1)), Argument(axis.has_value()), Argument(scheme.isSymmetric)})
            args.push_back(last);
        const NodeId rounded = call(kFollowing, std::move(args));
        m_edit.output(isSecond ? transposed(rounded) : rounded);
        m_edit.enter(here);
    }

    NodeId transposed(NodeId value) {
        return m_edit.callFunction(m_plan.isAten ? "torch.ops.aten.transpose.int" : "torch.transpose",
                                   {value, int64_t(0), int64_t(1)});
    }

    NodeId call(std::string_view function, Arguments args) {
        const std::string name(function);
        return m_edit.callFunction(m_plan.isAten ? "torch.ops.aten." + name + ".default" : "torch." + name,
                                   std::move(args));
    }

    NodeId noted(NodeId value, NodeId made) {
        copyPlace(m_edit, value, made);
        copyRecorded(m_edit, value, made);
        return made;
    }

    Edit& m_edit;
    const QuantizationPlan& m_plan;
    const bool m_rounds;
    const std::string m_state;
    NodeId m_lastInput;
};

/// A node that gives what it reads rounded: the call itself, or that of a module whose graph does no
/// more.
struct Rounding {
    NodeId node, input;
    ModuleId module;
    NodeId call; ///< in the module's graph
    bool isTransposed = false;
};

bool rounds(const Node& node) {
    const std::string_view name = functionOfTorch(node);
    return name == kFollowing || name == kFixed;
}
NodeId inputOf(const Node& call) {
    return nodeOf(firstInput(call));
}

bool swapsFirstAxes(const Node& node) {
    return functionOfTorch(node) == "transpose" && node.args.size() == 3 && node.args[0].node() &&
           node.args[1] == Argument(int64_t(0)) && node.args[2] == Argument(int64_t(1));
}

/// Finds the rounding of a call, including the transpositions around it if its ranges are per index of
/// axis 1.
std::optional<Rounding> roundingBy(const Graph& graph, ModuleId module, const Node& call) {
    const NodeId input = inputOf(call);
    if (!input)
        return {};
    const Node& given = graph.node(input);
    if (swapsFirstAxes(given) && call.users.size() == 1 && swapsFirstAxes(graph.node(*call.users.begin())))
        return Rounding{*call.users.begin(), given.args[0].node(), module, call.id, true};
    return Rounding{call.id, input, module, call.id};
}

std::optional<Rounding> roundingAt(const Model& model, ModuleId module, const Node& node) {
    if (rounds(node))
        return roundingBy(model.graph(module), module, node);
    const ModuleId called =
        node.opcode == Opcode::CallModule ? model.resolve(module, node.target.name()).module : ModuleId();
    if (!called || !model.module(called).graph || node.args.size() != 1 || !node.args[0].node())
        return {};
    const Graph& graph = model.graph(called);
    const Node* output = graph.outputNode() ? &graph.node(graph.outputNode()) : nullptr;
    const NodeId result = output ? output->args.at(0).node() : NodeId();
    if (!result)
        return {};
    const NodeId call = swapsFirstAxes(graph.node(result)) ? graph.node(result).args[0].node() : result;
    if (!rounds(graph.node(call)))
        return {};
    const std::optional<Rounding> found = roundingBy(graph, called, graph.node(call));
    if (!found || found->node != result || graph.node(found->input).opcode != Opcode::Placeholder)
        return {};
    return Rounding{node.id, node.args[0].node(), called, call};
}

std::vector<Rounding> roundings(const Model& model, ModuleId module) {
    std::vector<Rounding> out;
    for (const Node& node : model.graph(module))
        if (const std::optional<Rounding> rounding = roundingAt(model, module, node))
            out.push_back(*rounding);
    return out;
}

class FakeQuantizationTaker {
public:
    explicit FakeQuantizationTaker(Edit& edit) : m_edit(edit) {
        m_plan.weights.emplace();
        m_plan.weights->isPerChannel = false;
        m_plan.isAten = isOfAten(edit.graph());
    }

    std::optional<QuantizationPlan> run() {
        const std::vector<Rounding> found = roundings(m_edit.model(), m_edit.module());
        if (found.empty())
            return {};
        for (const Rounding& rounding : found)
            take(rounding);
        deleteUnreached(m_edit, m_paths);
        keepUnits();
        return std::move(m_plan);
    }

private:
    void take(const Rounding& rounding) {
        const Node& node = m_edit.node(rounding.node);
        const Node& call = m_edit.model().graph(rounding.module).node(rounding.call);
        if (functionOfTorch(call) == kFollowing && flag(call, "symmetric_quant")) {
            m_weights.insert(rounding.input);
            m_plan.weights->isPerChannel |= flag(call, "per_row_fake_quant");
        } else {
            QuantizedValue value =
                functionOfTorch(call) == kFollowing ? followed(rounding.module, call) : fixed(call);
            value.value = rounding.input;
            value.readers = node.users.toVector();
            m_plan.values.push_back(std::move(value));
        }
        std::vector<NodeId> reads;
        const Node& reading = rounding.isTransposed ? call : node;
        const NodeId inner = rounding.isTransposed ? inputOf(call) : NodeId();
        for (const InputUse& use : reading.inputs)
            if (use.node != rounding.input && m_edit.node(use.node).opcode == Opcode::GetAttr)
                reads.push_back(use.node);
        if (node.opcode == Opcode::CallModule)
            m_paths.push_back(node.target.name());
        m_edit.replaceAllUsesWith(rounding.node, rounding.input);
        m_edit.eraseNode(rounding.node);
        if (inner) {
            m_edit.eraseNode(rounding.call);
            if (m_edit.node(inner).users.empty())
                m_edit.eraseNode(inner);
        }
        for (const NodeId read : reads)
            if (m_edit.node(read).users.empty()) {
                m_paths.push_back(m_edit.node(read).target.name());
                m_edit.eraseNode(read);
            }
    }

    static bool flag(const Node& call, const char* name) {
        const Argument* given = givenArgument(call, name);
        return given && given->as<bool>() && *given->as<bool>();
    }

    template <class T>
    static T number(const Node& call, const char* name) {
        const Argument* given = givenArgument(call, name);
        if (!given || !given->as<T>())
            throw Error(call.name, std::string(name) + " is no number that is written down");
        return *given->as<T>();
    }

    static IntegerScheme schemeOf(const Node& call) {
        return {at::kByte, number<int64_t>(call, "quant_min"), number<int64_t>(call, "quant_max"), false};
    }

    static QuantizedValue fixed(const Node& call) {
        QuantizedValue out;
        out.scheme = schemeOf(call);
        out.scale = number<double>(call, "scale");
        out.zeroPoint = number<int64_t>(call, "zero_point");
        return out;
    }

    QuantizedValue followed(ModuleId module, const Node& call) const {
        QuantizedValue out;
        out.scheme = schemeOf(call);
        const QuantizationParameters found = parametersOf(
            {stateOf(module, call, "running_min"), stateOf(module, call, "running_max")}, out.scheme);
        out.scale = found.scale.item<double>();
        out.zeroPoint = found.zeroPoint.item<int64_t>();
        return out;
    }

    at::Tensor stateOf(ModuleId module, const Node& call, const char* name) const {
        const NodeId reader = nodeOf(givenArgument(call, name));
        const TensorSlot* read = tensorRead(m_edit.model(), module, reader);
        if (!read)
            throw Error(call.name, std::string(name) + " is no tensor of the model");
        const at::Tensor value = read->value();
        if (value.numel() != 1 || !std::isfinite(value.item<double>()))
            throw Error(m_edit.model().graph(module).node(reader).target.name(),
                        "is no number: no values were seen")
                .hint("run the model where observer_enabled is 1");
        return value.reshape({});
    }

    /// The calls whose weights or results were rounded.
    void keepUnits() {
        const CallPatterns all("");
        LeftAlone others;
        std::unordered_set<NodeId> results;
        for (const QuantizedValue& value : m_plan.values)
            results.insert(value.value);
        m_plan.units = findUnits(m_edit.model(), m_edit.module(), {all, all}, others);
        std::erase_if(m_plan.units, [&](const QuantizableUnit& unit) {
            return unit.layer ? !m_weights.contains(unit.layer->weightReader) : !results.contains(unit.last);
        });
    }

    Edit& m_edit;
    QuantizationPlan m_plan;
    std::unordered_set<NodeId> m_weights; ///< get_attr nodes
    std::vector<std::string> m_paths;     ///< of what the calls kept
};

} // namespace

std::string fakeQuantizeGraph(Edit& edit, const QuantizationPlan& plan, FakeQuantization what) {
    const bool rounds = what == FakeQuantization::Rounds;
    const size_t weights = FakeQuantizer(edit, plan, what).run();
    return plural(plan.units.size(), "call") + " with " + (rounds ? "fake quantization" : "observers") +
           " of " + plural(plan.values.size(), "value") + " and " + plural(weights, "weight") + ": " +
           (rounds ? "train" : "run") + " the model, then quantize what came of it";
}

bool hasFakeQuantization(const Model& model, ModuleId module) {
    return !roundings(model, module).empty();
}

std::optional<QuantizationPlan> takeFakeQuantization(Edit& edit) {
    return FakeQuantizationTaker(edit).run();
}

} // namespace fx
