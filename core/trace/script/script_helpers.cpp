// SPDX-License-Identifier: GPL-3.0-or-later
// A handler for each kind of node, and conversions between numbers and tensors, which vanish where they say
// nothing. Lists, dicts and tuples are live and may hold proxies: script_containers.h.
#include "core/trace/script/script_helpers.h"

#include "core/trace/script/script_containers.h"
#include "core/trace/script/script_graph_containers.h"
#include "core/trace/script/script_texts.h"
#include "core/trace/script/script_undecided.h"
#include "core/trace/script/script_values.h"
#include "core/trace/tracing_host.h"

#include <algorithm>

namespace fx {

namespace prim = c10::prim;
namespace aten = c10::aten;

namespace {

using JitNode = torch::jit::Node;

void makeTupleOf(ScriptState& state, const JitNode& node) {
    state.frames.setOutput(node, makeTuple(state.frames.inputs(node)));
}

void makeListOf(ScriptState& state, const JitNode& node) {
    state.frames.setOutput(node, makeList(state.frames.inputs(node)));
}

void makeDictOf(ScriptState& state, const JitNode& node) {
    state.frames.setOutput(node, recordDict(state, state.frames.inputs(node)));
}

void unpack(ScriptState& state, const JitNode& node) {
    const Value packed = state.frames.value(node.input());
    Values items;
    if (const auto* sequence = packed.as<SequenceObject>()) {
        items = sequence->items;
    } else if (isProxy(packed)) {
        // A value of the graph is taken apart as `a, b = value` does.
        const std::optional<Value> shapes = state.knowledge.shapeOf(packed);
        for (size_t i = 0; i < node.outputs().size(); ++i)
            items.push_back(state.tracer.record(Opcode::CallFunction, "operator.getitem",
                                                {packed, makeInt(static_cast<int64_t>(i))}));
        if (shapes)
            state.knowledge.keepShapes(makeTuple(items), *shapes);
    }
    if (items.size() != node.outputs().size())
        state.tracer.fail("ValueError", "expected " + std::to_string(node.outputs().size()) +
                                            " values to unpack, but got " + std::to_string(items.size()));
    state.frames.setOutputs(node, items);
}

Value itemOfProxy(ScriptState& state, const Value& tuple, const Value& index) {
    const Value item = state.tracer.record(Opcode::CallFunction, "operator.getitem", {tuple, index});
    const std::optional<Value> shapes = state.knowledge.shapeOf(tuple);
    if (const auto* known = shapes ? shapes->as<SequenceObject>() : nullptr)
        if (const auto at = placeIn(known->items.size(), index.data().toInt()))
            state.knowledge.keepShapes(item, known->items[*at]);
    return item;
}

void indexTuple(ScriptState& state, const JitNode& node) {
    const Value tuple = state.frames.value(node.inputs()[0]), index = state.frames.value(node.inputs()[1]);
    if (isProxy(tuple))
        return state.frames.setOutput(node, itemOfProxy(state, tuple, index));
    const auto* items = tuple.as<SequenceObject>();
    const auto at =
        items && index.isInt() ? placeIn(items->items.size(), index.data().toInt()) : std::nullopt;
    if (!at)
        state.tracer.fail("IndexError", "tuple index out of range");
    state.frames.setOutput(node, items->items[*at]);
}

void sliceTuple(ScriptState& state, const JitNode& node) {
    const Value tuple = state.frames.value(node.input());
    const Value begin = makeInt(node.i(c10::attr::beg)), end = makeInt(node.i(c10::attr::end));
    if (!tuple.as<SequenceObject>())
        state.tracer.fail("", "a tuple of the inputs cannot be sliced");
    state.frames.setOutput(node, makeTuple(sliceOf(tuple.as<SequenceObject>()->items, begin, end, {})));
}

/// What gives its input as it is.
void passOn(ScriptState& state, const JitNode& node) {
    if (!node.outputs().empty())
        state.frames.setOutput(node, state.frames.value(node.input()));
}

void unwrapOptional(ScriptState& state, const JitNode& node) {
    if (state.frames.value(node.input()).isNone())
        state.tracer.fail("AssertionError", "Unwrapping null optional");
    passOn(state, node);
}

/// The class of a context manager where the program defines it; null of torch's own, and of what is no
/// instance.
c10::ClassTypePtr ownManager(ScriptState& state, const Value& manager) {
    if (!manager.as<InstanceObject>())
        return nullptr;
    const c10::ClassTypePtr type = state.instances.classOf(manager);
    const std::string name = type->name() ? demangled(type->name()->qualifiedName()) : std::string();
    return name.starts_with("torch.") ? nullptr : type;
}

void enter(ScriptState& state, const JitNode& node) {
    const Value manager = state.frames.value(node.input());
    if (const c10::ClassTypePtr type = ownManager(state, manager))
        state.frames.setOutput(node, state.call(type->getMethod("__enter__"), {manager}));
    else if (manager.as<InstanceObject>())
        state.frames.setOutput(node, {});
    else
        passOn(state, node);
}

void exit(ScriptState& state, const JitNode& node) {
    const Values args = state.frames.inputs(node);
    if (const c10::ClassTypePtr type = ownManager(state, args[0]))
        state.call(type->getMethod("__exit__"), args);
    state.frames.setOutputs(node, {});
}

void leaveOut(ScriptState& state, const JitNode& node) {
    state.frames.setOutputs(node, {});
}

void print(ScriptState& state, const JitNode& node) {
    if (!state.knowledge.isShadow())
        state.tracer.note("what the program prints or warns of is not part of the graph");
    leaveOut(state, node);
}

/// Whether each value of the type is an instance of a candidate; none where some are.
std::optional<bool> isInstanceOf(const c10::TypePtr& type, const std::vector<c10::TypePtr>& candidates) {
    if (std::ranges::any_of(candidates, [&](const auto& candidate) { return type->isSubtypeOf(*candidate); }))
        return true;
    if (type->kind() == c10::TypeKind::UnionType) {
        size_t count = 0;
        for (const c10::TypePtr& member : type->containedTypes())
            count += isInstanceOf(member, candidates).value_or(false);
        return count == type->containedTypes().size() ? std::optional(true)
               : count == 0                           ? std::optional(false)
                                                      : std::nullopt;
    }
    const bool isNarrowed =
        std::ranges::any_of(candidates, [&](const auto& candidate) { return candidate->isSubtypeOf(*type); });
    return isNarrowed ? std::nullopt : std::optional(false);
}

/// True if the value is a result within the graph that the program has not narrowed from an Optional.
bool mayBeMissing(const ScriptState& state, const Value& value) {
    if (!isProxy(value))
        return false;
    if (const std::optional<Value> shape = state.knowledge.shapeOf(value); shape && !shape->isNone())
        return false;
    const NodeId id = state.tracer.nodeOf(value);
    const auto type = state.types.find(id);
    return isCallNode(state.tracer.graph().node(id)) && type != state.types.end() &&
           c10::NoneType::get()->isSubtypeOf(*type->second);
}

/// isinstance(): of live values by what they are, of proxies by the type that the program gives them.
void testInstance(ScriptState& state, const JitNode& node) {
    const Value tested = state.frames.value(node.input());
    c10::TypePtr type = node.input()->type();
    if (isProxy(tested)) {
        if (const auto known = state.types.find(state.tracer.nodeOf(tested)); known != state.types.end())
            type = known->second;
        if (const auto optional = type->cast<c10::OptionalType>(); optional && !mayBeMissing(state, tested))
            type = optional->getElementType();
    } else if (tested.as<InstanceObject>()) {
        type = state.instances.classOf(tested);
    } else if (tested.isData()) {
        type = tested.data().type();
    } else if (const auto known = toIValue(tested, type)) {
        type = known->type();
    }
    const std::optional<bool> is = isInstanceOf(type, node.tys(c10::attr::types));
    // The branch that asks has a place in the source, the test has none.
    const auto& uses = node.output()->uses();
    const ScriptTracer::PlaceScope place(state.tracer, uses.empty() ? node : *uses[0].user,
                                         state.frames.function());
    if (!is && isProxy(tested))
        state.tracer.fail("TraceError", trace_text::kControlFlow, whatDecides(state, tested));
    state.frames.setOutput(node, c10::IValue(is.value_or(false)));
}

void testIdentity(ScriptState& state, const JitNode& node) {
    const Values both = state.frames.inputs(node);
    for (const size_t i : {0, 1})
        if (both[1 - i].isNone() && mayBeMissing(state, both[i]))
            return state.frames.setOutput(
                node, state.tracer.record(Opcode::CallFunction,
                                          node.kind() == aten::__is__ ? "operator.is_" : "operator.is_not",
                                          {both[i], both[1 - i]}));
    const bool isSame =
        both[0].isNone() || both[1].isNone() ? both[0].isNone() && both[1].isNone() : both[0].isSame(both[1]);
    state.frames.setOutput(node, c10::IValue(isSame == (node.kind() == aten::__is__)));
}

struct NodeHandler {
    c10::Symbol kind;
    void (*run)(ScriptState& state, const JitNode& node);
};
constexpr NodeHandler kHandlers[] = {{prim::TupleConstruct, makeTupleOf},
                                     {prim::ListConstruct, makeListOf},
                                     {prim::DictConstruct, makeDictOf},
                                     {prim::TupleUnpack, unpack},
                                     {prim::ListUnpack, unpack},
                                     {prim::TupleIndex, indexTuple},
                                     {prim::TupleSlice, sliceTuple},
                                     {prim::unchecked_cast, passOn},
                                     {prim::unchecked_unwrap_optional, passOn},
                                     {aten::_unwrap_optional, unwrapOptional},
                                     {aten::wait, passOn},
                                     {prim::rpc_async, passOn},
                                     {prim::Enter, enter},
                                     {prim::Exit, exit},
                                     {prim::Uninitialized, leaveOut},
                                     {prim::isinstance, testInstance},
                                     {prim::Print, print},
                                     {aten::warn, print},
                                     {aten::__is__, testIdentity},
                                     {aten::__isnot__, testIdentity}};

/// The name of Python's function that a conversion is; empty: there is none.
struct Conversion {
    std::string_view name, function;
};
constexpr Conversion kConversions[] = {{"Int", "int"},
                                       {"Float", "float"},
                                       {"Bool", ""},
                                       {"IntImplicit", ""},
                                       {"FloatImplicit", ""},
                                       {"ScalarImplicit", ""},
                                       {"ImplicitTensorToNum", ""},
                                       {"item", ""},
                                       {"Scalar", ""}};

/// What a conversion of a proxy gives; none where it is none, or is recorded as any other operator.
std::optional<Value> convertProxy(ScriptState& state, const JitNode& node, std::string_view name,
                                  const Value& given) {
    ScriptTracer& tracer = state.tracer;
    const NodeId id = tracer.nodeOf(given);
    if (name == "NumToTensor") {
        state.knowledge.setNumber(id);
        return given;
    }
    const auto conversion = std::ranges::find(kConversions, name, &Conversion::name);
    if (conversion == std::end(kConversions))
        return std::nullopt;
    const bool isNumber = state.knowledge.isNumber(id);
    if (isNumber && name != "Float" && name != "Bool")
        return given;
    if (name == "item" || node.inputs().size() != 1)
        return std::nullopt;
    if (const std::optional<Value> shape = state.knowledge.shapeOf(given);
        shape && !holdsTensor(*shape) && !shape->isNone())
        return std::nullopt;
    Value read = given;
    const auto convert = [&](Opcode opcode, Target target, const Values& args) {
        read = tracer.record(opcode, target, args);
        tracer.setErasable(tracer.nodeOf(read));
    };
    if (!isNumber && node.inputs()[0]->type()->isSubtypeOf(*c10::TensorType::get()))
        convert(Opcode::CallMethod, "item", {read});
    if (name == "Bool") // which torch.fx can trace again, as it cannot bool()
        convert(Opcode::CallFunction, "operator.ne", {read, makeInt(0)});
    else if (!conversion->function.empty())
        convert(Opcode::CallFunction, conversion->function, {read});
    return read;
}

std::optional<Value> resultOf(ScriptState& state, const JitNode& node, const std::string& name) {
    const Values args = state.frames.inputs(node);
    if (std::optional<Value> text = recordText(state, node, name, args))
        return text;
    refuseChangeOfFrozen(state, node, args);
    if (std::optional<Value> result = callOnGraphContainer(state, node, name, args))
        return result;
    if (isProxy(args[0]))
        return convertProxy(state, node, name, args[0]);
    // float(self.scale): a number that a run reads out of a tensor of the model.
    if (args[0].isTensor() && !state.knowledge.isKnown(args[0]) && !state.knowledge.isShadow() &&
        (name == "Float" || name == "Int"))
        return convertProxy(state, node, name, state.tracer.proxyOf(state.tracer.createArg(args[0]).node()));
    return callOnContainer(name, {state.tracer, args, node.inputs()[0]->type()});
}

} // namespace

bool runHelper(ScriptState& state, const JitNode& node) {
    const auto handler = std::ranges::find(kHandlers, node.kind(), &NodeHandler::kind);
    if (handler != std::end(kHandlers)) {
        handler->run(state, node);
        return true;
    }
    if ((!node.kind().is_aten() && !node.kind().is_prim()) || node.inputs().empty())
        return false;
    const std::optional<Value> result = resultOf(state, node, node.kind().toUnqualString());
    if (result && !node.outputs().empty())
        state.frames.setOutput(node, *result);
    return result.has_value();
}

} // namespace fx
