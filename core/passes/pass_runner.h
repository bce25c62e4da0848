// SPDX-License-Identifier: GPL-3.0-or-later
// What is around every pass, for every caller: its options and the dialect of the graph are checked, the
// graph is linted before and after, the pass is timed and can be cancelled, and all that it did is one list
// of changes.
#pragma once

#include "core/passes/pass_options.h"

#include <string>
#include <utility>
#include <vector>

namespace fx {

namespace meta {
/// Argument, a list of strings: the passes that have made or changed the node, first first.
inline constexpr std::string_view kPasses = "passes";
} // namespace meta

struct PassReport {
    std::string pass;
    Changes changes; ///< for undo
    using Nodes = std::vector<std::pair<ModuleId, NodeId>>;
    Nodes removed, added;
    Nodes changed;   ///< what they call, read or are called
    Nodes annotated; ///< their metadata alone
    double seconds = 0;
    std::vector<std::string> warnings, results; ///< as in PassContext
    std::string output;
    std::vector<PassTable> tables;

    bool hasChanged() const { return !changes.empty(); }
    /// "2 nodes removed, 1 node added", "no change".
    std::string text() const;
};

/// Runs a pass on the graph of `module`. Nodes that it made or changed name it in their metadata. Nothing has
/// changed where it throws: what the pass throws, Cancelled, or an Error where options or dialect do not fit,
/// or where a graph would have faults that it had not before.
PassReport runPass(Model& model, ModuleId module, const Pass& pass, const PassOptions& options,
                   PassContext& context);

} // namespace fx
