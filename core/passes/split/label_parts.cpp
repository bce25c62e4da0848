// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/label_parts.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/shape_prop.h"
#include "core/module/scopes.h"

#include <queue>

#include <algorithm>
#include <map>
#include <unordered_set>

namespace fx {

namespace {

/// "conv1, relu and 7 more".
std::string namesOf(const std::vector<std::string>& names) {
    constexpr size_t kShown = 8;
    std::vector<std::string> shown(
        names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kShown)));
    return join(shown, ", ") +
           (names.size() > kShown ? " and " + std::to_string(names.size() - kShown) + " more" : "");
}

std::optional<c10::Device> deviceOf(const ValueMeta& value) {
    if (const auto* tensor = std::get_if<TensorMeta>(&value.value))
        return tensor->device;
    if (const auto* items = std::get_if<std::vector<ValueMeta>>(&value.value))
        for (const ValueMeta& item : *items)
            if (const auto device = deviceOf(item))
                return device;
    return std::nullopt;
}

/// The modules that the node is in, innermost first; a module that is called is one, too. Where no node tells
/// of its modules (null), a function belongs to what was called before it.
std::vector<std::string> scopesOf(const ScopeTree* tree, const Node& node) {
    std::vector<std::string> out;
    const std::string& target = node.target.name();
    if (node.opcode == Opcode::CallModule)
        out.push_back(target);
    for (int scope = tree ? tree->scopeOf(node.id) : 0; scope > 0; scope = tree->scope(scope).parent)
        out.push_back(tree->scope(scope).path);
    if (node.opcode == Opcode::CallModule && !node.meta.find(meta::kModuleStack))
        for (size_t dot = target.rfind('.'); dot != std::string::npos && dot > 0;
             dot = target.rfind('.', dot - 1))
            out.push_back(target.substr(0, dot));
    return out;
}

} // namespace

std::string tagOf(const Node& node, std::string_view key) {
    const MetaValue* value = node.meta.find(key);
    if (const auto* text = value ? std::get_if<std::string>(value) : nullptr)
        return *text;
    const auto* argument = value ? std::get_if<Argument>(value) : nullptr;
    if (const auto* text = argument ? argument->as<std::string>() : nullptr)
        return *text;
    const auto* number = argument ? argument->as<int64_t>() : nullptr;
    return number ? std::to_string(*number) : std::string();
}

std::vector<Part> partsByScope(const Graph& graph, int64_t depth) {
    const ScopeTree tree(graph);
    bool hasStacks = false;
    for (const Node& node : graph)
        hasStacks |= node.meta.find<ModuleStack>(meta::kModuleStack) != nullptr;
    std::vector<Part> out;
    std::string before;
    bool hasScopes = false;
    for (const Node& node : graph) {
        if (!isCallNode(node))
            continue;
        const std::vector<std::string> path = scopesOf(hasStacks ? &tree : nullptr, node);
        hasScopes = hasScopes || !path.empty();
        const size_t level = std::min(path.size(), static_cast<size_t>(depth));
        const std::string scope = level ? path[path.size() - level] : before;
        if (out.empty() || (scope != before && !before.empty()))
            out.emplace_back();
        out.back().nodes.push_back(node.id);
        before = scope;
    }
    if (!hasScopes && !out.empty())
        throw Error("--by scope", "no node tells which module it belongs to")
            .hint("split by size, or tag the nodes");
    return out;
}

std::vector<Part> partsByWeight(const Graph& graph, const std::function<double(const Node&)>& weightOf,
                                int64_t count) {
    std::vector<std::pair<NodeId, double>> weights;
    double total = 0;
    for (const Node& node : graph)
        if (isCallNode(node)) {
            weights.emplace_back(node.id, weightOf(node));
            total += weights.back().second;
        }
    if (!weights.empty() && !(total > 0))
        throw Error("", "all nodes weigh nothing, so there is nothing to share out");
    std::vector<Part> out;
    double before = 0;
    int64_t last = -1;
    for (const auto& [node, weight] : weights) {
        const double middle = (before + weight / 2) / total * static_cast<double>(count);
        // What weighs nothing goes with what is before it.
        if (weight > 0 || out.empty())
            if (const int64_t share = std::min(count - 1, static_cast<int64_t>(middle));
                std::exchange(last, share) != share)
                out.emplace_back();
        out.back().nodes.push_back(node);
        before += weight;
    }
    return out;
}

std::function<double(const Node&)> stateWeights(const Model& model, ModuleId module) {
    return [&model, module, known = std::unordered_set<TensorId>()](const Node& node) mutable {
        uint64_t bytes = 0;
        const auto add = [&](TensorId tensor) {
            if (tensor && known.insert(tensor).second)
                bytes += byteCount(ValueMeta{model.tensor(tensor).meta()}).value_or(0);
        };
        if (node.opcode == Opcode::CallModule)
            if (const ModuleId called = model.resolve(module, node.target.name()).module)
                model.forEachModule(called, [&](ModuleId each, const std::string&) {
                    for (const NamedTensor& tensor : model.module(each).tensors)
                        add(tensor.tensor);
                });
        for (const InputUse& use : node.inputs)
            if (const Node& read = model.graph(module).node(use.node); read.opcode == Opcode::GetAttr)
                add(model.resolve(module, read.target.name()).tensor);
        return static_cast<double>(bytes);
    };
}

