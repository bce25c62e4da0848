// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/quantize_pass.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/fuse/fuse_pass.h"
#include "core/passes/pass_runner.h"
#include "core/passes/quantize/error_budget.h"
#include "core/passes/quantize/fake_quantize.h"
#include "core/passes/quantize/quantize_report.h"
#include "core/passes/quantize/range_observer.h"
#include "core/passes/quantize/trade_off.h"
#include "core/passes/run_progress.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

enum class QuantizationMode { Static, Dynamic, WeightOnly };

class Quantizer {
public:
    Quantizer(Edit& edit, const PassOptions& options, PassContext& context)
        : m_edit(edit), m_options(options),
          m_context(context), m_selection{CallPatterns(options.has("only") ? options.text("only") : ""),
                                          CallPatterns(options.has("skip") ? options.text("skip") : ""),
                                          options.text("mode") == "weight-only"},
          m_mode(options.text("mode") == "static"    ? QuantizationMode::Static
                 : options.text("mode") == "dynamic" ? QuantizationMode::Dynamic
                                                     : QuantizationMode::WeightOnly),
          m_progress(context.progress, edit.graph().size() * 5), m_weights(weightPlan()) {
        if (options.has("budget"))
            m_budget.emplace(options.text("budget"));
    }

    void run() {
        if (m_mode == QuantizationMode::Static && hasFakeQuantization(m_edit.model(), m_edit.module())) {
            if (m_options.flag("qat"))
                m_context.results.emplace_back("nothing done, as there is fake quantization already");
            else
                apply(*takeFakeQuantization(m_edit));
            return;
        }
        if (m_mode == QuantizationMode::Static)
            runFuse(m_edit, m_options, m_context); // as torch.ao does before anything else
        m_units = findUnits(m_edit.model(), m_edit.module(), m_selection, m_left);
        keepUnitsOfMode();
        for (const CallPatterns* patterns : {&m_selection.only, &m_selection.skip})
            for (const std::string& word : patterns->unused())
                m_context.warnings.push_back("no call that has an integer form is meant by " +
                                             pythonRepr(word));
        if (!m_units.empty())
            calibrate();
        if (m_options.text("sweep") != "none" && !m_units.empty())
            sweep();
        if (m_budget)
            keepBudget();
        const QuantizationPlan plan = planOf(m_units);
        if (plan.units.empty())
            m_context.results.emplace_back("nothing quantized");
        else if (m_options.flag("qat"))
            m_context.results.push_back(trainingText(plan, fakeQuantizeGraph(m_edit, plan)));
        else
            apply(plan);
        m_left.tellIn(m_context.results);
    }

private:
    WeightPlan weightPlan() const {
        WeightPlan out;
        const std::string& form = m_options.text("weights");
        out.form = form == "int4"      ? WeightForm::Int4
                   : form == "float16" ? WeightForm::Float16
                                       : WeightForm::Int8;
        out.isPerChannel = m_options.text("granularity") == "per-channel";
        out.groupSize = m_options.integer("group-size");
        if (out.groupSize < 2)
            throw Error("--group-size", "a group has two numbers or more");
        if (m_mode != QuantizationMode::Static && m_options.flag("qat"))
            throw Error("--qat", "is for --mode static");
        if (m_mode != QuantizationMode::WeightOnly && out.form != WeightForm::Int8)
            throw Error("--weights", form + " is for --mode weight-only");
        return out;
    }

    void leave(const QuantizableUnit& unit, const std::string& reason) {
        m_left.add(reason, m_edit.node(unit.node).name);
    }

    void keepUnitsOfMode() {
        std::erase_if(m_units, [&](const QuantizableUnit& unit) {
            if (unit.kind != UnitKind::Layer)
                return m_mode != QuantizationMode::Static;
            const bool isLinear =
                unit.layer->kind == Layer::Kind::Linear || unit.layer->kind == Layer::Kind::LinearByRows;
            const bool isTable = unit.layer->kind == Layer::Kind::Table;
            std::string obstacle = isTable && m_mode != QuantizationMode::WeightOnly
                                       ? "as tables of embeddings are for --mode weight-only"
                                   : m_mode == QuantizationMode::Dynamic && !isLinear
                                       ? "as dynamic is for linear layers"
                                       : "";
            if (obstacle.empty())
                obstacle = weightObstacle(m_edit.model(), m_edit.module(), *unit.layer, m_weights);
            if (!obstacle.empty())
                leave(unit, obstacle);
            return !obstacle.empty();
        });
    }

