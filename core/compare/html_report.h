// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as one page of HTML that needs nothing else: verdict, errors in the order of the run as a
// picture, tables of results, nodes and modules, and the difference of the codes.
#pragma once

#include "core/compare/compare_runs.h"
#include "core/compare/model_diff.h"

#include <string>

namespace fx {

struct ReportTitles {
    std::string first, second; ///< the models, as they were named
    std::string inputs;        ///< "x f32[5, 8]"; empty: not told
};

/// `a`: null where the reference is a file; `diff`: null where there are no two models. All text is escaped.
std::string htmlReport(const RunComparison& comparison, const Graph* a, const Graph& b, const ModelDiff* diff,
                       const ReportTitles& titles);

} // namespace fx
