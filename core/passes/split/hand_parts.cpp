// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/hand_parts.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/module/edit.h"
#include "core/passes/pass.h"
#include "core/passes/pass_options.h"
#include "core/passes/split/label_parts.h"

#include <map>

namespace fx {

std::vector<Part> taggedParts(const Graph& graph, const std::string& key,
                              const std::set<std::string>& taken) {
    std::map<std::string, size_t> known;
    std::vector<Part> all; // a node without a tag is one by itself
    std::vector<bool> isTagged;
    for (const Node& node : graph) {
        if (!isCallNode(node))
            continue;
        const std::string tag = tagOf(node, key);
        if (!tag.empty() && (!isIdentifier(tag) || taken.contains(tag)))
            throw Error("node '" + node.name + "'",
                        "its tag " + pythonRepr(tag) +
                            (isIdentifier(tag) ? " is the name of something that the graph reads"
                                               : " is no name for a module"));
        const auto [at, isNew] =
            tag.empty() ? std::pair(known.end(), true) : known.try_emplace(tag, all.size());
        if (isNew) {
            all.push_back({tag.empty() ? node.name : tag, {}, {}, {}});
            isTagged.push_back(!tag.empty());
        }
        all[tag.empty() ? all.size() - 1 : at->second].nodes.push_back(node.id);
    }
    findBorders(graph, all);
    std::vector<Part> out;
    for (const size_t part : runOrder(graph, all, false))
        if (isTagged[part])
            out.push_back(std::move(all[part]));
    return out;
}

std::vector<PassOption> moveToPartOptions() {
    using enum OptionType;
    return {{.name = "nodes", .type = Nodes, .help = "calls that go there", .isRequired = true},
            {"part", String, "its name; without it they are in none any more"}};
}

void runMoveToPart(Edit& edit, const PassOptions& options, PassContext& context) {
    const std::string part = options.text("part");
    if (!part.empty() && !isIdentifier(part))
        throw Error("--part", pythonRepr(part) + " is no name for a module");
    for (const NodeId node : options.nodes("nodes", edit.graph()))
        if (isCallNode(edit.node(node)))
            edit.setMeta(node, kPartTag, part.empty() ? SharedMeta() : SharedMeta(part));
    for (const Part& each : taggedParts(edit.graph(), std::string(kPartTag)))
        context.results.push_back(each.name + ": " + plural(each.nodes.size(), "node"));
}

} // namespace fx
