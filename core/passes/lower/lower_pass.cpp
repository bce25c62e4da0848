// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/lower_pass.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/shape_prop.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/clean/reshape_views.h"
#include "core/passes/fuse/fuse_pass.h"
#include "core/passes/lower/compile_parts.h"
#include "core/passes/lower/integer_lowering.h"
#include "core/passes/lower/integer_times.h"
#include "core/passes/lower/integer_values.h"
#include "core/passes/lower/onednn_timing.h"
#include "core/passes/lower/recurrent_kernels.h"
#include "core/passes/lower/reduced_ranges.h"
#include "core/passes/lower/small_tables.h"
#include "core/passes/lower/weight_kernels.h"
#include "core/passes/lower/whole_times.h"
#include "core/passes/pass_options.h"
#include "core/passes/registry.h"
#include "core/passes/run_progress.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// Puts oneDNN's calls into a graph.
class CallWriter {
public:
    explicit CallWriter(Edit& edit) : m_edit(edit) {
        for (const Node& node : edit.graph())
            if (node.opcode == Opcode::GetAttr)
                m_readers.try_emplace(node.target, node.id);
    }

    void write(const OnednnCall& call) {
        const NodeId last = call.last();
        const Edit::InsertPoint point = m_edit.insertingBefore(last);
        const Argument weight = readOf(call.weightPath, call);
        const Argument bias = call.biasPath ? Argument(readOf(*call.biasPath, call)) : Argument();
        const NodeId made = call.isConvolution ? convolution(call, packed(call, weight), bias)
                                               : linear(call, packed(call, weight), bias);
        copyPlace(m_edit, call.layer, made);
        copyRecorded(m_edit, last, made);
        m_edit.replaceAllUsesWith(last, made);
        for (const NodeId node : {call.activation, call.sum, call.layer})
            if (node)
                m_edit.eraseNode(node);
        if (call.transposed && m_edit.node(call.transposed).users.empty())
            m_edit.eraseNode(call.transposed);
    }

private:
    NodeId readOf(const std::string& path, const OnednnCall& call) {
        const auto known = m_readers.find(Target(path));
        if (known != m_readers.end() && m_edit.graph().precedes(known->second, call.last()))
            return known->second;
        const NodeId made = m_edit.getAttr(path);
        copyPlace(m_edit, call.layer, made);
        m_readers[Target(path)] = made;
        return made;
    }

    NodeId packed(const OnednnCall& call, const Argument& weight) {
        NodeId made;
        if (call.isConvolution) {
            made = m_edit.callFunction("torch.ops.mkldnn._reorder_convolution_weight.default",
                                       {weight, numberList(call.settings.padding),
                                        numberList(call.settings.stride), numberList(call.settings.dilation),
                                        call.groups, numberList(call.inputSizes)});
        } else {
            int64_t rows = 1;
            for (size_t i = 0; i + 1 < call.inputSizes.size(); ++i)
                rows *= call.inputSizes[i];
            made = m_edit.callFunction("torch.ops.mkldnn._reorder_linear_weight.default", {weight, rows});
        }
        copyPlace(m_edit, call.layer, made);
        return made;
    }

    NodeId convolution(const OnednnCall& call, NodeId weight, const Argument& bias) {
        const Argument input = inputOf(call);
        if (!call.sum)
            return m_edit.callFunction("torch.ops.mkldnn._convolution_pointwise.default",
                                       {input, weight, bias, numberList(call.settings.padding),
                                        numberList(call.settings.stride), numberList(call.settings.dilation),
                                        call.groups, call.unary, ListValue{call.scalars}, call.algorithm});
        const Argument unary = call.activation ? Argument(call.unary) : Argument();
        return m_edit.callFunction("torch.ops.mkldnn._convolution_pointwise_.binary",
                                   {addedTo(call), input, weight, bias, numberList(call.settings.padding),
                                    numberList(call.settings.stride), numberList(call.settings.dilation),
                                    call.groups, "add", 1, unary, ListValue{call.scalars}, call.algorithm});
    }

    /// The other operand of the sum.
    Argument addedTo(const OnednnCall& call) const {
        const Node& sum = m_edit.node(call.sum);
        return sum.args[0].node() == call.layer ? sum.args[1] : sum.args[0];
    }

    NodeId linear(const OnednnCall& call, NodeId weight, const Argument& bias) {
        if (call.sum)
            return m_edit.callFunction("torch.ops.mkldnn._linear_pointwise.binary",
                                       {inputOf(call), addedTo(call), weight, bias, "add"});
        return m_edit.callFunction(
            "torch.ops.mkldnn._linear_pointwise.default",
            {inputOf(call), weight, bias, call.unary, ListValue{call.scalars}, call.algorithm});
    }

