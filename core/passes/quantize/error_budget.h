// SPDX-License-Identifier: GPL-3.0-or-later
// How much a model's results may lose: "sqnr >= 30", "cosine >= 0.999", "max <= 0.1".
#pragma once

#include "core/passes/quantize/layer_errors.h"

namespace fx {

class ErrorBudget {
public:
    /// Throws an Error for a text that is none.
    explicit ErrorBudget(const std::string& text);
    bool holds(const GraphError& error) const;
    const std::string& text() const { return m_text; }

private:
    enum class Figure { Sqnr, Cosine, Greatest };
    std::string m_text;
    Figure m_figure = Figure::Sqnr;
    double m_limit = 0;
};

/// Units by their own error, the worst first; those that only move values last, as theirs is what they got.
std::vector<size_t> worstFirst(const QuantizationPlan& plan, const GraphError& error);

} // namespace fx