    /// Runs the model; without a need for it, only where there is something to run it with.
    void calibrate() {
        const auto kind = static_cast<ObserverKind>(
            std::ranges::find(observerNames(), m_options.text("observer")) - observerNames().begin());
        const double share = m_options.number("percentile") / 100;
        if (!(share > 0 && share <= 1))
            throw Error("--percentile", "a percentile is more than 0 and at most 100");
        const bool isNeeded =
            m_mode == QuantizationMode::Static || m_budget || m_options.text("sweep") != "none";
        if (!isNeeded && !m_options.flag("measure"))
            return;
        m_calibration.emplace(m_edit.model(), m_edit.module(), m_units,
                              m_mode == QuantizationMode::Static ? kind : ObserverKind::MinMax, share);
        try {
            forEachExample([&](const GraphInputs& inputs) {
                if (m_calibration->runs() == 0)
                    m_first = inputs;
                m_calibration->run(inputs, m_context.settings, m_progress);
            });
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            if (isNeeded)
                throw;
            m_calibration.reset();
            m_context.results.push_back(std::string("errors of layers are not measured: ") + error.what());
            return;
        }
        std::erase_if(m_units, [&](const QuantizableUnit& unit) {
            const std::string obstacle =
                m_mode == QuantizationMode::WeightOnly ? "" : m_calibration->obstacle(unit);
            if (!obstacle.empty())
                leave(unit, obstacle);
            return !obstacle.empty();
        });
    }

    void forEachExample(const std::function<void(const GraphInputs&)>& visit) {
        if (m_options.has("calibration")) {
            if (!m_context.examples)
                throw Error("--calibration", "no files can be read here");
            m_context.examples(m_edit.model(), m_options.text("calibration"), visit);
            if (m_calibration->runs() == 0)
                throw Error(m_options.text("calibration"), "holds no inputs");
            return;
        }
        if (!m_context.inputs)
            throw Error("", "there are no inputs to run the model with")
                .hint("give some with --inputs, --input or --calibration");
        visit(m_context.inputs(m_edit.model()));
    }

    /// What becomes of those units.
    QuantizationPlan planOf(const std::vector<QuantizableUnit>& units) const {
        QuantizationPlan plan;
        plan.units = units;
        plan.weights = m_weights;
        plan.isAten = isOfAten(m_edit.graph());
        if (m_mode == QuantizationMode::WeightOnly)
            return plan;
        std::map<NodeId, QuantizedValue> values;
        for (const QuantizableUnit& unit : units) {
            for (const NodeId input : inputsOf(unit))
                values[input].readers.push_back(unit.node);
            if (m_mode == QuantizationMode::Static)
                values[unit.last].isForAll = true;
        }
        for (const QuantizableUnit& unit : units)
            if (unit.kind == UnitKind::Fixed)
                takeFixedRange(values[unit.last], unit.call);
        for (auto& [id, value] : values) {
            value.value = id;
            value.isDynamic = m_mode == QuantizationMode::Dynamic;
            if (!value.isDynamic && value.scale == 0)
                takeRange(value);
            plan.values.push_back(std::move(value));
        }
        std::ranges::sort(plan.values, [&](const QuantizedValue& a, const QuantizedValue& b) {
            return m_edit.graph().precedes(a.value, b.value);
        });
        return plan;
    }

    std::vector<NodeId> inputsOf(const QuantizableUnit& unit) const {
        return m_calibration ? m_calibration->tensorInputs(unit) : unit.inputs;
    }

    /// Of functions whose results lie between two numbers whatever they are given.
    void takeFixedRange(QuantizedValue& value, const std::string& call) const {
        const bool isSigned = call == "tanh";
        value.scheme = IntegerScheme::activations(false);
        value.scale = (isSigned ? 2.0 : 1.0) / 256;
        value.zeroPoint = isSigned ? 128 : 0;
    }

    void takeRange(QuantizedValue& value) const {
        value.scheme = IntegerScheme::activations(m_options.flag("reduce-range"));
        value.group = m_calibration->groupOf(value.value);
        const auto [at, isNew] = m_ranges.try_emplace(value.group);
        if (isNew)
            at->second = m_calibration->rangeOf(value.value).range(value.scheme);
        value.range = at->second;
        const QuantizationParameters found = parametersOf(value.range, value.scheme);
        value.scale = found.scale.item<double>();
        value.zeroPoint = found.zeroPoint.item<int64_t>();
    }

    GraphError measured(const Model& model, const QuantizationPlan& plan, const QuantizedGraph& graph,
                        bool areUnitsWanted) {
        return measureErrors(model, m_edit.module(), plan, graph, *m_calibration, m_first, m_context.settings,
                             m_progress, areUnitsWanted);
    }

    /// What the plan would cost, tried on a copy.
    GraphError tried(const QuantizationPlan& plan, bool areUnitsWanted) {
        Model copy = m_edit.model();
        const QuantizedGraph graph = quantized(copy, plan);
        return measured(copy, plan, graph, areUnitsWanted);
    }

    QuantizedGraph quantized(Model& copy, const QuantizationPlan& plan) const {
        Edit edit(copy, m_edit.module());
        QuantizedGraph out = quantizeGraph(edit, plan);
        edit.finish();
        return out;
    }

