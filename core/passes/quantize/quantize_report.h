// SPDX-License-Identifier: GPL-3.0-or-later
// Tells what was quantized and what it costs, in lines for who asked and in the metadata of the nodes.
#pragma once

#include "core/passes/quantize/error_budget.h"

namespace fx {

class QuantizationReport {
public:
    /// `weightErrors`: of each unit's weight in dB; `calibration`: null where nothing was run.
    QuantizationReport(Edit& edit, const QuantizationPlan& plan, const QuantizedGraph& graph,
                       const GraphError& errors, const std::vector<double>& weightErrors,
                       const Calibration* calibration);
    /// Adds the lines, and notes on each unit's node what is known of it.
    void tell(std::vector<std::string>& lines);

private:
    std::string summary() const;
    std::string unitLine(size_t unit) const;
    void note(size_t unit);
    const QuantizedValue* valueOf(size_t unit) const;

    Edit& m_edit;
    const QuantizationPlan& m_plan;
    const QuantizedGraph& m_graph;
    const GraphError& m_errors;
    const std::vector<double>& m_weightErrors;
    const Calibration* m_calibration;
    std::map<NodeId, const QuantizedValue*> m_values; ///< by what they are of
};

} // namespace fx
