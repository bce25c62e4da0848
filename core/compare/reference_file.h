// SPDX-License-Identifier: GPL-3.0-or-later
// A run kept in a file, to be held against later ones: a .pt of plain dicts, which Python reads and writes,
// too: {"inputs": {NAME: VALUE}, "nodes": {NAME: VALUE}, "results": {"output": VALUE}}. A dict without these
// keys is taken for its "nodes".
#pragma once

#include "core/compare/compare_runs.h"

namespace fx {

/// Runs the model, and writes what its inputs were, what each node of the root graph has given, and the
/// results. Gives the names of what a .pt cannot hold. Throws what the run does, and an Error where the file
/// cannot be written.
std::vector<std::string> saveReference(const Model& model, const GraphInputs& inputs,
                                       const RunSettings& settings, const std::string& path,
                                       Progress& progress);

struct ReferenceFile {
    ReferenceRun run; ///< for the model that it was read for
    /// What that model is called with to compare; none where the file says nothing of inputs.
    std::optional<GraphInputs> inputs;
    std::unordered_map<NodeId, Value> given; ///< those inputs, by placeholder
    /// The value that the file has for a node of the model; null where it has none.
    const Value* find(NodeId node) const;
    std::vector<std::string> unknown; ///< names of the file that are no nodes of the model
};

/// The value of that name in what a .pt of a run, or of a dict, holds; none where it is no such thing.
std::optional<Value> valueInReference(const Value& file, const std::string& name);

/// Throws an Error for what is no such file.
ReferenceFile readReference(const std::string& path, const Model& model);

} // namespace fx
