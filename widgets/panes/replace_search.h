// SPDX-License-Identifier: GPL-3.0-or-later
// Where a pattern is found in a graph, and what the graph is once some of these places are replaced: for the
// dialog, off its thread.
#pragma once

#include "core/rewrite/replace_pattern.h"

#include <QString>

#include <map>
#include <set>
#include <vector>

namespace fx::ui {

struct FoundPlace {
    QString text;              ///< "relu_1, add    where x is linear"
    NodeId anchor;             ///< the node from which the search began: it tells places apart
    std::vector<NodeId> nodes; ///< of the match, without what the pattern's parameters stand for
};

struct PatternSearch {
    std::vector<FoundPlace> places; ///< that fit; of near misses, where none does
    bool isMissed = false;          ///< they are near misses
};

/// Throws what the matcher throws.
PatternSearch searchPattern(const Model& model, ModuleId module, const Model& pattern, bool ignoresLiterals);

/// Of a function that was typed, at the places with these anchors alone.
ReplaceOptions replaceAt(std::set<NodeId> anchors, bool ignoresLiterals);

/// The new nodes of each place, by its anchor. Throws what replacing throws.
using ReplacedPlaces = std::map<NodeId, std::vector<NodeId>>;
ReplacedPlaces replacePlaces(Edit& edit, const Model& pattern, const Model& replacement,
                             const std::set<NodeId>& anchors, bool ignoresLiterals);

} // namespace fx::ui
