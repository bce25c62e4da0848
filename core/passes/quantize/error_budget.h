// SPDX-License-Identifier: GPL-3.0-or-later
// How much a model may lose: "sqnr >= 30", "cosine >= 0.999", "max <= 0.1" of its results, or what a user's
// Python says of it, "metrics.py:accuracy >= 0.9".
#pragma once

#include "core/passes/quantize/layer_errors.h"

#include <string>
#include <vector>

namespace fx {

class ErrorBudget {
public:
    /// Throws an Error for a text that is none.
    explicit ErrorBudget(const std::string& text);
    /// Of the user's own: FILE.py:NAME; empty: it is a figure of the results.
    const std::string& metric() const { return m_metric; }
    /// `number`: what the metric is.
    bool holds(double number) const { return m_isLeast ? number >= m_limit : number <= m_limit; }
    bool holds(const GraphError& error) const;
    const std::string& text() const { return m_text; }

private:
    std::string m_text, m_metric;
    double TensorError::*m_figure = nullptr;
    bool m_isLeast = true;
    double m_limit = 0;
};

/// Units by their own error, the worst first; those that only move values last, as theirs is what they got.
std::vector<size_t> worstFirst(const QuantizationPlan& plan, const GraphError& error);
/// The same by groups of units whose results have one scale, which change together.
using UnitGroups = std::vector<std::vector<size_t>>;
UnitGroups groupsWorstFirst(const QuantizationPlan& plan, const GraphError& error);

} // namespace fx
