// SPDX-License-Identifier: GPL-3.0-or-later
// core/rewrite/replace_pattern.h as a pass. Pattern and replacement are Python text, or models that the
// context opens.
#pragma once

#include "core/module/edit.h"
#include "core/rewrite/subgraph_matcher.h"

#include <string>
#include <vector>

namespace fx {

class PassOptions;
struct PassContext;
struct PassOption;

/// Its results are the matches, each a few lines, and their number.
void runReplace(Edit& edit, const PassOptions& options, PassContext& context);
std::vector<PassOption> replaceOptions();

/// "match 1" and a line for each node of the pattern with what stands for it in the graph.
std::string matchLines(size_t number, const PatternMap& nodes, const Graph& pattern, const Graph& graph);
/// "1 match", "2 matches".
std::string matchCount(size_t count);

} // namespace fx
