// SPDX-License-Identifier: GPL-3.0-or-later
// The calls of a graph that were quantized, with what each loses.
#pragma once

#include "core/ir/graph.h"
#include "widgets/models/rows_model.h"

#include <optional>

namespace fx::ui {

struct QuantizedRow {
    NodeId node;      ///< where its result is
    std::string call; ///< what the pass calls it
    double sqnr = 0;  ///< its own, in dB; infinite: exact
    std::optional<double> accumulated, byWeights, ofWeights, clipped;
    double greatest = 0; ///< how far one number is off
    QString range;       ///< observed in representable
};

/// By their own error, the worst first.
std::vector<QuantizedRow> quantizedRows(const Graph& graph);

class QuantizedRows : public RowsModel<QuantizedRow> {
public:
    explicit QuantizedRows(QObject* parent = nullptr)
        : RowsModel({"Call", "Own error", "With those before", "By its weights", "Weights", "Most off",
                     "Clipped", "Observed in range"},
                    parent) {}

protected:
    QVariant cell(const QuantizedRow& row, int column, int role) const override;
};

} // namespace fx::ui
