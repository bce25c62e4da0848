// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/quantize_pass.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/shape_prop.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/fuse/fuse_pass.h"
#include "core/passes/pass_runner.h"
#include "core/passes/quantize/error_budget.h"
#include "core/passes/quantize/fake_quantize.h"
#include "core/passes/quantize/plan_maker.h"
#include "core/passes/quantize/quantize_report.h"
#include "core/passes/quantize/range_observer.h"
#include "core/passes/quantize/recurrent_layers.h"
#include "core/passes/quantize/trade_off.h"
#include "core/passes/run_progress.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdio>
#include <set>

namespace fx {

namespace {

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
          m_progress(context.progress, edit.graph().size() * 5), m_weights(weightPlan()),
          m_plans(m_mode, m_weights, options.flag("reduce-range")) {
        if (options.has("budget"))
            m_budget.emplace(options.text("budget"));
    }

    void run() {
        if (m_mode == QuantizationMode::Static && hasFakeQuantization(m_edit.model(), m_edit.module())) {
            if (m_options.flag("qat") || m_options.flag("observe"))
                m_context.results.emplace_back("nothing done, as there is fake quantization already");
            else
                apply(*takeFakeQuantization(m_edit));
            return;
        }
        if (m_mode == QuantizationMode::Static)
            foldNorms(m_edit, m_context); // as torch.ao does before anything else
        recordSizes();
        m_units = findUnits(m_edit.model(), m_edit.module(), m_selection, m_left);
        keepUnitsOfMode();
        for (const CallPatterns* patterns : {&m_selection.only, &m_selection.skip})
            for (const std::string& word : patterns->unused())
                m_context.warnings.push_back("no call that has an integer form is meant by " +
                                             pythonRepr(word));
        if (!m_units.empty())
            calibrate();
        if (isSwept() && !m_units.empty())
            sweep();
        if (m_budget)
            keepBudget();
        const QuantizationPlan plan = planOf(m_units);
        if (plan.units.empty())
            m_context.results.emplace_back("nothing quantized");
        else if (m_options.flag("qat"))
            m_context.results.push_back(fakeQuantizeGraph(m_edit, plan, FakeQuantization::Rounds));
        else if (m_options.flag("observe"))
            m_context.results.push_back(fakeQuantizeGraph(m_edit, plan, FakeQuantization::Observes));
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
        for (const char* option : {"qat", "observe"})
            if (m_mode != QuantizationMode::Static && m_options.flag(option))
                throw Error(std::string("--") + option, "is for --mode static");
        if (m_options.flag("qat") && m_options.flag("observe"))
            throw Error("--observe", "rounds nothing, and --qat does");
        if (m_mode != QuantizationMode::WeightOnly && out.form != WeightForm::Int8)
            throw Error("--weights", form + " is for --mode weight-only");
        return out;
    }

