// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a graph on the device meta with its symbols at some numbers, and tells what it saw and where it
// failed. What depends on data gets some, drawn for each run.
#pragma once

#include "core/base/progress.h"
#include "core/interpret/shape_prop.h"
#include "core/passes/symbolic/symbolic_inputs.h"

#include <memory>

namespace fx {

using NodeKey = std::pair<ModuleId, NodeId>;

struct SizeRun {
    SizePoint point;
    std::map<NodeKey, ValueMeta> values;
    std::vector<NodeKey> order; ///< of the nodes that ran, each once
    size_t steps = 0;
    bool hasFailed = false;
    NodeKey failedAt;
    std::string fault; ///< the error's first line

    /// Whether it got beyond the node at which another has failed.
    bool passes(const SizeRun& failed) const { return !hasFailed || steps > failed.steps; }
};

class SizeRuns {
public:
    SizeRuns(const Model& model, const SymbolicInputs& inputs, const GraphInputs& others, Progress& progress);
    SizeRun run(const SizePoint& point);

private:
    const Model& m_model;
    const SymbolicInputs& m_inputs;
    const GraphInputs& m_others;
    Progress& m_progress;
    std::shared_ptr<RunContext> m_context;
    uint64_t m_count = 0;
};

} // namespace fx
