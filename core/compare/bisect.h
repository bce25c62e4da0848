// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the changes of an edit made the results other ones: states of the model in between are run, as far
// as they are graphs that can be run.
#pragma once

#include "core/base/progress.h"
#include "core/compare/compare_runs.h"

#include <optional>
#include <string>
#include <vector>

namespace fx {

struct Bisection {
    size_t changes = 0, tries = 0;
    /// With the first `good` changes the results are still the same, with the first `bad` they are not; no
    /// state in between could be run.
    size_t good = 0, bad = 0;
    /// The nodes of the root graph that the changes in between are about, by the names that they have last.
    std::vector<std::string> nodes;
};

/// `after`: the model with the changes, whose results differ from those without them. Throws an Error where
/// they do not.
Bisection bisectChanges(const Model& after, const Changes& changes, const GraphInputs& inputs,
                        const RunSettings& settings, const CompareOptions& options, Progress& progress);

} // namespace fx
