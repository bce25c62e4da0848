// SPDX-License-Identifier: GPL-3.0-or-later
// One row for each operator: the call of Python that gives its result, and the container as it is afterwards.
#include "core/trace/script/script_graph_containers.h"

#include "core/trace/script/script_values.h"
#include "core/trace/tracing_host.h"

#include <ATen/core/jit_type.h>

#include <algorithm>

namespace fx {

namespace {

using Handled = std::optional<Value>;

struct GraphCall {
    ScriptState& state;
    const torch::jit::Node& node;
    std::string_view name;
    const Values& args; ///< the first is the container

    Value record(Opcode opcode, Target target, const Values& values, const NamedValues& keywords = {}) const {
        const Value out = state.tracer.record(opcode, target, values, keywords);
        state.tracer.setErasable(state.tracer.nodeOf(out));
        return out;
    }
    Value function(Target target, const Values& values) const {
        return record(Opcode::CallFunction, target, values);
    }
    Value method(Target target, const Values& values) const {
        return record(Opcode::CallMethod, target, values);
    }
    bool isDict() const { return node.inputs()[0]->type()->kind() == c10::TypeKind::DictType; }
};

/// Containers inside of a live one, which a value of the graph holds as they are now.
void freezeInner(ScriptState& state, const Value& value, bool isInner = false) {
    const bool isContainer = value.as<SequenceObject>() || value.as<DictObject>();
    if (isInner && (isContainer || value.as<ProxyObject>()))
        state.frozen.insert_or_assign(value.object().get(), value);
    if (const auto* sequence = value.as<SequenceObject>())
        for (const Value& item : sequence->items)
            freezeInner(state, item, true);
    if (const auto* dict = value.as<DictObject>())
        for (const DictObject::Entry& entry : dict->entries())
            freezeInner(state, entry.value, true);
}

/// A new value that belongs to the program alone, so that it may change it.
Value owned(const GraphCall& call, const Value& made) {
    call.state.ownContainers.insert(call.state.tracer.nodeOf(made));
    return made;
}

/// Whoever holds the container holds the other one from now on.
void become(const GraphCall& call, Object&& other) {
    const Value& container = call.args[0];
    if (const auto* proxy = container.as<ProxyObject>();
        proxy && !call.state.ownContainers.contains(proxy->node)) {
        const auto input = call.state.inputTypes.find(proxy->node);
        if (input == call.state.inputTypes.end() || call.state.loopValues.contains(proxy->node))
            call.state.tracer.fail("",
                                   std::string(call.name) +
                                       "() changes a list or dict that is part of another value of the graph",
                                   "change a copy of it: list(x) or dict(x)");
    }
    *container.object() = std::move(other);
}

void become(const GraphCall& call, const Value& made) {
    owned(call, made);
    become(call, Object{ProxyObject(*made.as<ProxyObject>())});
}

// --- What changes nothing

Handled copied(const GraphCall& call) {
    const bool isList = !call.isDict() || call.name == "list";
    return owned(call, call.function(isList ? "list" : "dict", {call.args[0]}));
}

Handled listOfMethod(const GraphCall& call) {
    return owned(call, call.function("list", {call.method(std::string(call.name), {call.args[0]})}));
}

Handled hasItem(const GraphCall& call) {
    return call.function("operator.contains", {call.args[0], call.args[1]});
}

Handled item(const GraphCall& call) {
    return call.function("operator.getitem", {call.args[0], call.args[1]});
}

Handled sliced(const GraphCall& call) {
    const bool isWhole = call.args[3].isInt() && call.args[3].data().toInt() == 1;
    const Value slice = Object{SliceObject{call.args[1], call.args[2], isWhole ? Value() : call.args[3]}};
    return owned(call, call.function("operator.getitem", {call.args[0], slice}));
}

Handled methodOf(const GraphCall& call) {
    return call.method(std::string(call.name), call.args);
}

Handled builtinOf(const GraphCall& call) {
    if (call.node.output()->type()->isSubtypeOf(*c10::TensorType::get()))
        return std::nullopt;
    const Value made = call.function(std::string(call.name), call.args);
    return call.name == "sorted" ? owned(call, made) : made;
}

Handled length(const GraphCall& call) {
    return call.function("len", call.args);
}

Handled added(const GraphCall& call) {
    return owned(call, call.function(call.name == "mul" ? "operator.mul" : "operator.add", call.args));
}

Handled dictOfPairs(const GraphCall& call) {
    return call.isDict() ? copied(call) : owned(call, call.function("dict", {call.args[0]}));
}

// --- What changes the container

/// A method on a copy. The container after it is read out of a tuple with the method's result, so that the
/// call is in the graph for as long as anybody reads the container.
Handled onCopy(const GraphCall& call, Opcode opcode, Target target, Values args) {
    const Value copy = call.function(call.isDict() ? "dict" : "list", {args[0]});
    args[0] = copy;
    const Value result = call.record(opcode, target, args);
    become(call, call.function("operator.getitem", {makeTuple({copy, result}), makeInt(0)}));
    return result;
}

Handled methodOnCopy(const GraphCall& call) {
    return onCopy(call, Opcode::CallMethod, std::string(call.name), call.args);
}

Handled deleted(const GraphCall& call) {
    onCopy(call, Opcode::CallFunction, "operator.delitem", call.args);
    return Value();
}

Handled popped(const GraphCall& call) {
    return methodOnCopy(call);
}

Handled firstPopped(const GraphCall& call) {
    const Value key = call.function("operator.getitem", {call.function("list", {call.args[0]}), makeInt(0)});
    const Value value = *onCopy(call, Opcode::CallMethod, "pop", {call.args[0], key});
    return makeTuple({key, value});
}

Handled appended(const GraphCall& call) {
    become(call, call.function("operator.add", {call.args[0], makeList({call.args[1]})}));
    return call.args[0];
}

Handled extended(const GraphCall& call) {
    const Value more = isProxy(call.args[1]) ? call.function("list", {call.args[1]}) : call.args[1];
    become(call, call.function("operator.add", {call.args[0], more}));
    return call.args[0];
}

Handled itemSet(const GraphCall& call) {
    if (call.isDict())
        become(call, call.function("operator.or_",
                                   {call.args[0], recordDict(call.state, {call.args[1], call.args[2]})}));
    else
        onCopy(call, Opcode::CallMethod, "__setitem__", call.args);
    return call.args[0];
}

Handled updated(const GraphCall& call) {
    become(call, call.function("operator.or_", {call.args[0], call.args[1]}));
    return Value();
}

Handled cleared(const GraphCall& call) {
    become(call, call.isDict() ? Object{DictObject()} : Object{SequenceObject{{}, true}});
    return Value();
}

Handled reversed(const GraphCall& call) {
    const Value slice = Object{SliceObject{{}, {}, makeInt(-1)}};
    become(call, call.function("operator.getitem", {call.args[0], slice}));
    return Value();
}

Handled sorted(const GraphCall& call) {
    if (call.args.size() > 1 && !call.args[1].isBool())
        return std::nullopt;
    const bool isReversed = call.args.size() > 1 && call.args[1].data().toBool();
    become(call, call.record(Opcode::CallFunction, "sorted", {call.args[0]},
                             isReversed ? NamedValues{{"reverse", call.args[1]}} : NamedValues()));
    return Value();
}

struct MethodRow {
    std::string_view name;
    Handled (*run)(const GraphCall& call);
};
constexpr MethodRow kListRows[] = {
    {"len", length},        {"list", copied},         {"copy", copied},      {"dict", dictOfPairs},
    {"__getitem__", item},  {"select", item},         {"slice", sliced},     {"__contains__", hasItem},
    {"index", methodOf},    {"count", methodOf},      {"sum", builtinOf},    {"any", builtinOf},
    {"all", builtinOf},     {"sorted", builtinOf},    {"max", builtinOf},    {"min", builtinOf},
    {"add", added},         {"mul", added},           {"append", appended},  {"extend", extended},
    {"add_", extended},     {"insert", methodOnCopy}, {"pop", popped},       {"Delete", deleted},
    {"_set_item", itemSet}, {"clear", cleared},       {"reverse", reversed}, {"remove", methodOnCopy},
    {"sort", sorted}};
constexpr MethodRow kDictRows[] = {
    {"len", length},        {"__getitem__", item},    {"get", methodOf},        {"__contains__", hasItem},
    {"keys", listOfMethod}, {"values", listOfMethod}, {"items", listOfMethod},  {"copy", copied},
    {"dict", dictOfPairs},  {"list", copied},         {"_set_item", itemSet},   {"setdefault", methodOnCopy},
    {"pop", popped},        {"Delete", deleted},      {"popitem", firstPopped}, {"clear", cleared},
    {"update", updated}};

/// Whether values of the graph decide what the operator gives, or how it changes a live container.
bool isDecidedByGraph(std::string_view name, const Values& args) {
    const auto isProxyAt = [&](size_t at) { return at < args.size() && isProxy(args[at]); };
    if (args[0].as<DictObject>())
        return isProxyAt(1);
    if (name == "append")
        return false;
    if (name == "index" || name == "count" || name == "remove" || name == "sort" || name == "sum" ||
        name == "any" || name == "all" || name == "sorted" || name == "max" || name == "min")
        return std::ranges::any_of(args, holdsProxy);
    if (name == "dict")
        return std::ranges::any_of(args[0].as<SequenceObject>()->items, [](const Value& pair) {
            const auto* items = pair.as<SequenceObject>();
            return isProxy(pair) || (items && !items->items.empty() && isProxy(items->items[0]));
        });
    if (name == "slice")
        return isProxyAt(1) || isProxyAt(2) || isProxyAt(3);
    return name != "__contains__" && isProxyAt(1);
}

/// What script_default.cpp records of a proxy.
bool isRecordedPlainly(std::string_view name) {
    return name == "len" || name == "__getitem__" || name == "slice";
}

} // namespace

Value recordDict(ScriptState& state, const Values& parts) {
    DictObject plain;
    Values pairs;
    bool hasProxies = false;
    for (size_t i = 0; i + 1 < parts.size(); i += 2) {
        hasProxies |= isProxy(parts[i]);
        if (!hasProxies)
            plain.set(parts[i], parts[i + 1]);
        pairs.push_back(makeTuple({parts[i], parts[i + 1]}));
    }
    if (!hasProxies)
        return Object{std::move(plain)};
    const Value given = makeList(std::move(pairs));
    freezeInner(state, given);
    const Value out = state.tracer.record(Opcode::CallFunction, "dict", {given});
    state.tracer.setErasable(state.tracer.nodeOf(out));
    state.ownContainers.insert(state.tracer.nodeOf(out));
    return out;
}

void refuseChangeOfFrozen(ScriptState& state, const torch::jit::Node& node, const Values& args) {
    const c10::FunctionSchema* schema = node.maybeSchema();
    const c10::TypeKind kind = node.inputs()[0]->type()->kind();
    const bool isContainer = kind == c10::TypeKind::ListType || kind == c10::TypeKind::DictType;
    if (isContainer && schema && schema->is_mutable() && state.frozen.contains(args[0].object().get()))
        state.tracer.fail("",
                          "the program changes a list or dict that is already part of a value of the graph",
                          "change it before it is put into a list or dict that depends on the inputs");
}

std::optional<Value> callOnGraphContainer(ScriptState& state, const torch::jit::Node& node,
                                          std::string_view name, const Values& args) {
    const c10::TypeKind kind = node.inputs()[0]->type()->kind();
    const bool isList = kind == c10::TypeKind::ListType, isDict = kind == c10::TypeKind::DictType;
    const bool isLive = args[0].as<SequenceObject>() || args[0].as<DictObject>();
    if ((!isList && !isDict) || (!isProxy(args[0]) && (!isLive || !isDecidedByGraph(name, args))) ||
        state.knowledge.isShadow())
        return std::nullopt;
    const auto rows = isDict ? std::span<const MethodRow>(kDictRows) : std::span<const MethodRow>(kListRows);
    const auto row = std::ranges::find(rows, name, &MethodRow::name);
    if (row == rows.end() || !node.maybeSchema() || (isProxy(args[0]) && isRecordedPlainly(name)))
        return std::nullopt;
    const std::optional<Values> shapes =
        node.schema().is_mutable() ? std::nullopt : state.knowledge.foldShapes(node, args);
    if (shapes && shapes->size() == 1 && !holdsTensor(shapes->front()))
        return shapes->front();
    // Those that become items of the container.
    static constexpr std::string_view kHolding[] = {"append",     "insert", "_set_item",
                                                    "setdefault", "get",    "pop"};
    const bool isHeld = std::ranges::find(kHolding, name) != std::end(kHolding);
    for (size_t i = 0; i < args.size(); ++i)
        freezeInner(state, args[i], isHeld && i > 0);
    Handled result = row->run({state, node, name, args});
    if (result && shapes && shapes->size() == 1)
        state.knowledge.keepShapes(*result, shapes->front());
    return result;
}

} // namespace fx
