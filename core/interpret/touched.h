// SPDX-License-Identifier: GPL-3.0-or-later
// Which values of a run an edit has made other ones, as far as the graph tells.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/module/model.h"

#include <set>

namespace fx {

/// What a list of changes says of values.
struct Touched {
    bool isAll = false; ///< a module trains or evaluates now, or something writes into other values
    /// That are new, or call or read something else, or a weight or module that was replaced.
    std::set<NodeRef> nodes;
};

/// Whether they are but of names, types and metadata, which no value depends on.
bool changesNoValue(const Changes& changes);

/// `model`: as it is after the changes, or, where they were taken back, before them.
Touched touchedBy(const Changes& changes, const Model& model);

/// Those nodes and all that depend on them, in the graphs that call theirs, too.
std::set<NodeRef> dependentsOf(const Model& model, const std::set<NodeRef>& nodes);

} // namespace fx
