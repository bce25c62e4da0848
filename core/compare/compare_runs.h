// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs held against each other, node by node: a reference is recorded (or read from a file,
// reference_file.h), then the other model runs, and each of its values is compared with its partner's as soon
// as it is there. What is a partner, node_match.h says; what figures mean, figures.h.
#pragma once

#include "core/base/progress.h"
#include "core/compare/node_match.h"
#include "core/compare/value_pairs.h"
#include "core/interpret/graph_inputs.h"
#include "core/interpret/run_settings.h"
#include "core/module/model.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

/// What a run has left, by the nodes of the root graph of the model that is held against it.
struct ReferenceRun {
    NodeMatch match;
    std::unordered_map<NodeId, Value> values;       ///< of the second node of a pair
    std::unordered_map<NodeId, Value> alternatives; ///< the same of NodeMatch::alternatives
    std::vector<NodeId> noRoom;                     ///< pairs whose values were more than may be kept
    /// What a caller sees: "output", "output[1]", "input x after the run", "buffer bn.running_mean after the
    /// run". What the run has not changed is not among them.
    std::vector<std::pair<std::string, Value>> results;
    /// Of all its buffers and parameters (stateNames()); none where they are not known. What another model
    /// keeps beside these is no result that this one could have.
    std::optional<std::set<std::string>> state;
};

struct ReferenceOptions {
    PairingOptions match = {};
    uint64_t keptBytes = uint64_t(4) << 30; ///< of values
};

/// Runs `a`, whose root graph's values are kept for those nodes of `b` that are partners. Both runs begin
/// with the same random numbers, with those of seed 0 where the settings name none. Throws what the run does.
ReferenceRun recordReference(const Model& a, const GraphInputs& inputs, const RunSettings& settings,
                             const Model& b, const ReferenceOptions& options, Progress& progress);

struct CompareOptions {
    /// |a-b| <= t + t |a| is within it. None: what rounding may do to values of the dtype (usualTolerance).
    std::optional<double> tolerance = std::nullopt;
    /// Each node is given what the reference has of its inputs, so that its own error alone is seen.
    bool isIsolated = false;
    /// Values of another dtype are compared by their numbers alone.
    bool allowsOtherDtypes = false;
};

/// By the results; by the pairs where nodes are isolated, or where the reference has no results.
enum class Verdict {
    Equal,     ///< element by element, where one NaN is as good as another
    Within,    ///< the tolerance
    Different, ///< beyond it
    Fails,     ///< the other model does not run
};

struct Compared {
    ValueDifference difference;
    double tolerance = 0;
    bool isWithin = true;
};
struct ComparedPair : Compared {
    NodePair nodes; ///< `a` is no node where the reference is a file
};
struct ComparedResult : Compared {
    std::string name;
};

struct RunComparison {
    Verdict verdict = Verdict::Equal;
    std::string fault; ///< why it fails
    NodeMatch match;
    std::vector<ComparedPair> pairs;       ///< in the order in which they ran
    std::vector<ComparedResult> results;   ///< as in ReferenceRun; none of isolated nodes
    std::map<std::string, size_t> skipped; ///< pairs that were not compared, by the reason
    /// The first of the pairs that is not equal, and the first beyond the tolerance.
    std::optional<size_t> firstUnequal, firstBeyond;

    /// Of the pairs that are not equal.
    std::vector<size_t> worstFirst() const;
};

/// Runs `b` and compares. `b` is the model that the reference was recorded for. Throws an Error where there
/// is nothing to compare.
RunComparison compareWith(const ReferenceRun& reference, const Model& b, const GraphInputs& inputs,
                          const RunSettings& settings, const CompareOptions& options, Progress& progress);

/// What the pairs of a module and of all in it come to.
struct ScopeSum {
    std::string path; ///< empty: the root
    size_t pairs = 0, unequal = 0, beyond = 0;
    std::optional<size_t> worst; ///< of the comparison's pairs; none if all are equal
    double meanNeeded = 0;       ///< of the tolerances that they need, those of equal ones being 0
};
/// Scopes of `b` with a pair, parents first.
std::vector<ScopeSum> sumsByScope(const RunComparison& comparison, const Graph& b);

} // namespace fx
