// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/replace_search.h"

#include "core/ir/argument_text.h"
#include "core/passes/new_calls.h"
#include "core/rewrite/explain.h"
#include "widgets/support/qt_text.h"

#include <QStringList>

namespace fx::ui {

namespace {

constexpr size_t kMostMisses = 20;

FoundPlace placeOf(const SubgraphMatch& match, const Graph& pattern, const Graph& graph) {
    FoundPlace out;
    QStringList nodes, places;
    const NodeNames names = [&](NodeId id) { return graph.node(id).name; };
    for (const Node& node : pattern) {
        const Argument* found = match.nodes.find(node.id);
        if (!found || node.opcode == Opcode::Output)
            continue;
        const QString text = qt(reprText(*found, names));
        if (node.opcode == Opcode::Placeholder) {
            places << qt(node.name) + " is " + text;
        } else {
            nodes << text;
            out.nodes.push_back(found->node());
        }
    }
    if (const Argument* anchor = match.nodes.find(match.anchor))
        out.anchor = anchor->node();
    out.text = shown(nodes.join(", ") + (places.isEmpty() ? "" : "    where " + places.join(", ")));
    return out;
}

NodeId anchorOf(const PatternMap& nodes, NodeId anchor) {
    const Argument* found = nodes.find(anchor);
    return found ? found->node() : NodeId();
}

} // namespace

PatternSearch searchPattern(const Model& model, ModuleId module, const Model& pattern, bool ignoresLiterals) {
    PatternSearch out;
    const OwnedGraph target{&model, module};
    MatchOptions options;
    options.ignoreLiterals = ignoresLiterals;
    const SubgraphMatcher matcher({&pattern, pattern.root()}, options);
    for (const SubgraphMatch& match : matcher.match(target))
        out.places.push_back(placeOf(match, pattern.graph(), model.graph(module)));
    out.isMissed = out.places.empty();
    if (out.isMissed)
        for (const NearMiss& miss : explainMisses(matcher, target, kMostMisses))
            out.places.push_back({qt(nearMissText(miss, matcher, target)), miss.candidate, {miss.candidate}});
    return out;
}

ReplaceOptions replaceAt(std::set<NodeId> anchors, bool ignoresLiterals) {
    ReplaceOptions out;
    out.ignoreLiterals = ignoresLiterals;
    out.isModule = false;
    out.keepsScope = true;
    out.filters.push_back(
        [anchors = std::move(anchors)](const SubgraphMatch& match, const Graph&, const Graph&) {
            return anchors.contains(anchorOf(match.nodes, match.anchor));
        });
    return out;
}

ReplacedPlaces replacePlaces(Edit& edit, const Model& pattern, const Model& replacement,
                             const std::set<NodeId>& anchors, bool ignoresLiterals) {
    ReplacedPlaces out;
    NewCalls calls(edit);
    std::vector<NodeId> fresh;
    for (const ReplacedPattern& done :
         replacePattern(edit, pattern, replacement, replaceAt(anchors, ignoresLiterals))) {
        out[anchorOf(done.nodes, done.anchor)] = done.replacements;
        fresh.insert(fresh.end(), done.replacements.begin(), done.replacements.end());
    }
    calls.finish(fresh, ShapeRule::Unchecked);
    return out;
}

} // namespace fx::ui