    /// What an LSTM becomes depends on the sizes of its input.
    void recordSizes() {
        const bool isWanted = std::ranges::any_of(m_edit.graph(), [&](const Node& node) {
            return calledModule(m_edit.model(), m_edit.module(), node) &&
                   !recurrentAt(m_edit.model(), m_edit.module(), node.id).empty() && !node.inputs.empty() &&
                   !recordedTensor(m_edit.node(node.inputs.begin()->node));
        });
        if (isWanted && m_context.inputs)
            propagateShapes(m_edit, m_context.inputs(m_edit.model()), m_context.settings, &m_progress);
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
            std::string obstacle = !unit.recurrent.empty() && m_mode == QuantizationMode::Static
                                       ? "as LSTMs and GRUs are for --mode dynamic and weight-only"
                                   : isTable && m_mode != QuantizationMode::WeightOnly
                                       ? "as tables of embeddings are for --mode weight-only"
                                   : m_mode == QuantizationMode::Dynamic && !isLinear
                                       ? "as dynamic is for linear layers, LSTMs and GRUs"
                                       : "";
            for (const Layer& layer : unit.layers())
                if (obstacle.empty())
                    obstacle = weightObstacle(m_edit.model(), m_edit.module(), layer, m_weights);
            if (!obstacle.empty())
                leave(unit, obstacle);
            return !obstacle.empty();
        });
    }

    bool isSwept() const { return m_options.text("sweep") != "none"; }

    /// Runs the model; without a need for it, only where there is something to run it with.
    void calibrate() {
        const auto kind = static_cast<ObserverKind>(
            std::ranges::find(observerNames(), m_options.text("observer")) - observerNames().begin());
        const double share = m_options.number("percentile") / 100;
        if (!(share > 0 && share <= 1))
            throw Error("--percentile", "a percentile is more than 0 and at most 100");
        const bool isTried = m_budget || isSwept();
        const bool isNeeded = m_mode == QuantizationMode::Static || isTried;
        if (!isNeeded && !m_options.flag("measure"))
            return;
        const bool areRangesWanted = !m_options.flag("observe") || m_options.has("calibration") || isTried;
        m_calibration.emplace(m_edit.model(), m_edit.module(), m_units,
                              m_mode == QuantizationMode::Static ? kind : ObserverKind::MinMax, share);
        try {
            if (areRangesWanted || !m_calibration->takeRecordedTypes())
                forEachExample([&](const GraphInputs& inputs) {
                    if (m_calibration->runs() == 0)
                        m_first = inputs;
                    if (areRangesWanted)
                        m_calibration->run(inputs, m_context.settings, m_progress);
                    else
                        m_calibration->findTypes(inputs, m_context.settings, m_progress);
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
    QuantizationPlan planOf(const std::vector<QuantizableUnit>& units) {
        return m_plans.planOf(m_edit.graph(), units, m_calibration ? &*m_calibration : nullptr);
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

    /// The units of the groups that are first.
    static std::vector<size_t> firstOf(const UnitGroups& groups, size_t count) {
        std::vector<size_t> out;
        for (size_t i = 0; i < count; ++i)
            out.insert(out.end(), groups[i].begin(), groups[i].end());
        return out;
    }

    std::vector<QuantizableUnit> without(const std::vector<size_t>& left) const {
        const std::set<size_t> out(left.begin(), left.end());
        std::vector<QuantizableUnit> kept;
        for (size_t i = 0; i < m_units.size(); ++i)
            if (!out.contains(i))
                kept.push_back(m_units[i]);
        return kept;
    }

    /// One, two, four ... of the groups with the greatest errors stay in float32, at last all.
    void tellTradeOff() {
        const QuantizationPlan whole = planOf(m_units);
        const UnitGroups groups = groupsWorstFirst(whole, tried(whole, true));
        uint64_t bytesBefore = 0; // of all layers, where all are quantized
        std::vector<TradeOffPoint> points;
        for (size_t count = 0;; count = std::min(groups.size(), count ? count * 2 : 1)) {
            const std::vector<size_t> left = firstOf(groups, count);
            const QuantizationPlan plan = planOf(without(left));
            Model copy = m_edit.model();
            const QuantizedGraph graph = quantized(copy, plan);
            bytesBefore = std::max(bytesBefore, graph.weights.before);
            TradeOffPoint& point = points.emplace_back();
            point.quantized = m_units.size() - left.size();
            for (const size_t unit : left)
                point.left.push_back(m_edit.node(m_units[unit].node).name);
            point.error = measured(copy, plan, graph, false).result;
            point.bytes = bytesBefore - graph.weights.before + graph.weights.after;
            point.seconds =
                loweredSeconds(copy, m_edit.module(), m_first, m_context.settings, m_context.progress);
            if (count == groups.size())
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

    /// Whether the budget is kept with that; tells what the user's metric gives.
    bool keeps(const QuantizationPlan& plan, const GraphError* errors, const char* when) {
        if (m_budget->metric().empty())
            return m_budget->holds(errors ? *errors : tried(plan, false));
        Model copy = m_edit.model();
        quantized(copy, plan);
        return m_budget->holds(metricOf(copy, when));
    }

    double metricOf(const Model& model, const char* when) {
        if (!m_context.metric)
            throw Error("--budget", "no metric can be read here");
        const double number = m_context.metric(m_budget->metric(), model);
        if (*when) {
            char text[32];
            std::snprintf(text, sizeof text, "%.6g", number);
            m_context.results.push_back(m_budget->metric() + " is " + text + when);
        }
        return number;
    }

    /// Leaves out the groups with the greatest error of their own, no more than it takes.
    void keepBudget() {
        if (m_units.empty())
            return;
        if (!m_budget->metric().empty())
            metricOf(m_edit.model(), " in float32");
        const QuantizationPlan whole = planOf(m_units);
        const GraphError errors = tried(whole, true);
        if (keeps(whole, &errors, " with all quantized"))
            return;
        const UnitGroups groups = groupsWorstFirst(whole, errors);
        size_t least = 1, most = groups.size();
        while (least < most) {
            const size_t middle = (least + most) / 2;
            if (keeps(planOf(without(firstOf(groups, middle))), nullptr, ""))
                most = middle;
            else
                least = middle + 1;
        }
        const std::vector<size_t> left = firstOf(groups, most);
        std::vector<QuantizableUnit> kept = without(left);
        for (const size_t unit : left)
            leave(m_units[unit], "to keep " + m_budget->text());
        m_context.results.push_back(plural(left.size(), "call") + " of " + std::to_string(m_units.size()) +
                                    " left in float32 to keep " + m_budget->text());
        if (!m_budget->metric().empty())
            keeps(planOf(kept), nullptr, " so");
        m_units = std::move(kept);
    }

    /// The least of its weights.
    double weightErrorOf(const QuantizableUnit& unit) const {
        double out = INFINITY;
        for (const Layer& layer : unit.layers())
            out = std::min(out, weightSqnr(m_edit.model(), m_edit.module(), layer, m_weights));
        return out;
    }

    void apply(const QuantizationPlan& plan) {
        std::vector<double> weightErrors;
        for (const QuantizableUnit& unit : plan.units)
            weightErrors.push_back(m_options.flag("measure") ? weightErrorOf(unit) : 0);
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
    const LayerSelection m_selection;
    const QuantizationMode m_mode;
    RunProgress m_progress;
    const WeightPlan m_weights;
    PlanMaker m_plans;
    std::optional<ErrorBudget> m_budget;
    std::vector<QuantizableUnit> m_units;
    std::optional<Calibration> m_calibration;
    GraphInputs m_first;
    LeftAlone m_left;
};

} // namespace

void runQuantize(Edit& edit, const PassOptions& options, PassContext& context) {
    const at::NoGradGuard noGrad;
    Quantizer(edit, options, context).run();
}

} // namespace fx