    /// What the layer reads now: a call before it may have been written.
    Argument inputOf(const OnednnCall& call) const {
        const Node& layer = m_edit.node(call.layer);
        const bool isAddmm = layer.target.name().find("addmm") != std::string::npos;
        if (layer.args.empty())
            return layer.kwargs.at(0).second;
        return layer.args[isAddmm ? 1 : 0];
    }

    Edit& m_edit;
    std::unordered_map<Target, NodeId> m_readers;
};

void writeCalls(Edit& edit, const std::vector<OnednnCall>& calls) {
    CallWriter writer(edit);
    for (const OnednnCall& call : calls)
        writer.write(call);
    if (std::ranges::any_of(calls, &OnednnCall::isConvolution))
        reshapeImageViews(edit);
}

class Lowering {
public:
    Lowering(Edit& edit, const PassOptions& options, PassContext& context)
        : m_edit(edit), m_options(options), m_context(context) {}

    void run() {
        if (!m_context.inputs)
            throw Error("", "the sizes of the inputs decide, and there are no inputs");
        const GraphInputs inputs = m_context.inputs(m_edit.model());
        lowerRecurrent(m_edit, inputs, isAlways(), m_context); // before roundings are left out
        takeIntegers(inputs);
        lowerSmallWeights(m_edit, inputs, isAlways(), m_context);
        lowerSmallTables(m_edit, inputs, isAlways(), m_context);
        // All is tried on a copy, of which the model gets what was worth it.
        Model trial = m_edit.model();
        const std::vector<OnednnCall> calls = best(trial, plansOn(trial, inputs), inputs);
        if (calls.empty())
            return;
        foldNorms(m_edit, inputs, m_context.results);
        writeCalls(m_edit, calls);
        m_context.results.push_back(plural(calls.size(), "call") + " of oneDNN, of " +
                                    std::to_string(m_found) + " that there could be");
    }

private:
    bool isAlways() const { return m_options.flag("always"); }

    /// What a quantized graph computes in integers, where that is faster; tried on a copy first.
    void takeIntegers(const GraphInputs& inputs) {
        if (std::ranges::none_of(m_edit.graph(), [&](const Node& node) {
                return bool(restorationAt(m_edit.graph(), node.id));
            }))
            return;
        const auto lowered = [&](Edit& edit, const KernelChoice& choice) {
            RunProgress progress(m_context.progress, edit.graph().size());
            propagateShapes(edit, inputs, m_context.settings, &progress);
            m_reduced = areSumsCutOff() ? reduceRanges(edit) : 0;
            return lowerIntegers(edit, choice);
        };
        Model trial = m_edit.model();
        Edit edit(trial, Edit::WithoutHistory());
        edit.enter(m_edit.module());
        IntegerTimes times(m_context.settings);
        std::unordered_map<NodeId, LayerKernel> chosen;
        const KernelChoice measures = [&](const IntegerLayer& layer) {
            return chosen[layer.node] = times.fastest(trial, m_edit.module(), layer);
        };
        const IntegerCalls calls = lowered(edit, isAlways() ? KernelChoice() : measures);
        edit.finish();
        calls.left.tellIn(m_context.results);
        if (calls.layers + calls.moves + calls.floats == 0 ||
            (!isAlways() && !isFaster(measured(trial, inputs))))
            return;
        lowered(m_edit, [&](const IntegerLayer& layer) { return chosen[layer.node]; });
        std::string told = plural(calls.layers, "layer") + " in integers";
        if (calls.rounding > 0)
            told +=
                ", " + std::to_string(calls.rounding) + " by LibTorch's kernels that round what they read";
        if (calls.sums > 0)
            told += ", " + std::to_string(calls.sums) + " with a sum that is not rounded before";
        if (calls.moves > 0)
            told += "; integers are moved by " + plural(calls.moves, "call");
        if (calls.roundings > 0)
            told += "; " + plural(calls.roundings, "rounding") + " left out that nothing in integers reads";
        m_context.results.push_back(told);
        if (m_reduced > 0)
            m_context.results.push_back(plural(m_reduced, "value") +
                                        " in 7 bits, as this processor cuts off sums over 8");
    }

    /// The calls that could be written, of the model after fusing: those that each measure faster than what
    /// they take the place of, and all of them, as single measurements err.
    std::vector<std::vector<OnednnCall>> plansOn(Model& trial, const GraphInputs& inputs) {
        Edit edit(trial, Edit::WithoutHistory());
        edit.enter(m_edit.module());
        std::vector<std::string> unsaid;
        foldNorms(edit, inputs, unsaid);
        edit.finish();
        const OnednnCalls calls(trial, m_edit.module());
        LeftAlone left;
        for (const auto& [reason, name] : calls.leftAlone())
            left.add(reason, name);
        left.tellIn(m_context.results);
        m_found = calls.found().size();
        if (m_found == 0)
            return {};
        std::vector<OnednnCall> chosen;
        for (const OnednnCall& call : calls.found())
            if (!isAlways() && isWorthwhile(trial, call))
                chosen.push_back(call);
        if (chosen.empty() || chosen.size() == m_found)
            return {calls.found()};
        return {std::move(chosen), calls.found()};
    }