    /// Without those that are first in the order.
    std::vector<QuantizableUnit> without(const std::vector<size_t>& order, size_t count) const {
        const std::set<size_t> out(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
        std::vector<QuantizableUnit> kept;
        for (size_t i = 0; i < m_units.size(); ++i)
            if (!out.contains(i))
                kept.push_back(m_units[i]);
        return kept;
    }

    /// One, two, four ... of the calls with the greatest errors stay in float32, at last all.
    void tellTradeOff() {
        const QuantizationPlan whole = planOf(m_units);
        const std::vector<size_t> order = worstFirst(whole, tried(whole, true));
        uint64_t bytesBefore = 0; // of all layers, where all are quantized
        std::vector<TradeOffPoint> points;
        for (size_t count = 0;; count = std::min(order.size(), count ? count * 2 : 1)) {
            const QuantizationPlan plan = planOf(without(order, count));
            Model copy = m_edit.model();
            const QuantizedGraph graph = quantized(copy, plan);
            bytesBefore = std::max(bytesBefore, graph.weights.before);
            TradeOffPoint& point = points.emplace_back();
            point.quantized = order.size() - count;
            for (size_t i = 0; i < count; ++i)
                point.left.push_back(m_edit.node(m_units[order[i]].node).name);
            point.error = measured(copy, plan, graph, false).result;
            point.bytes = bytesBefore - graph.weights.before + graph.weights.after;
            point.seconds =
                loweredSeconds(copy, m_edit.module(), m_first, m_context.settings, m_context.progress);
            if (count == order.size())
                break;
        }
        for (std::string& line : tradeOffLines(points, bytesBefore))
            m_context.results.push_back(std::move(line));
        m_context.tables.push_back(tradeOffTable(points));
    }

    /// What the result loses where one unit alone is quantized, or all but one.
    void sweep() {
        if (m_options.text("sweep") == "trade-off")
            return tellTradeOff();
        const bool isAlone = m_options.text("sweep") == "one";
        std::vector<std::pair<double, std::string>> rows;
        for (const QuantizableUnit& one : m_units) {
            std::vector<QuantizableUnit> units;
            for (const QuantizableUnit& unit : m_units)
                if ((unit.node == one.node) == isAlone)
                    units.push_back(unit);
            const GraphError error = tried(planOf(units), false);
            if (error.result)
                rows.emplace_back(error.result->sqnr, m_edit.node(one.node).name);
        }
        // First those that cost most.
        std::ranges::stable_sort(rows, [&](const auto& a, const auto& b) {
            return isAlone ? a.first < b.first : a.first > b.first;
        });
        m_context.results.emplace_back(isAlone ? "the result where one call alone is quantized:"
                                               : "the result where all calls but one are quantized:");
        for (const auto& [sqnr, name] : rows)
            m_context.results.push_back("  " + name + ": " + decibelText(sqnr));
    }

    /// Leaves out the units with the greatest error of their own, no more than it takes.
    void keepBudget() {
        if (m_units.empty())
            return;
        const QuantizationPlan whole = planOf(m_units);
        const GraphError errors = tried(whole, true);
        if (m_budget->holds(errors))
            return;
        const std::vector<size_t> order = worstFirst(whole, errors);
        size_t least = 1, most = order.size();
        while (least < most) {
            const size_t middle = (least + most) / 2;
            if (m_budget->holds(tried(planOf(without(order, middle)), false)))
                most = middle;
            else
                least = middle + 1;
        }
        std::vector<QuantizableUnit> kept = without(order, most);
        for (size_t i = 0; i < most; ++i)
            leave(m_units[order[i]], "to keep " + m_budget->text());
        m_context.results.push_back(plural(most, "call") + " of " + std::to_string(m_units.size()) +
                                    " left in float32 to keep " + m_budget->text());
        m_units = std::move(kept);
    }

    static std::string trainingText(const QuantizationPlan& plan, size_t weights) {
        return plural(plan.units.size(), "call") + " with fake quantization of " +
               plural(plan.values.size(), "value") + " and " + plural(weights, "weight") +
               ": train the model, then quantize what came of it";
    }

    void apply(const QuantizationPlan& plan) {
        std::vector<double> weightErrors;
        for (const QuantizableUnit& unit : plan.units)
            weightErrors.push_back(unit.layer && m_options.flag("measure")
                                       ? weightSqnr(m_edit.model(), m_edit.module(), *unit.layer, m_weights)
                                       : 0);
        const QuantizedGraph graph = quantizeGraph(m_edit, plan);
        GraphError errors;
        if (m_calibration && m_options.flag("measure"))
            errors = measured(m_edit.model(), plan, graph, true);
        errors.units.resize(plan.units.size());
        QuantizationReport(m_edit, plan, graph, errors, weightErrors,
                           m_calibration ? &*m_calibration : nullptr)
            .tell(m_context.results);
    }

    Edit& m_edit;
    const PassOptions& m_options;
    PassContext& m_context;
    const Selection m_selection;
    const QuantizationMode m_mode;
    RunProgress m_progress;
    const WeightPlan m_weights;
    std::optional<ErrorBudget> m_budget;
    std::vector<QuantizableUnit> m_units;
    std::optional<Calibration> m_calibration;
    GraphInputs m_first;
    mutable std::map<NodeId, ValueRange> m_ranges; ///< by group: a search is no small work
    LeftAlone m_left;
};

} // namespace

void runQuantize(Edit& edit, const PassOptions& options, PassContext& context) {
    const at::NoGradGuard noGrad;
    Quantizer(edit, options, context).run();
}

} // namespace fx
