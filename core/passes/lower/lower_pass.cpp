// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/lower_pass.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/shape_prop.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/fuse/fuse_pass.h"
#include "core/passes/lower/compile_parts.h"
#include "core/passes/lower/integer_lowering.h"
#include "core/passes/lower/integer_times.h"
#include "core/passes/lower/integer_values.h"
#include "core/passes/lower/onednn_timing.h"
#include "core/passes/lower/onednn_writer.h"
#include "core/passes/lower/recurrent_kernels.h"
#include "core/passes/lower/reduced_ranges.h"
#include "core/passes/lower/small_tables.h"
#include "core/passes/lower/weight_kernels.h"
#include "core/passes/lower/whole_times.h"
#include "core/passes/pass_options.h"
#include "core/passes/run_progress.h"

#include <algorithm>

namespace fx {

namespace {

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
        foldNormsBySizes(m_edit, inputs, m_context.results);
        writeOnednnCalls(m_edit, calls);
        std::string told = plural(calls.size(), "call") + " of oneDNN, of " + std::to_string(m_found) +
                           " that there could be";
        const auto isRestored = [](const OnednnCall& call) { return bool(call.restored); };
        if (const auto count = std::ranges::count_if(calls, isRestored))
            told += ", " + std::to_string(count) + " over small weights that a run restores once";
        m_context.results.push_back(std::move(told));
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
        foldNormsBySizes(edit, inputs, unsaid);
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
    void foldNormsBySizes(Edit& edit, const GraphInputs& inputs, std::vector<std::string>& results) const {
        RunProgress progress(m_context.progress, edit.graph().size());
        propagateShapes(edit, inputs, m_context.settings, &progress);
        PassContext own{m_context.progress};
        foldNorms(edit, own);
        std::ranges::move(own.results, std::back_inserter(results));
    }

    /// Layers of the same sizes are measured once. To restore a weight in each run is never faster.
    bool isWorthwhile(const Model& trial, const OnednnCall& call) {
        if (call.restored)
            return true;
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
            writeOnednnCalls(edit, plan);
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