std::vector<Part> partsByDevice(const Graph& graph) {
    const NodePlaces places(graph);
    std::vector<int> labels(places.size(), -1);
    std::map<std::string, int> devices;
    std::optional<c10::Device> before;
    size_t unknown = 0;
    for (size_t i = 0; i < places.size(); ++i) {
        const Node& node = graph.node(places.node(i));
        if (!isCallNode(node))
            continue;
        const ValueMeta* value = knownValue(node.meta);
        std::optional<c10::Device> device = value ? deviceOf(*value) : std::nullopt;
        // What gives no tensor is computed where its tensors are.
        for (const InputUse& use : node.inputs)
            if (!device)
                if (const ValueMeta* read = knownValue(graph.node(use.node).meta))
                    device = deviceOf(*read);
        // And what knows no tensor at all, where the node before it is.
        if (device)
            before = device;
        else
            unknown += !value;
        labels[i] = devices
                        .try_emplace(device.value_or(before.value_or(c10::Device(c10::kCPU))).str(),
                                     static_cast<int>(devices.size()))
                        .first->second;
    }
    if (unknown > 0 && !before)
        throw Error("--by device", "no devices of values are recorded")
            .hint("record them first, by the pass shape-prop");
    std::vector<Part> out;
    for (LabelRun& run : labelRuns(graph, places, labels, {}))
        out.push_back({{}, std::move(run.nodes), {}, {}});
    return out;
}

std::vector<Part> partsByTag(const Graph& graph, const std::string& key, const std::string& untagged,
                             const std::set<std::string>& taken) {
    std::map<std::string, size_t> known;
    std::vector<Part> parts;
    std::vector<std::string> missing;
    for (const Node& node : graph) {
        if (!isCallNode(node))
            continue;
        std::string tag = tagOf(node, key);
        if (tag.empty())
            tag = untagged;
        if (tag.empty())
            missing.push_back(node.name);
        else if (!isIdentifier(tag))
            throw Error("node '" + node.name + "'",
                        "its tag " + pythonRepr(tag) + " is no name for a module");
        else if (taken.contains(tag))
            throw Error("node '" + node.name + "'",
                        "its tag " + pythonRepr(tag) + " is the name of something that the graph reads");
        const auto [at, isNew] = known.try_emplace(tag, parts.size());
        if (isNew)
            parts.push_back({tag, {}, {}, {}});
        parts[at->second].nodes.push_back(node.id);
    }
    if (!missing.empty())
        throw Error("--by tag", "some nodes have no tag: " + namesOf(missing))
            .hint("tag them, by the pass tag-nodes, or say what --untagged ones get");
    findBorders(graph, parts);
    std::vector<Part> out;
    for (const size_t part : runOrder(graph, parts, false))
        out.push_back(std::move(parts[part]));
    return out;
}

std::vector<LabelRun> labelRuns(const Graph& graph, const NodePlaces& places, const std::vector<int>& labels,
                                const std::vector<std::pair<size_t, size_t>>& waits,
                                std::optional<int> first) {
    const auto isIn = [&](NodeId node) { return isCallNode(graph.node(node)); };
    std::vector<std::vector<size_t>> readers(places.size());
    std::vector<size_t> waitsFor(places.size());
    for (size_t i = 0; i < places.size(); ++i)
        if (isIn(places.node(i)))
            for (const NodeId user : graph.node(places.node(i)).users)
                if (isIn(user))
                    readers[i].push_back(places.of(user));
    for (const auto& [node, on] : waits)
        readers[on].push_back(node);
    for (const std::vector<size_t>& of : readers)
        for (const size_t reader : of)
            ++waitsFor[reader];
    using Ready = std::priority_queue<size_t, std::vector<size_t>, std::greater<>>;
    std::map<int, Ready> ready;
    size_t left = 0;
    for (size_t i = 0; i < places.size(); ++i)
        if (isIn(places.node(i))) {
            ++left;
            if (!waitsFor[i])
                ready[labels[i]].push(i);
        }
    std::vector<LabelRun> out;
    const auto isFirst = [](const auto& a, const auto& b) {
        return !a.second.empty() && (b.second.empty() || a.second.top() < b.second.top());
    };
    while (left > 0) {
        const auto next = std::ranges::min_element(ready, isFirst);
        if (next == ready.end() || next->second.empty())
            throw Error("", "nodes that have to stay together wait for each other");
        const bool isAsked = first && ready.contains(*first) && !ready.at(*first).empty();
        out.push_back({isAsked ? *first : next->first, {}});
        first.reset();
        Ready& queue = ready[out.back().label];
        std::vector<size_t> run;
        while (!queue.empty()) {
            run.push_back(queue.top());
            queue.pop();
            for (const size_t reader : readers[run.back()])
                if (--waitsFor[reader] == 0)
                    ready[labels[reader]].push(reader);
        }
        left -= run.size();
        std::ranges::sort(run); // a node that waits for others may be ready after what comes later
        for (const size_t place : run)
            out.back().nodes.push_back(places.node(place));
    }
    return out;
}

} // namespace fx