    /// Over which dimension a normalisation goes after a linear layer is known by the shapes.
    void foldNorms(Edit& edit, const GraphInputs& inputs, std::vector<std::string>& results) const {
        RunProgress progress(m_context.progress, edit.graph().size());
        propagateShapes(edit, inputs, m_context.settings, &progress);
        PassContext own{m_context.progress};
        runFuse(edit, PassOptions(findPass("fuse"), {}), own);
        results.insert(results.end(), own.results.begin(), own.results.end());
    }

    /// Layers of the same sizes are measured once.
    bool isWorthwhile(const Model& trial, const OnednnCall& call) {
        const std::vector<Dimension>& weight =
            trial.tensor(tensorEntry(trial, m_edit.module(), call.weightPath)->tensor).meta().shape;
        for (const auto& [known, shape, answer] : m_measured)
            if (known.isLike(call) && shape == weight)
                return answer;
        const CallTimes times = timesOf(trial, m_edit.module(), call);
        const bool answer = times.after < times.before; // all of them together have to be worth it
        m_measured.emplace_back(call, weight, answer);
        return answer;
    }

    /// Those of the plans by which the whole graph is fastest; none where it is no faster than it was.
    std::vector<OnednnCall> best(const Model& trial, std::vector<std::vector<OnednnCall>> plans,
                                 const GraphInputs& inputs) {
        if (isAlways() || plans.empty())
            return plans.empty() ? std::vector<OnednnCall>() : std::move(plans.front());
        std::pair<double, double> times(0, 0);
        std::vector<OnednnCall> out;
        for (std::vector<OnednnCall>& plan : plans) {
            Model model = trial;
            Edit edit(model, Edit::WithoutHistory());
            edit.enter(m_edit.module());
            writeCalls(edit, plan);
            edit.finish();
            const auto found = measured(model, inputs);
            if (out.empty() || found.second * times.first < times.second * found.first) {
                times = found;
                out = std::move(plan);
            }
        }
        return isFaster(times) ? out : std::vector<OnednnCall>();
    }

    std::pair<double, double> measured(const Model& other, const GraphInputs& inputs) const {
        return wholeTimes(m_edit.model(), other, inputs, m_context.settings);
    }
    bool isFaster(std::pair<double, double> times) const { return fx::isFaster(times, m_context.results); }

    struct Measured {
        OnednnCall call;
        std::vector<Dimension> weight;
        bool answer;
    };

    Edit& m_edit;
    const PassOptions& m_options;
    PassContext& m_context;
    std::vector<Measured> m_measured;
    size_t m_reduced = 0; ///< values that have a bit less
    size_t m_found = 0;   ///< layers that oneDNN has a call for
};

/// What one of them has no use for is not passed over in silence.
void requireFittingOptions(const PassOptions& options) {
    const std::string to = options.text("to");
    for (const char* option : {"part", "freeze", "optimize"}) {
        const bool isFitting = to == "torchscript" || (to == "aotinductor" && option == std::string("part"));
        if (options.isGiven(option) && !isFitting)
            throw Error(std::string("--") + option, "says nothing to lower --to " + to);
    }
}

} // namespace

std::vector<PassOption> lowerOptions() {
    using enum OptionType;
    return {
        {.name = "to",
         .type = Choice,
         .help = "whose calls: oneDNN's, on the processor; torchscript: a program of LibTorch's, beside "
                 "the graph; aotinductor: starts python3 with PyTorch, which compiles for inputs of these "
                 "sizes on this machine",
         .byDefault = "onednn",
         .choices = {"onednn", "torchscript", "aotinductor"}},
        {.name = "part",
         .type = String,
         .help = "for torchscript and aotinductor: submodules with graphs, with commas between them, such "
                 "as split makes; without it the whole graph"},
        {"freeze", Bool, "for torchscript: parameters become constants of the program"},
        {"optimize", Bool,
         "for torchscript: of the frozen program, the same optimized for inference, and the same fused by "
         "oneDNN Graph, that which measures fastest"},
        {"always", Bool, "without measuring, wherever it can be done"}};
}

void runLower(Edit& edit, const PassOptions& options, PassContext& context) {
    if (context.settings.gradMode == GradMode::Grad)
        throw Error("", "what is lowered gives no gradients").hint("run the pass without --autograd grad");
    requireFittingOptions(options);
    if (options.text("to") == "onednn")
        Lowering(edit, options, context).run();
    else
        runCompileParts(edit, options, context);
}

} // namespace fx
