// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes of a graph as a table: what each calls, what it took and gave, what it reads of the model, and
// what is wrong with it. For the window's pane, and as CSV for other programs.
#pragma once

#include "core/analyze/cost_table.h"
#include "core/interpret/debug_types.h"
#include "core/module/model.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fx {

struct OperatorEntry {
    NodeRef node;
    bool isCall = false; ///< no input, weight or output
    std::string name, target, scope;
    std::optional<double> milliseconds; ///< none: it has not run
    std::optional<uint64_t> bytes;      ///< of the tensors that it gives
    uint64_t parameters = 0;            ///< elements of the model's tensors that it reads
    std::string shapes, dtypes;         ///< of the tensors that it gives
    std::string error;                  ///< "NaN", "Inf", why it failed; empty: nothing is known to be wrong
    std::optional<CostFigures> cost;    ///< none: it was not counted
};

/// What a run knows of a node: its record, or null.
using RecordOf = std::function<const NodeRecord*(NodeRef)>;
/// Where a run has not given a value, what is recorded of it is shown. `costs`: of the graph's nodes, beside
/// which the time of the run is what was measured.
std::vector<OperatorEntry> operatorTable(const Model& model, ModuleId graph, const RecordOf& recordOf,
                                         const NodeFigures& costs = {});

/// Which rows are wanted, in words that must all hold: "conv" is in any column, "target:conv" in that one,
/// and "time>0.5", "bytes>=1e6", "parameters=0" compare numbers. Columns are name, target, scope, shape,
/// dtype, error and bound; time and predicted (milliseconds), off (of the prediction, in percent), flops,
/// intensity (FLOPs for each byte), read, written and bytes, and parameters.
class OperatorFilter {
public:
    OperatorFilter() = default;
    /// Throws an Error for what is no column, or no number.
    explicit OperatorFilter(std::string_view text);
    bool matches(const OperatorEntry& row) const;

private:
    struct Word {
        std::string column, text; ///< column: empty where any will do
        char relation = 0;        ///< '<', '>', '=', 'l' for <=, 'g' for >=; 0: `text` is in it
        double number = 0;
    };
    std::vector<Word> m_words;
};

/// With a line of names. Fields are quoted where RFC 4180 asks for it; one that a spreadsheet would take for
/// a formula begins with an apostrophe. The keys of costs are those of costFields().
std::string operatorCsv(const std::vector<OperatorEntry>& rows);
/// A list with an object for each row, with the same keys.
std::string operatorJson(const std::vector<OperatorEntry>& rows);
/// A number of one of the columns that a filter compares; none: not known.
std::optional<double> operatorNumber(const OperatorEntry& row, std::string_view column);

} // namespace fx
