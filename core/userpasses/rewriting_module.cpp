// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/userpasses/rewriting_module.h"

#include "core/rewrite/replace_pattern.h"
#include "core/torch/host/nn_modules.h"
#include "core/trace/tracer.h"

#include <unordered_set>

namespace fx {

namespace {

/// The attributes that the graph reads, put beside it: attributes are compared by what they are.
OwnedGraph owned(Evaluator& evaluator, ProgramGraph& graph) {
    const std::optional<Value> module = evaluator.findAttribute(graph.self(), "owning_module");
    if (module && isModuleInstance(*module))
        copyReferenced(evaluator, graph.edit(), *module, {}, false);
    return {&graph.model(), graph.model().root()};
}

/// Has the pattern call its functions by the names that they have in the graph. Two functions of one name get
/// different ones, but each graph gives them in an order of its own.
void nameAlike(Evaluator& evaluator, ProgramGraph& pattern, ProgramGraph& graph) {
    std::vector<std::pair<NodeId, Value>> called;
    std::unordered_set<Target> names;
    for (const Node& node : pattern.graph())
        if (node.opcode == Opcode::CallFunction && pattern.knows(node.target)) {
            const Value function = pattern.function(evaluator, node.target);
            if (!function.as<DefinedObject>())
                continue;
            called.emplace_back(node.id, function);
            names.insert(node.target);
        }
    for (const Node& node : graph.graph())
        if (node.opcode == Opcode::CallFunction && names.contains(node.target))
            graph.function(evaluator, node.target); // so that it is known by its name
    for (const auto& [id, function] : called) {
        const Target name = graph.target(evaluator, function);
        if (name != pattern.graph().node(id).target)
            pattern.edit().setTarget(id, name);
        pattern.learn(name, function);
    }
}

Values nodesOf(Evaluator& evaluator, ProgramGraph& graph, const Arguments& arguments) {
    Values out;
    for (const Argument& argument : arguments)
        out.push_back(graph.value(evaluator, argument));
    return out;
}

/// (anchor, {node of the pattern: what stands for it}, placeholders, returned)
Value matchValue(Evaluator& evaluator, ProgramGraph& pattern, ProgramGraph& graph,
                 const SubgraphMatch& match) {
    DictObject nodes;
    for (const PatternMap::Entry& entry : match.nodes.entries())
        nodes.set(pattern.node(evaluator, entry.pattern), graph.value(evaluator, entry.value));
    return makeTuple({pattern.node(evaluator, match.anchor), Object{std::move(nodes)},
                      makeList(nodesOf(evaluator, graph, match.placeholders)),
                      makeList(nodesOf(evaluator, graph, match.returned))});
}

/// (pattern, graph, match_output, match_placeholder, remove_overlapping, ignore_literals, node name)
Value match(Evaluator& evaluator, Values& args) {
    ProgramGraph &pattern = requireGraph(args[0]), &graph = requireGraph(args[1]);
    const auto flag = [&](size_t i) { return evaluator.isTrue(args[i]); };
    nameAlike(evaluator, pattern, graph);
    const SubgraphMatcher matcher(owned(evaluator, pattern), {flag(2), flag(3), flag(4), flag(5)});
    Values out;
    for (const SubgraphMatch& found : matcher.match(owned(evaluator, graph), args[6].text()))
        out.push_back(matchValue(evaluator, pattern, graph, found));
    return makeList(std::move(out));
}

/// (graph, pattern, replacement or None, filters, ignore_literals, callback or None, node name); filters and
/// callback take what match() gives for one match.
Value replace(Evaluator& evaluator, Values& args) {
    ProgramGraph &graph = requireGraph(args[0]), &pattern = requireGraph(args[1]);
    owned(evaluator, graph);
    owned(evaluator, pattern);
    nameAlike(evaluator, pattern, graph);
    ReplaceOptions options;
    options.ignoreLiterals = evaluator.isTrue(args[4]);
    options.nodeNameContains = args[6].text();
    options.isModule = false; // what the replacement reads is copied by the text
    for (const Value& filter : evaluator.items(args[3]))
        options.filters.push_back([&, filter](const SubgraphMatch& found, const Graph&, const Graph&) {
            return evaluator.isTrue(evaluator.call(filter, {matchValue(evaluator, pattern, graph, found)}));
        });
    if (!args[5].isNone())
        options.callback = [&](const SubgraphMatch& found, const Graph&, const Graph&) {
            const Value made = evaluator.call(args[5], {matchValue(evaluator, pattern, graph, found)});
            graph.learn(requireGraph(made));
            return Model(requireGraph(made).model());
        };
    std::vector<ReplacedPattern> done;
    if (args[2].isNone()) {
        done = replacePattern(graph.edit(), pattern.model(), options);
    } else {
        graph.learn(requireGraph(args[2]));
        done = replacePattern(graph.edit(), pattern.model(), requireGraph(args[2]).model(), options);
    }
    Values out;
    for (const ReplacedPattern& one : done) {
        DictObject nodes;
        for (const PatternMap::Entry& entry : one.nodes.entries())
            nodes.set(pattern.node(evaluator, entry.pattern), graph.value(evaluator, entry.value));
        out.push_back(makeTuple({pattern.node(evaluator, one.anchor), Object{std::move(nodes)},
                                 graph.nodes(evaluator, one.replacements)}));
    }
    return makeList(std::move(out));
}

} // namespace

std::optional<Value> RewritingModule::importModule(Evaluator&, const std::string& name) {
    if (name != "torch.fx._rewriting")
        return std::nullopt;
    NativeModule module(name);
    module.add("match", 7, 7, match);
    module.add("replace", 7, 7, replace);
    return module.value();
}

} // namespace fx
