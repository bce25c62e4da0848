// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_control.h"

#include "core/trace/script/script_checks.h"
#include "core/trace/script/script_undecided.h"
#include "core/trace/script/script_while.h"

#include <ATen/ATen.h>

namespace fx {

namespace prim = c10::prim;
using JitNode = torch::jit::Node;

void ScriptControl::failUndecided(const Value& condition, const std::string& reason) {
    const std::string advice = whatDecides(m_state, condition);
    m_state.tracer.fail("TraceError", trace_text::kControlFlow,
                        reason + (reason.empty() || advice.empty() ? "" : "\n") + advice);
}

std::optional<bool> ScriptControl::decided(const JitNode& node, const Value& condition) {
    if (condition.isBool())
        return condition.data().toBool();
    if (condition.isTensor() && m_state.knowledge.isKnown(condition) &&
        condition.data().toTensor().numel() == 1 && !condition.data().toTensor().is_meta())
        return condition.data().toTensor().item().toBool();
    if (onlyRaises(*node.blocks()[0]) == onlyRaises(*node.blocks()[1]))
        return std::nullopt;
    // A check of the inputs: the graph is of the inputs that pass it.
    ScriptTracer& tracer = m_state.tracer;
    if (!m_state.knowledge.isShadow())
        tracer.note(
            "a check of the inputs is not part of the graph" +
            (tracer.currentPlace().file.empty() ? std::string() : ": " + tracer.currentPlace().name()));
    return onlyRaises(*node.blocks()[1]);
}

void ScriptControl::runIf(const JitNode& node) {
    const Value condition = m_state.frames.value(node.input());
    const std::optional<bool> isTaken = decided(node, condition);
    if (!isTaken) {
        if (areForChecks(node))
            return m_state.frames.setOutputs(node, Values(node.outputs().size(), unknownValue()));
        if (m_state.knowledge.isShadow() || !isDecidedByData(m_state, condition))
            failUndecided(condition);
        return runBranch(node, condition);
    }
    const torch::jit::Block& block = *node.blocks()[*isTaken ? 0 : 1];
    m_runBlock(block);
    for (size_t i = 0; i < node.outputs().size(); ++i)
        m_state.frames.set(node.outputs()[i], m_state.frames.value(block.outputs()[i]));
}

/// A value of that type for one that nobody reads where this branch is taken.
static Value anyOf(const c10::Type& type, const Value& tensor) {
    switch (type.kind()) {
    case c10::TypeKind::TensorType:
        return tensor;
    case c10::TypeKind::BoolType:
        return c10::IValue(false);
    case c10::TypeKind::IntType:
        return makeInt(0);
    case c10::TypeKind::FloatType:
        return c10::IValue(0.0);
    default:
        return {};
    }
}

void ScriptControl::runBranch(const JitNode& node, const Value& condition) {
    ScriptTracer& tracer = m_state.tracer;
    Body bodies[2];
    Values given[2];
    for (const size_t i : {0, 1}) {
        const torch::jit::Block& block = *node.blocks()[i];
        bodies[i].nodes = m_bodies.record([&] { m_runBlock(block); });
        for (const torch::jit::Value* output : block.outputs())
            given[i].push_back(output->node()->kind() == prim::Uninitialized ? unknownValue()
                                                                             : m_state.frames.value(output));
    }
    const Value asked = tracer.proxyOf(withoutConversions(tracer, tracer.nodeOf(condition)));
    for (const size_t i : {0, 1})
        m_bodies.recordMore(bodies[i], [&] {
            for (size_t at = 0; at < given[i].size(); ++at) {
                Value& value = given[i][at];
                const Value& other = given[1 - i][at];
                const torch::jit::Value& output = *node.outputs()[at];
                value = isUnknown(value) && !isUnknown(other) ? anyOf(*output.type(), asked)
                                                              : takenApart(tracer, value, other);
            }
        });
    const Value results[] = {makeTuple(given[0]), makeTuple(given[1])};
    const auto isFlag = [](const Value& one, const Value& other) { return one.isBool() && other.isBool(); };

    Arguments leaves[2];
    std::vector<std::optional<Value>> shapes;
    merged(results[0], results[1], [&](const Value& one, const Value& other) {
        if (isSameValue(one, other) || isFlag(one, other))
            return one;
        if (!isGraphValue(one) || !isGraphValue(other))
            failUndecided(condition, "one branch gives a value of another kind than the other");
        leaves[0].push_back(tracer.createArg(one));
        leaves[1].push_back(tracer.createArg(other));
        const std::optional<Value> shape = m_state.knowledge.shapeOf(one),
                                   otherShape = m_state.knowledge.shapeOf(other);
        shapes.push_back(areSameShapes(shape, otherShape) ? shape : std::nullopt);
        return Value();
    });
    Value call;
    if (!bodies[0].nodes.empty() || !bodies[1].nodes.empty() || !leaves[0].empty()) {
        for (const size_t i : {0, 1})
            bodies[i].result = TupleValue{leaves[i]};
        const std::vector<NodeId> inputs = m_bodies.readOutside({&bodies[0], &bodies[1]});
        const NodeId taken = m_bodies.makeGraph("true_graph", bodies[0], inputs);
        const NodeId otherwise = m_bodies.makeGraph("false_graph", bodies[1], inputs);
        for (const Body& body : bodies)
            m_bodies.erase(body.nodes);
        Values operands;
        for (const NodeId input : inputs)
            operands.push_back(tracer.proxyOf(input));
        call = tracer.record(
            Opcode::CallFunction, "torch.ops.higher_order.cond",
            {asked, tracer.proxyOf(taken), tracer.proxyOf(otherwise), makeTuple(std::move(operands))});
    }

    int64_t index = 0;
    const Value out = merged(results[0], results[1], [&](const Value& one, const Value& other) {
        if (isSameValue(one, other))
            return one;
        if (isFlag(one, other)) {
            if (one.data().toBool())
                return condition;
            const Value opposite =
                tracer.record(Opcode::CallFunction, "operator.eq", {condition, c10::IValue(false)});
            tracer.setErasable(tracer.nodeOf(opposite));
            return opposite;
        }
        const Value item = tracer.record(Opcode::CallFunction, "operator.getitem", {call, makeInt(index)});
        if (const std::optional<Value>& shape = shapes[static_cast<size_t>(index++)])
            m_state.knowledge.keepShapes(item, *shape);
        return item;
    });
    m_state.frames.setOutputs(node, out.as<SequenceObject>()->items);
}

void ScriptControl::runLoop(const JitNode& node) {
    const torch::jit::Block& body = *node.blocks()[0];
    const Value most = m_state.frames.value(node.inputs()[0]);
    LoopRound round;
    round.goesOn = m_state.frames.value(node.inputs()[1]);
    for (size_t i = 2; i < node.inputs().size(); ++i)
        round.carried.push_back(m_state.frames.value(node.inputs()[i]));
    for (;; ++round.trip) {
        m_state.countStep();
        if (!most.isInt() || !round.goesOn.isBool()) {
            const Value& condition = most.isInt() ? round.goesOn : most;
            if (areForChecks(node))
                return m_state.frames.setOutputs(node, Values(node.outputs().size(), unknownValue()));
            if (m_state.knowledge.isShadow() || !isDecidedByData(m_state, condition))
                failUndecided(condition);
            round.carried = recordWhile(m_state, node, round, most, m_runBlock);
            break;
        }
        if (round.trip >= most.data().toInt() || !round.goesOn.data().toBool())
            break;
        m_state.frames.set(body.inputs()[0], makeInt(round.trip));
        for (size_t i = 0; i < round.carried.size(); ++i)
            m_state.frames.set(body.inputs()[i + 1], round.carried[i]);
        m_runBlock(body);
        round.goesOn = m_state.frames.value(body.outputs()[0]);
        for (size_t i = 0; i < round.carried.size(); ++i)
            round.carried[i] = m_state.frames.value(body.outputs()[i + 1]);
    }
    m_state.frames.setOutputs(node, round.carried);
}

} // namespace fx
