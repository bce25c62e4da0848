// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/moved_effects.h"

#include "core/passes/clean/effects.h"

#include <algorithm>
#include <map>

namespace fx {

namespace {

/// The latest places so far of calls that must stay before others.
struct Latest {
    size_t any = 0, writing = 0; ///< counted from 1
};

/// `fresh`: for each place the new one.
std::vector<std::string> movedTo(const Model& model, ModuleId module, const NodePlaces& places,
                                 const std::vector<size_t>& fresh) {
    const Graph& graph = model.graph(module);
    const Effects effects(model, module);
    std::vector<std::string> out;
    std::map<int32_t, Latest> memory;
    size_t latestEffect = 0;
    for (size_t place = 0; place < places.size(); ++place) {
        const Node& node = graph.node(places.node(place));
        if (!isCallNode(node))
            continue;
        const size_t at = fresh[place] + 1;
        bool isMoved = false;
        const std::vector<NodeId> written = effects.writtenBy(node);
        for (const InputUse& use : node.inputs) {
            if (!effects.isWritten(use.node))
                continue;
            Latest& latest = memory[effects.memoryOf(use.node)];
            const bool writes = std::ranges::find(written, use.node) != written.end();
            isMoved = isMoved || at < (writes ? latest.any : latest.writing);
            latest.any = std::max(latest.any, at);
            if (writes)
                latest.writing = std::max(latest.writing, at);
        }
        if (written.empty() && !effects.isPure(node)) {
            isMoved = isMoved || at < latestEffect;
            latestEffect = std::max(latestEffect, at);
        }
        if (isMoved)
            out.push_back(node.name);
    }
    return out;
}

} // namespace

std::vector<std::string> movedEffects(const Model& model, ModuleId module, const std::vector<Part>& parts,
                                      const std::vector<size_t>& order) {
    const NodePlaces places(model.graph(module));
    std::vector<size_t> fresh(places.size());
    size_t next = 0;
    for (const size_t part : order)
        for (const NodeId node : parts[part].nodes)
            fresh[places.of(node)] = next++;
    return movedTo(model, module, places, fresh);
}

std::vector<std::string> movedEffects(const Model& model, ModuleId module, const std::vector<Part>& parts) {
    const NodePlaces places(model.graph(module));
    std::vector<std::pair<size_t, size_t>> keys; // the place of its part's last node, its own
    for (size_t place = 0; place < places.size(); ++place)
        keys.emplace_back(place, place);
    for (const Part& part : parts) {
        size_t last = 0;
        for (const NodeId node : part.nodes)
            last = std::max(last, places.of(node));
        for (const NodeId node : part.nodes)
            keys[places.of(node)].first = last;
    }
    std::ranges::sort(keys);
    std::vector<size_t> fresh(places.size());
    for (size_t i = 0; i < keys.size(); ++i)
        fresh[keys[i].second] = i;
    return movedTo(model, module, places, fresh);
}

std::vector<std::string> movedEffects(const Model& model, ModuleId module, const std::vector<NodeId>& order) {
    const NodePlaces places(model.graph(module));
    std::vector<size_t> fresh(places.size());
    for (size_t i = 0; i < order.size(); ++i)
        fresh[places.of(order[i])] = i;
    return movedTo(model, module, places, fresh);
}

} // namespace fx
