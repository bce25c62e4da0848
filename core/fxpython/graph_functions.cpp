// SPDX-License-Identifier: GPL-3.0-or-later
// What the text of Graph and GraphModule calls: nodes, their order, text and code.
#include "core/base/text.h"
#include "core/fxpython/fx_module.h"
#include "core/fxpython/python_names.h"
#include "core/ir/graph_text.h"
#include "core/python/types/support.h"

#include <algorithm>
#include <unordered_set>

namespace fx {

namespace {

/// What a new node costs of a program's steps: an endless loop of them ends before it fills the memory.
constexpr uint64_t kStepsOfNode = 25;

/// (graph, op, target, args, kwargs, name, type)
NodeId createNode(Evaluator& evaluator, Values& args) {
    ProgramGraph& graph = requireGraph(args[0]);
    evaluator.budget().charge(kStepsOfNode);
    evaluator.step();
    evaluator.reserve(sizeof(Node));
    const std::optional<Opcode> opcode = args[1].isString() ? opcodeFromName(args[1].text()) : std::nullopt;
    if (!opcode)
        raise("AssertionError", "op '" + evaluator.str(args[1]) + "' is not in _legal_ops");
    const Target target = args[2].isString() ? Target(args[2].text()) : graph.target(evaluator, args[2]);
    std::optional<std::string> name = textOrNone(args[5]);
    std::optional<std::string> type = graph.typeText(evaluator, args[6]);
    Arguments positional = graph.arguments(evaluator, args[3]);
    Keywords keywords = graph.keywords(evaluator, args[4]);
    return graph.create(*opcode, target, std::move(positional), std::move(keywords), name, std::move(type));
}

Value create(Evaluator& evaluator, Values& args) {
    return requireGraph(args[0]).node(evaluator, createNode(evaluator, args));
}

/// The same, and the instance that is the Node. The name is kept as it is.
Value createAs(Evaluator& evaluator, Values& args) {
    const Value instance = args.back();
    const NodeId made = createNode(evaluator, args);
    ProgramGraph& graph = requireGraph(args[0]);
    graph.edit().setName(made, args[5].text());
    graph.setNode(made, instance);
    return {};
}

/// Live, as torch.fx's: what comes behind is met, what is erased ahead is not.
Value iterate(Evaluator& evaluator, Values& args) {
    const std::shared_ptr<ProgramGraph> graph = requireGraph(args[0]).shared_from_this();
    const bool isReversed = evaluator.isTrue(args[1]);
    const auto step = isReversed ? &Node::previous : &Node::next;
    return makeIterator("NodeIter",
                        [graph, step, isReversed, &evaluator, at = NodeId(),
                         hasBegun = false]() mutable -> std::optional<Value> {
                            const Graph& nodes = graph->graph();
                            at = !hasBegun ? (isReversed ? nodes.last() : nodes.first())
                                 : at      ? nodes.node(at).*step
                                           : NodeId();
                            hasBegun = true;
                            while (at && nodes.node(at).isErased)
                                at = nodes.node(at).*step;
                            if (!at)
                                return std::nullopt;
                            return graph->node(evaluator, at);
                        });
}

/// (graph, op, target or None, whether in the order of the graph; else in that in which they were made)
Value find(Evaluator& evaluator, Values& args) {
    ProgramGraph& graph = requireGraph(args[0]);
    const std::optional<Opcode> opcode = args[1].isString() ? opcodeFromName(args[1].text()) : std::nullopt;
    if (!opcode)
        return makeList({});
    std::optional<Target> target;
    if (!args[2].isNone())
        target = args[2].isString() ? Target(args[2].text()) : graph.target(evaluator, args[2]);
    std::vector<NodeId> found = graph.graph().findNodes(*opcode, target);
    if (!evaluator.isTrue(args[3]))
        std::sort(found.begin(), found.end());
    return graph.nodes(evaluator, found);
}

/// (graph, candidate): a name that no node of the graph will have. It is used up by a node that goes again.
Value takeName(Evaluator&, Values& args) {
    Edit& edit = requireGraph(args[0]).edit();
    const NodeId node =
        edit.createNode(Opcode::Placeholder, Target("x"), {}, {}, args[1].text(), std::nullopt);
    const std::string name = requireGraph(args[0]).graph().node(node).name;
    edit.eraseNode(node);
    return makeText(name);
}

const char* const kNameTable = "names";

/// (table, candidate, whether what asks is the builtin of that name)
Value createName(Evaluator& evaluator, Values& args) {
    const auto* handle = args[0].as<HandleObject>();
    if (!handle || handle->typeName != kNameTable)
        raise("TypeError", "expected a table of names");
    return makeText(
        static_cast<NameTable*>(handle->content.get())->create(args[1].text(), evaluator.isTrue(args[2])));
}

/// (graph, node or None, isAfter): the point before, for restore_insert_point.
Value setInsertPoint(Evaluator& evaluator, Values& args) {
    ProgramGraph& graph = requireGraph(args[0]);
    const ProgramGraph::InsertPoint before = graph.insertPoint;
    const NodeHandle* node = nodeHandle(args[1]);
    graph.insertPoint = {node ? node->id : NodeId(), evaluator.isTrue(args[2])};
    return makeTuple(
        {before.anchor ? graph.node(evaluator, before.anchor) : Value(), c10::IValue(before.isAfter)});
}

/// The first thing that is wrong with order or names: (node, name of what is read too early or None).
Value firstFault(Evaluator& evaluator, Values& args) {
    ProgramGraph& graph = requireGraph(args[0]);
    std::unordered_set<std::string_view> names;
    for (const Node& node : graph.graph()) {
        for (const InputUse& use : node.inputs)
            if (!graph.graph().precedes(use.node, node.id) || graph.graph().node(use.node).isErased)
                return makeTuple({graph.node(evaluator, node.id), graph.node(evaluator, use.node)});
        if (!names.insert(node.name).second)
            return makeTuple({graph.node(evaluator, node.id), Value()});
    }
    return {};
}

Value mapped(Evaluator& evaluator, const Value& value, const Value& function, bool areNodes) {
    const RecursionGuard guard; // a container may hold itself
    const Value& plain = plainOf(value);
    const auto* instance = value.as<InstanceObject>();
    if (areNodes && instance && nodeHandle(value))
        return evaluator.call(function, {value});
    if (const auto* sequence = plain.as<SequenceObject>()) {
        Values items;
        items.reserve(sequence->items.size());
        const bool isList = sequence->isList;
        const Values given = sequence->items; // the function may change it
        for (const Value& item : given)
            items.push_back(mapped(evaluator, item, function, areNodes));
        if (isList)
            return immutableList(evaluator, std::move(items));
        if (instance && instance->type.as<ClassObject>()->data->find("_fields"))
            return evaluator.call(instance->type, std::move(items));
        return makeTuple(std::move(items));
    }
    if (const auto* sizes = plain.as<SizeObject>()) {
        Values items;
        const std::vector<int64_t> given = sizes->sizes;
        for (const int64_t size : given)
            items.push_back(mapped(evaluator, makeInt(size), function, areNodes));
        return makeTuple(std::move(items));
    }
    if (const auto* dict = plain.as<DictObject>()) {
        DictObject out;
        const DictObject given = *dict; // the function may change it
        for (const DictObject::Entry& entry : given.entries())
            out.set(entry.key, mapped(evaluator, entry.value, function, areNodes));
        return immutableDict(evaluator, std::move(out));
    }
    if (const auto* slice = value.as<SliceObject>()) {
        const SliceObject parts = *slice;
        return Object{SliceObject{mapped(evaluator, parts.start, function, areNodes),
                                  mapped(evaluator, parts.stop, function, areNodes),
                                  mapped(evaluator, parts.step, function, areNodes)}};
    }
    return areNodes ? value : evaluator.call(function, {value});
}

} // namespace

void addGraphFunctions(NativeModule& module, FxModule& graphs) {
    // Makes the instance a graph, or the one that has the handle given.
    module.add("attach", 1, 2, [&graphs](Evaluator&, Values& args) {
        if (args.size() < 2) {
            graphs.makeGraph()->setSelf(args[0]);
            return Value();
        }
        const auto* handle = args[1].as<HandleObject>();
        if (!handle)
            raise("TypeError", "expected a graph");
        (*static_cast<const std::shared_ptr<ProgramGraph>*>(handle->content.get()))->setSelf(args[0]);
        return Value();
    });
    module.add("create", 7, 7, create);
    module.add("create_as", 8, 8, createAs);
    module.add("nodes", 2, 2, iterate);
    module.add("size", 1, 1, [](Evaluator&, Values& args) {
        return makeInt(static_cast<int64_t>(requireGraph(args[0]).graph().size()));
    });
    module.add("end", 1, 1,
               [](Evaluator& e, Values& args) { return requireGraph(args[0]).node(e, NodeId()); });
    module.add("find", 4, 4, find);
    module.add("take_name", 2, 2, takeName);
    module.add("name_table", 0, 0, [](Evaluator&, Values&) {
        return Value(Object{HandleObject{nullptr, kNameTable, std::make_shared<NameTable>()}});
    });
    module.add("create_name", 3, 3, createName);
    module.add("erase", 2, 2, [](Evaluator&, Values& args) {
        ProgramGraph& graph = requireGraph(args[0]);
        const NodeId node = requireNode(args[1]).id;
        // What goes where the node stood goes where it was.
        if (graph.insertPoint.anchor == node)
            graph.insertPoint = {graph.insertPoint.isAfter ? graph.graph().node(node).previous
                                                           : graph.graph().node(node).next,
                                 graph.insertPoint.isAfter};
        if (!graph.insertPoint.anchor && !graph.insertPoint.isAfter && graph.graph().last() == node)
            graph.insertPoint.isAfter = true;
        graph.edit().eraseNode(node);
        return Value();
    });
    module.add("set_insert_point", 3, 3, setInsertPoint);
    module.add("text", 1, 1,
               [](Evaluator&, Values& args) { return makeText(graphText(requireGraph(args[0]).graph())); });
    module.add("tabular_text", 1, 1, [](Evaluator& e, Values& args) {
        ProgramGraph& graph = requireGraph(args[0]);
        return makeText(
            tabularText(graph.graph(), [&](Target target) { return e.str(graph.function(e, target)); }));
    });
    module.add("first_fault", 1, 1, firstFault);
    // What the first knows of functions and objects, the second knows, too.
    module.add("learn", 2, 2, [](Evaluator&, Values& args) {
        requireGraph(args[1]).learn(requireGraph(args[0]));
        return Value();
    });
    module.add("map_arg", 2, 2, [](Evaluator& e, Values& args) { return mapped(e, args[0], args[1], true); });
    module.add("map_aggregate", 2, 2,
               [](Evaluator& e, Values& args) { return mapped(e, args[0], args[1], false); });
    // A copy of a function or of a method's function, whose asserts are recorded (Frame::recordsAsserts).
    module.add("recording_asserts", 1, 1, [](Evaluator&, Values& args) {
        const auto* method = args[0].as<BoundMethodObject>();
        const auto* function = (method ? method->function : args[0]).as<DefinedObject>();
        if (!function)
            raise("TypeError", "expected a function, not " + typeName(args[0]));
        auto copy = std::make_shared<DefinedFunction>(*function->function);
        copy->recordsAsserts = true;
        return Value(Object{DefinedObject{std::move(copy)}});
    });
    module.add("annotation", 1, 1, [](Evaluator& e, Values& args) {
        const std::optional<std::string> text = annotationText(e, args[0]);
        return text ? makeText(*text) : Value();
    });
}

} // namespace fx
