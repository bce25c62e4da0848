// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces each occurrence of a pattern by another graph: torch.fx's replace_pattern, with the same names,
// order and errors. The verbs of one Edit, so that undo takes all replacements back at once.
#pragma once

#include "core/module/edit.h"
#include "core/rewrite/subgraph_matcher.h"

#include <functional>

namespace fx {

struct ReplacedPattern {
    NodeId anchor;                    ///< the node of the pattern from which the search began
    PatternMap nodes;                 ///< pattern node to node of the graph, which may be erased by now
    std::vector<NodeId> replacements; ///< the new nodes
};

/// Asked of every match before anything is replaced.
using MatchFilter =
    std::function<bool(const SubgraphMatch& match, const Graph& original, const Graph& pattern)>;
/// The replacement for one match.
using ReplacementCallback =
    std::function<Model(const SubgraphMatch& match, const Graph& original, const Graph& pattern)>;

struct ReplaceOptions {
    std::vector<MatchFilter> filters;
    bool ignoreLiterals = false;
    ReplacementCallback callback; ///< used instead of the replacement, if set
    std::string nodeNameContains; ///< see SubgraphMatcher::match
    /// The replacement is a module, not a traced function: what its graph calls and reads is copied in where
    /// the model has nothing of the name, and submodules that are called no more are deleted. Of a function
    /// only the constants that it needs are copied.
    bool isModule = true;
    /// The new nodes belong where the match was: they get the modules that all of it is called in, and the
    /// source line of the node from which the search began. Those of torch.fx have none.
    bool keepsScope = false;
};

/// Whether a replacement from a file is to be taken as a module: it holds submodules, parameters or buffers.
bool holdsState(const Model& replacement);

/// What a traced function reads that the model has already, under the same path: as in torch.fx, the model's
/// is read.
std::vector<std::string> shadowedConstants(const Model& model, const Model& replacement);

/// Works on the current graph of the edit. Throws torch.fx's errors, of which the edit should be dropped.
///   before  a = relu(x)   b = neg(a)     pattern  neg(relu(p))     replacement  tanh(p)
///   after   t = tanh(x)
/// Where torch.fx would leave a reference to an erased node behind, in a list that a placeholder of the
/// pattern stands for, the node that came in its place is read.
std::vector<ReplacedPattern> replacePattern(Edit& edit, const Model& pattern, const Model& replacement,
                                            const ReplaceOptions& options = {});
/// The same with the replacement left to options.callback.
std::vector<ReplacedPattern> replacePattern(Edit& edit, const Model& pattern, const ReplaceOptions& options);

} // namespace fx
