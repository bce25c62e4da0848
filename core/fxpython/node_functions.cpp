// SPDX-License-Identifier: GPL-3.0-or-later
// What the text of Node calls: attributes, edits, order.
#include "core/fxpython/fx_module.h"
#include "core/fxpython/python_names.h"
#include "core/ir/graph_text.h"
#include "core/python/types/support.h"
#include "core/torch/bind/purity.h"

namespace fx {

namespace {

Value opOf(Evaluator&, Values& args) {
    const NodeHandle& handle = requireNode(args[0]);
    return makeText(handle.id ? std::string(opcodeName(handle.node().opcode)) : "root");
}

Value nameOf(Evaluator&, Values& args) {
    const NodeHandle& handle = requireNode(args[0]);
    return makeText(handle.id ? handle.node().name : "");
}

Value targetOf(Evaluator& evaluator, Values& args) {
    const NodeHandle& handle = requireNode(args[0]);
    if (!handle.id)
        return makeText("");
    const Node& node = handle.node();
    // While a program turns a call_method into a call_function, the name has no function yet.
    const bool isFunction = node.opcode == Opcode::CallFunction &&
                            (!node.target.isBuiltin() || evaluator.builtins().find(node.target.name()) ||
                             handle.graph->knows(node.target));
    return isFunction ? handle.graph->function(evaluator, node.target) : makeText(node.target.name());
}

Value typeOf(Evaluator& evaluator, Values& args) {
    const NodeHandle& handle = requireNode(args[0]);
    if (!handle.id || !handle.node().type)
        return {};
    const std::string& text = *handle.node().type;
    const std::optional<Value> type = handle.graph->type(evaluator, text);
    return type ? *type : makeText(text);
}

NodeId neighbour(const NodeHandle& handle, NodeId Node::*next, bool isForward) {
    const Graph& graph = handle.graph->graph();
    if (!handle.id)
        return isForward ? graph.first() : graph.last();
    NodeId at = graph.node(handle.id).*next;
    while (at && graph.node(at).isErased)
        at = graph.node(at).*next;
    return at;
}

Value usersOf(Evaluator& evaluator, Values& args) {
    const NodeHandle& handle = requireNode(args[0]);
    DictObject out;
    if (handle.id)
        for (const NodeId user : handle.node().users)
            out.set(handle.graph->node(evaluator, user), Value());
    return Object{std::move(out)};
}

Values inputsOf(Evaluator& evaluator, const NodeHandle& handle) {
    Values out;
    if (handle.id)
        for (const InputUse& use : handle.node().inputs)
            out.push_back(handle.graph->node(evaluator, use.node));
    return out;
}

NodeId inputOf(const NodeHandle& handle, const Value& other) {
    const NodeHandle& node = requireNode(other);
    if (node.graph != handle.graph)
        raise("RuntimeError", "Node '" + node.node().name + "' does not belong to this Graph");
    return node.id;
}

/// (node, other, isAfter): node stands beside other.
Value move(Evaluator& evaluator, Values& args) {
    const NodeHandle &handle = requireNode(args[0]), &other = requireNode(args[1]);
    if (handle.graph != other.graph)
        raise("AssertionError", "Attempting to move a Node into a different Graph");
    const bool isAfter = evaluator.isTrue(args[2]);
    Edit& edit = handle.graph->edit();
    if (handle.id == other.id)
        return {};
    if (!other.id) { // the one that stands before the first and after the last
        const Graph& graph = handle.graph->graph();
        if (isAfter && graph.first() != handle.id)
            edit.moveBefore(handle.id, graph.first());
        else if (!isAfter && graph.last() != handle.id)
            edit.moveAfter(handle.id, graph.last());
        return {};
    }
    if (isAfter)
        edit.moveAfter(handle.id, other.id);
    else
        edit.moveBefore(handle.id, other.id);
    return {};
}

Value setCallee(Evaluator& evaluator, const NodeHandle& handle, Opcode opcode, const Value& target) {
    const Target callee =
        target.isString() ? Target(target.text()) : handle.graph->target(evaluator, target, true);
    handle.graph->edit().setCallee(handle.id, opcode, callee);
    return {};
}

} // namespace

void addNodeFunctions(NativeModule& module) {
    module.add("op", 1, 1, opOf);
    module.add("name", 1, 1, nameOf);
    module.add("target", 1, 1, targetOf);
    module.add("type", 1, 1, typeOf);
    module.add("users", 1, 1, usersOf);
    module.add("args", 1, 1, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        return handle.id ? handle.graph->tuple(e, handle.node().args) : makeTuple({});
    });
    module.add("kwargs", 1, 1, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        return handle.graph->dict(e, handle.id ? handle.node().kwargs : Keywords());
    });
    module.add("meta", 1, 1, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        return handle.graph->meta(e, args[0], handle.id);
    });
    module.add("graph", 1, 1,
               [](Evaluator& e, Values& args) { return requireNode(args[0]).graph->graphObject(e); });
    module.add("inputs", 1, 1,
               [](Evaluator& e, Values& args) { return makeList(inputsOf(e, requireNode(args[0]))); });
    module.add("is_erased", 1, 1, [](Evaluator&, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        return makeBool(handle.id && handle.node().isErased);
    });
    module.add("next", 1, 1, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        return handle.graph->node(e, neighbour(handle, &Node::next, true));
    });
    module.add("previous", 1, 1, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        return handle.graph->node(e, neighbour(handle, &Node::previous, false));
    });
    module.add("order", 1, 1, [](Evaluator&, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        return makeInt(handle.id ? static_cast<int64_t>(handle.node().order) : 0);
    });
    module.add("precedes", 2, 2, [](Evaluator&, Values& args) {
        const NodeHandle &a = requireNode(args[0]), &b = requireNode(args[1]);
        return makeBool(a.graph->graph().precedes(a.id, b.id));
    });
    module.add("move", 3, 3, move);
    module.add("set_op", 2, 2, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        const std::optional<Opcode> opcode =
            args[1].isString() ? opcodeFromName(args[1].text()) : std::nullopt;
        if (!opcode)
            raise("AssertionError", "op " + e.repr(args[1]) + " is not in _legal_ops");
        handle.graph->edit().setCallee(handle.id, *opcode, handle.node().target);
        return Value();
    });
    module.add("set_target", 2, 2, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        return setCallee(e, handle, handle.node().opcode, args[1]);
    });
    module.add("set_name", 2, 2, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        handle.graph->edit().setName(handle.id, e.str(args[1]));
        return Value();
    });
    module.add("rename", 2, 2, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        handle.graph->edit().rename(handle.id, e.str(args[1]));
        return Value();
    });
    module.add("set_type", 2, 2, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        handle.graph->edit().setType(handle.id, handle.graph->typeText(e, args[1]));
        return Value();
    });
    module.add("set_args", 2, 2, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        handle.graph->edit().setArgs(handle.id, handle.graph->arguments(e, args[1]));
        return Value();
    });
    module.add("set_kwargs", 2, 2, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        handle.graph->edit().setKwargs(handle.id, handle.graph->keywords(e, args[1]));
        return Value();
    });
    // (node, old, new)
    module.add("replace_input", 3, 3, [](Evaluator&, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        handle.graph->edit().replaceInputWith(handle.id, inputOf(handle, args[1]), inputOf(handle, args[2]));
        return Value();
    });
    // (old, new): the readers that were changed
    module.add("replace_all", 2, 2, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        return handle.graph->nodes(
            e, handle.graph->edit().replaceAllUsesWith(handle.id, inputOf(handle, args[1])));
    });
    // (node, whether drawing random numbers counts)
    module.add("is_impure", 2, 2, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        const Model& model = handle.graph->model();
        return makeBool(isImpure(model, model.root(), handle.node(), e.isTrue(args[1])));
    });
    // (node, with tensors)
    module.add("format", 2, 2, [](Evaluator& e, Values& args) {
        const NodeHandle& handle = requireNode(args[0]);
        return makeText(formatNode(handle.graph->graph(), handle.id, e.isTrue(args[1])));
    });
    // (function, name to use where it has none)
    module.add("qualified_name", 1, 1, [](Evaluator& e, Values& args) {
        const std::optional<Value> name = e.findAttribute(args[0], "__name__");
        return makeText(Target(targetOfFunction(e, args[0], name && name->isString() ? name->text() : ""))
                            .qualifiedName());
    });
}

} // namespace fx
