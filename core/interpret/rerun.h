// SPDX-License-Identifier: GPL-3.0-or-later
// What a run after an edit need not do again: values of the run before it that would be the same.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/interpret/random_history.h"
#include "core/interpret/value_store.h"
#include "core/module/model.h"

#include <map>
#include <set>
#include <string>

namespace fx {

/// What a run leaves to the next one.
struct EarlierRun {
    ValueStore values;
    RandomHistory random;
    std::set<NodeId> drew;    ///< nodes of the root graph that drew random numbers, or called what did
    std::set<NodeRef> again;  ///< nodes whose value a user has set, or that it had to run and did not come to
    uint64_t activations = 0; ///< of graphs
};

struct Rerun {
    std::set<NodeId> nodes; ///< of the root graph, that run; those of graphs that they call run, too
    std::string whyAll;     ///< why all nodes do; empty: they need not
};

/// `changed`: nodes that would give another value, with their readers or without. Beside those, nodes run
/// again whose value is gone or was written into, where another one that runs reads it.
Rerun rerunOf(const Model& model, const std::set<NodeRef>& changed, const EarlierRun& earlier);

} // namespace fx
