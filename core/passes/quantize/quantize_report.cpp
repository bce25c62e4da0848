// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/quantize_report.h"

#include "core/base/text.h"
#include "core/passes/quantize/quantize_pass.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace fx {

namespace {

std::string figure(const char* format, double number) {
    char text[64];
    std::snprintf(text, sizeof text, format, number);
    return text;
}

std::string errorText(const TensorError& error) {
    return decibelText(error.sqnr) + ", cosine " + figure("%.6g", error.cosine) + ", at most " +
           figure("%.3g", error.greatest) + " off";
}

std::pair<double, double> representable(const QuantizedValue& value) {
    return {static_cast<double>(value.scheme.least - value.zeroPoint) * value.scale,
            static_cast<double>(value.scheme.most - value.zeroPoint) * value.scale};
}

} // namespace

QuantizationReport::QuantizationReport(Edit& edit, const QuantizationPlan& plan, const QuantizedGraph& graph,
                                       const GraphError& errors, const std::vector<double>& weightErrors,
                                       const Calibration* calibration)
    : m_edit(edit), m_plan(plan), m_graph(graph), m_errors(errors), m_weightErrors(weightErrors),
      m_calibration(calibration) {
    for (const QuantizedValue& value : graph.values)
        if (!value.isDynamic)
            m_values[value.value] = &value;
}

const QuantizedValue* QuantizationReport::valueOf(size_t unit) const {
    const auto found = m_values.find(m_graph.now(m_plan.units[unit].last));
    return found == m_values.end() ? nullptr : found->second;
}

std::string QuantizationReport::summary() const {
    std::map<std::string, size_t> counts;
    for (const QuantizableUnit& unit : m_plan.units)
        ++counts[unit.call];
    std::vector<std::pair<std::string, size_t>> order(counts.begin(), counts.end());
    std::ranges::stable_sort(order, std::greater(), &std::pair<std::string, size_t>::second);
    std::vector<std::string> words;
    for (const auto& [call, count] : order)
        words.push_back(std::to_string(count) + ' ' + call);
    return plural(m_plan.units.size(), "call") + " quantized (" + join(words, ", ") + "), " +
           plural(m_graph.values.size(), "value") + " in integers, weights of " +
           byteText(m_graph.weights.before) + " in " + byteText(m_graph.weights.after);
}

std::string QuantizationReport::unitLine(size_t index) const {
    const QuantizableUnit& unit = m_plan.units[index];
    const UnitError& error = m_errors.units[index];
    std::string line = "  " + m_edit.node(m_graph.now(unit.node)).name + ": " + errorText(*error.isolated);
    if (unit.layer)
        line += "; by its weights alone " +
                (error.byWeights ? decibelText(error.byWeights->sqnr) : std::string("unknown")) +
                ", weights " + decibelText(m_weightErrors[index]);
    if (error.accumulated)
        line += "; with what came before " + decibelText(error.accumulated->sqnr);
    if (const QuantizedValue* value = valueOf(index); value && m_calibration) {
        const RangeObserver& seen = *m_calibration->rangeOf(unit.last);
        const auto [low, high] = representable(*value);
        line += "; " + figure("%.4g", seen.least()) + " to " + figure("%.4g", seen.greatest()) + " in " +
                figure("%.4g", low) + " to " + figure("%.4g", high);
        if (const auto clipped = m_errors.clipped.find(unit.last); clipped != m_errors.clipped.end())
            line += ", " + figure("%.3g", clipped->second * 100) + " % clipped";
    }
    return line;
}

void QuantizationReport::note(size_t index) {
    const QuantizableUnit& unit = m_plan.units[index];
    const UnitError& error = m_errors.units[index];
    DictValue entries;
    const auto add = [&](const char* name, double number) {
        entries.items.emplace_back(name, std::isfinite(number) ? Argument(number) : Argument(NoneValue()));
    };
    if (error.isolated) {
        add("sqnr", error.isolated->sqnr);
        add("cosine", error.isolated->cosine);
        add("max_error", error.isolated->greatest);
    }
    if (error.accumulated)
        add("sqnr_accumulated", error.accumulated->sqnr);
    if (unit.layer && error.byWeights)
        add("sqnr_by_weights", error.byWeights->sqnr);
    if (unit.layer && error.isolated)
        add("sqnr_of_weights", m_weightErrors[index]);
    if (const QuantizedValue* value = valueOf(index); value && m_calibration) {
        const RangeObserver& seen = *m_calibration->rangeOf(unit.last);
        const auto [low, high] = representable(*value);
        add("observed_min", seen.least());
        add("observed_max", seen.greatest());
        add("range_min", low);
        add("range_max", high);
        if (const auto clipped = m_errors.clipped.find(unit.last); clipped != m_errors.clipped.end())
            add("clipped", clipped->second);
    }
    if (!entries.items.empty()) {
        entries.items.emplace_back("call", unit.name);
        m_edit.setMeta(m_graph.now(unit.last), meta::kQuantization, Argument(std::move(entries)));
    }
}

void QuantizationReport::tell(std::vector<std::string>& lines) {
    constexpr size_t kShown = 8;
    lines.push_back(summary());
    for (size_t i = 0; i < m_plan.units.size(); ++i)
        note(i);
    if (m_errors.result)
        lines.push_back("result: " + errorText(*m_errors.result));
    std::vector<size_t> order = worstFirst(m_plan, m_errors);
    std::erase_if(order, [&](size_t unit) {
        return m_plan.units[unit].kind == UnitKind::Shares || !m_errors.units[unit].isolated;
    });
    if (order.empty())
        return;
    const size_t shown = std::min(order.size(), kShown);
    lines.push_back("by their own error, the worst " + std::to_string(shown) + " of " +
                    std::to_string(order.size()) + ':');
    for (size_t i = 0; i < shown; ++i)
        lines.push_back(unitLine(order[i]));
}

} // namespace fx
