// SPDX-License-Identifier: GPL-3.0-or-later
// What the text of Interpreter calls: the loop over the nodes, the values that each reads, its call, and what
// is let go of after it.
#include "core/fxpython/fx_module.h"
#include "core/python/attributes.h"
#include "core/python/items.h"
#include "core/python/set_attributes.h"

namespace fx {

namespace {

/// The argument with values in the place of its nodes; none where a node has no value, or stands in what
/// `mapped` alone takes apart.
std::optional<Value> valueFrom(Evaluator& evaluator, ProgramGraph& graph, const Argument& argument,
                               DictObject& values) {
    if (const NodeId id = argument.node()) {
        const Value* found = values.find(graph.node(evaluator, id));
        return found ? std::optional(*found) : std::nullopt;
    }
    const auto* list = argument.as<ListValue>();
    const auto* tuple = argument.as<TupleValue>();
    if (!list && !tuple) {
        return hasNodes(argument) ? std::nullopt : std::optional(graph.value(evaluator, argument));
    }
    Values items;
    for (const Argument& item : list ? list->items : tuple->items) {
        std::optional<Value> value = valueFrom(evaluator, graph, item, values);
        if (!value)
            return std::nullopt;
        items.push_back(std::move(*value));
    }
    return list ? immutableList(evaluator, std::move(items)) : makeTuple(std::move(items));
}

struct CallValues {
    Values args;
    NamedValues kwargs;
};

/// What a node is called with; none where `mapped` is needed.
std::optional<CallValues> valuesFor(Evaluator& evaluator, const NodeHandle& handle, DictObject& known) {
    CallValues given;
    for (const Argument& argument : handle.node().args) {
        std::optional<Value> value = valueFrom(evaluator, *handle.graph, argument, known);
        if (!value)
            return std::nullopt;
        given.args.push_back(std::move(*value));
    }
    for (const auto& [name, argument] : handle.node().kwargs) {
        std::optional<Value> value = valueFrom(evaluator, *handle.graph, argument, known);
        if (!value)
            return std::nullopt;
        given.kwargs.emplace_back(name, std::move(*value));
    }
    return given;
}

/// (interpreter, node, values of nodes): what the interpreter's method for the kind of node gives for the
/// node's target and values. A call_function that no subclass has changed is the call alone.
Value runNode(Evaluator& evaluator, Values& args) {
    const Value interpreter = args[0], node = args[1];
    const NodeHandle& handle = requireNode(node);
    auto* known = plainOf(args[2]).as<DictObject>();
    std::optional<CallValues> given = known ? valuesFor(evaluator, handle, *known) : std::nullopt;
    if (!given)
        return evaluator.callMethod(interpreter, "_run_node", {node});
    const std::string kind(opcodeName(handle.node().opcode));
    const Value target = evaluator.attribute(node, "target");
    Value self = interpreter;
    const std::optional<Value> method = methodOf(evaluator, self, kind);
    if (method && handle.node().opcode == Opcode::CallFunction && !target.isString()) {
        const Value plain = classOfFx(evaluator, "torch.fx.interpreter", "Interpreter");
        const Value* own = evaluator.classOf(plain).find(kind);
        if (own && own->isSame(*method))
            return evaluator.call(target, std::move(given->args), std::move(given->kwargs));
    }
    DictObject kwargs;
    for (auto& [name, value] : given->kwargs)
        kwargs.set(name, std::move(value));
    Values all{target, makeTuple(std::move(given->args)), immutableDict(evaluator, std::move(kwargs))};
    if (method)
        all.insert(all.begin(), self);
    return evaluator.call(method ? *method : evaluator.attribute(interpreter, kind), std::move(all));
}

/// Takes away the values that nobody reads after the node.
void forgetReads(Evaluator& evaluator, const Value& lastUses, const Value& node, const Value& values) {
    Value reads;
    if (auto* uses = lastUses.as<DictObject>()) {
        if (const Value* found = uses->find(node))
            reads = *found;
    } else {
        reads = evaluator.callMethod(lastUses, "get", {node});
    }
    if (!reads.isNone())
        for (const Value& read : evaluator.items(reads))
            deleteSubscript(evaluator, values, read);
}

/// (interpreter): runs the nodes that have no value yet, up to the output, which it gives; None without one.
/// Where one fails to run, it is the interpreter's `_failed`.
Value runNodes(Evaluator& evaluator, Values& args) {
    const Value interpreter = args[0];
    const Value nodes =
        evaluator.iterator(evaluator.attribute(evaluator.attribute(interpreter, "graph"), "nodes"));
    while (const std::optional<Value> node = evaluator.next(nodes)) {
        evaluator.step();
        if (contains(evaluator, evaluator.attribute(interpreter, "env"), *node))
            continue;
        try {
            Value self = interpreter;
            const std::optional<Value> method = methodOf(evaluator, self, "run_node");
            Value result = method ? evaluator.call(*method, {self, *node})
                                  : evaluator.callMethod(interpreter, "run_node", {*node});
            setSubscript(evaluator, evaluator.attribute(interpreter, "env"), *node, std::move(result));
        } catch (const Error&) {
            setAttribute(evaluator, interpreter, "_failed", *node);
            throw;
        }
        if (evaluator.isTrue(evaluator.attribute(interpreter, "garbage_collect_values")))
            forgetReads(evaluator, evaluator.attribute(interpreter, "user_to_last_uses"), *node,
                        evaluator.attribute(interpreter, "env"));
        const Value op = evaluator.attribute(*node, "op");
        if (op.isString() && op.text() == "output")
            return *node;
    }
    return {};
}

/// (graph): for each node, the nodes that nobody reads after it.
Value lastUses(Evaluator& evaluator, Values& args) {
    ProgramGraph& graph = requireGraph(args[0]);
    std::vector<bool> isRead(static_cast<size_t>(graph.graph().nextId().value));
    DictObject out;
    for (NodeId at = graph.graph().last(); at; at = graph.graph().node(at).previous) {
        const Node& node = graph.graph().node(at);
        if (node.isErased)
            continue;
        Values reads;
        forEachNode(node.args, node.kwargs, [&](NodeId read) {
            const auto place = static_cast<size_t>(read.value);
            if (!isRead[place])
                reads.push_back(graph.node(evaluator, read));
            isRead[place] = true;
        });
        if (!reads.empty())
            out.set(graph.node(evaluator, at), makeList(std::move(reads)));
    }
    return Object{std::move(out)};
}

} // namespace

void addInterpreterFunctions(NativeModule& module) {
    module.add("run_node", 3, 3, runNode);
    module.add("run_nodes", 1, 1, runNodes);
    module.add("last_uses", 1, 1, lastUses);
}

} // namespace fx
