// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/error_budget.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <regex>

namespace fx {

ErrorBudget::ErrorBudget(const std::string& text) {
    static const std::regex kForm(
        R"(\s*(sqnr|cosine|max|\S.*\.py:\w+)\s*(>=|<=)\s*(-?[0-9]+(?:\.[0-9]*)?(?:e-?[0-9]+)?)\s*)");
    static const std::map<std::string, double TensorError::*> kFigures = {
        {"sqnr", &TensorError::sqnr}, {"cosine", &TensorError::cosine}, {"max", &TensorError::greatest}};
    std::smatch parts;
    const bool isForm = std::regex_match(text, parts, kForm);
    const auto figure = isForm ? kFigures.find(parts[1]) : kFigures.end();
    m_isLeast = isForm && parts[2] == ">=";
    if (!isForm || (figure != kFigures.end() && (parts[1] == "max") == m_isLeast))
        throw Error("--budget", pythonRepr(text) + " is no budget")
            .hint("write 'sqnr >= 30', in dB, 'cosine >= 0.999', 'max <= 0.1', or 'FILE.py:NAME >= 0.9' "
                  "with a function of the model");
    m_text = std::string(trim(text));
    if (figure != kFigures.end())
        m_figure = figure->second;
    else
        m_metric = parts[1];
    m_limit = std::stod(parts[3]);
}

bool ErrorBudget::holds(const GraphError& error) const {
    if (!error.result)
        throw Error("--budget", "the model gives no float tensors to compare");
    return holds((*error.result).*m_figure);
}

std::vector<size_t> worstFirst(const QuantizationPlan& plan, const GraphError& error) {
    std::vector<size_t> order(plan.units.size());
    std::iota(order.begin(), order.end(), size_t(0));
    const auto key = [&](size_t unit) {
        const std::optional<TensorError>& own = error.units[unit].isolated;
        return std::pair(plan.units[unit].kind == UnitKind::Shares || !own, own ? own->sqnr : 0);
    };
    std::ranges::stable_sort(order, {}, key);
    return order;
}

UnitGroups groupsWorstFirst(const QuantizationPlan& plan, const GraphError& error) {
    std::map<NodeId, NodeId> scales; // by value
    for (const QuantizedValue& value : plan.values)
        scales[value.value] = value.group ? value.group : value.value;
    UnitGroups out;
    std::map<NodeId, size_t> places;
    for (const size_t unit : worstFirst(plan, error)) {
        const NodeId result = plan.units[unit].last;
        const auto scale = scales.find(result);
        const auto [at, isNew] =
            places.try_emplace(scale == scales.end() ? result : scale->second, out.size());
        if (isNew)
            out.emplace_back();
        out[at->second].push_back(unit);
    }
    return out;
}

} // namespace fx
