// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/error_budget.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <numeric>
#include <regex>

namespace fx {

ErrorBudget::ErrorBudget(const std::string& text) {
    static const std::regex kForm(R"(\s*(sqnr|cosine|max)\s*(>=|<=)\s*([0-9]+(?:\.[0-9]*)?)\s*)");
    std::smatch parts;
    if (!std::regex_match(text, parts, kForm) || (parts[1] == "max") != (parts[2] == "<="))
        throw Error("--budget", pythonRepr(text) + " is no budget")
            .hint("write 'sqnr >= 30', in dB, 'cosine >= 0.999' or 'max <= 0.1'");
    m_text = std::string(trim(text));
    m_figure = parts[1] == "sqnr" ? Figure::Sqnr : parts[1] == "cosine" ? Figure::Cosine : Figure::Greatest;
    m_limit = std::stod(parts[3]);
}

bool ErrorBudget::holds(const GraphError& error) const {
    if (!error.result)
        throw Error("--budget", "the model gives no float tensors to compare");
    switch (m_figure) {
    case Figure::Sqnr:
        return error.result->sqnr >= m_limit;
    case Figure::Cosine:
        return error.result->cosine >= m_limit;
    case Figure::Greatest:
        break;
    }
    return error.result->greatest <= m_limit;
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

} // namespace fx
