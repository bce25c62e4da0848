// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_while.h"

#include "core/torch/bind/purity.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

namespace fx {

namespace {

using JitNode = torch::jit::Node;

/// A value that each round takes from the one before.
struct Carried {
    Value initial;
    NodeId input; ///< the placeholder that stands for it in the body
    Argument next;
};

/// The condition as a graph of what is carried, where that is what the program computes it from both before
/// the loop and at the end of the body. The body's nodes for it are `nodes`.
class ConditionGraph {
public:
    ConditionGraph(const ScriptTracer& tracer, const std::vector<NodeId>& body,
                   const std::vector<Carried>& carried)
        : m_tracer(tracer), m_graph(tracer.graph()), m_body(body.begin(), body.end()), m_carried(carried) {
        for (size_t i = carried.size(); i-- > 0;)
            if (const NodeId next = carried[i].next.node())
                standsFor[next] = i;
    }

    /// Whether it is the same at both places.
    bool find(const Value& before, const Value& after) {
        if (!before.as<ProxyObject>() || !after.as<ProxyObject>())
            return false;
        result = withoutConversions(m_tracer, after.as<ProxyObject>()->node);
        const NodeId first = withoutConversions(m_tracer, before.as<ProxyObject>()->node);
        if (standsFor.contains(result) || !isTheSame(result, first))
            return false;
        std::ranges::sort(nodes);
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        return true;
    }

    std::map<NodeId, size_t> standsFor; ///< which carried value a node of the body is the next one of
    std::vector<NodeId> nodes;          ///< those of the body that compute it
    std::vector<NodeId> nodesBefore;    ///< those that compute it before the loop
    NodeId result;

private:
    bool isTheSame(NodeId after, NodeId before) {
        if (const auto next = standsFor.find(after); next != standsFor.end()) {
            const Value& initial = m_carried[next->second].initial;
            return initial.as<ProxyObject>() && initial.as<ProxyObject>()->node == before;
        }
        if (!m_body.contains(after))
            return after == before;
        const Node &one = m_graph.node(after), &other = m_graph.node(before);
        if (one.opcode == Opcode::Placeholder || one.opcode != other.opcode || one.target != other.target ||
            isWriting(one))
            return false;
        nodes.push_back(after);
        nodesBefore.push_back(before);
        Arguments reads, others;
        forEachNode(one.args, one.kwargs, [&](NodeId node) { reads.push_back(node); });
        forEachNode(other.args, other.kwargs, [&](NodeId node) { others.push_back(node); });
        const auto blank = [](NodeId) { return Argument(); };
        return mapNodes(one.args, blank) == mapNodes(other.args, blank) &&
               mapNodes(one.kwargs, blank) == mapNodes(other.kwargs, blank) &&
               std::ranges::equal(reads, others, [this](const Argument& a, const Argument& b) {
                   return isTheSame(a.node(), b.node());
               });
    }

    /// What cannot be computed at another place, or twice.
    bool isWriting(const Node& node) const {
        return isImpure(m_tracer.program().model(), m_tracer.program().model().root(), node) ||
               mutatesArguments(node.target) ||
               (node.opcode == Opcode::CallMethod && node.target.name().ends_with('_'));
    }

    const ScriptTracer& m_tracer;
    const Graph& m_graph;
    std::unordered_set<NodeId> m_body;
    const std::vector<Carried>& m_carried;
};

class WhileLoop {
public:
    WhileLoop(ScriptState& state, const JitNode& node, const LoopRound& first, const Value& most,
              const std::function<void(const torch::jit::Block&)>& run)
        : m_state(state), m_tracer(state.tracer), m_bodies(state), m_block(*node.blocks()[0]), m_first(first),
          m_most(most), m_run(run) {}

    Values record() {
        // What is carried has in each round the shape that it has at first, or its shape is not known.
        if (!recordBody(true)) {
            m_bodies.erase(m_body.nodes);
            recordBody(false);
        }
        return recordCall();
    }

private:
    bool isCarried(size_t i) const { return m_block.outputs()[i + 1] != m_block.inputs()[i + 1]; }
    bool countsRounds() const {
        return !m_most.isInt() || m_most.data().toInt() != std::numeric_limits<int64_t>::max();
    }

    NodeId makeInput(const std::string& wish) {
        const NodeId input = m_tracer.nodeOf(m_tracer.recordPlaceholder(wish, {}));
        m_state.loopValues.insert(input);
        return input;
    }

    Value addCarried(const std::string& wish, Value initial) {
        m_carried.push_back({std::move(initial), makeInput(wish), {}});
        return m_tracer.proxyOf(m_carried.back().input);
    }

    static std::string nameOf(const torch::jit::Value* value) {
        const std::string name = value->debugNameBase();
        return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ? "carried" : name;
    }

    [[noreturn]] void fail(const std::string& reason) {
        m_tracer.fail("TraceError", trace_text::kControlFlow, reason);
    }

    /// Whether the values have the shapes in the next round that they are taken to have.
    bool recordBody(bool takesShapes) {
        m_carried.clear();
        Values next;
        Value goesOn, trip;
        m_body.nodes = m_bodies.record([&] {
            trip = addCarried("trip", c10::IValue(m_first.trip));
            m_state.frames.set(m_block.inputs()[0], trip);
            for (size_t i = 0; i < m_first.carried.size(); ++i) {
                const Value& initial = m_first.carried[i];
                const auto input = [&](const Value& leaf, const Value&) {
                    if (!isGraphValue(leaf))
                        return leaf;
                    const Value proxy = addCarried(nameOf(m_block.inputs()[i + 1]), leaf);
                    if (const std::optional<Value> shape = m_state.knowledge.shapeOf(leaf);
                        takesShapes && shape && shape->isTensor())
                        m_state.knowledge.keepShapes(proxy, *shape);
                    return proxy;
                };
                m_state.frames.set(m_block.inputs()[i + 1],
                                   isCarried(i) ? merged(initial, initial, input) : initial);
            }
            m_run(m_block);
            goesOn = m_state.frames.value(m_block.outputs()[0]);
            for (size_t i = 0; i < m_first.carried.size(); ++i)
                next.push_back(
                    takenApart(m_tracer, m_state.frames.value(m_block.outputs()[i + 1]), m_first.carried[i]));
            m_carried[0].next =
                m_tracer.createArg(m_tracer.record(Opcode::CallFunction, "operator.add", {trip, makeInt(1)}));
        });
        m_goesOn = goesOn;
        return takeNext(next);
    }

    bool takeNext(const Values& next) {
        bool haveShapes = true;
        size_t leaf = 1; // the first is the number of the round
        for (size_t i = 0; i < next.size(); ++i) {
            if (!isCarried(i))
                continue;
            merged(m_first.carried[i], next[i], [&](const Value& before, const Value& after) {
                if (isGraphValue(before) != isGraphValue(after) ||
                    (!isGraphValue(before) && !before.isSame(after)))
                    fail("a round of the loop gives '" + nameOf(m_block.inputs()[i + 1]) +
                         "' another kind of value than it takes");
                if (!isGraphValue(before))
                    return after;
                Carried& carried = m_carried[leaf++];
                carried.next = m_tracer.createArg(after);
                const std::optional<Value> taken = m_state.knowledge.shapeOf(m_tracer.proxyOf(carried.input));
                haveShapes = haveShapes && (!taken || areSameShapes(taken, m_state.knowledge.shapeOf(after)));
                return after;
            });
        }
        return haveShapes;
    }

    /// The graph that says whether there is another round; may add to what is carried.
    Body conditionOf(std::map<NodeId, size_t>& standsFor) {
        const bool isEndless = m_goesOn.isBool() && m_goesOn.data().toBool();
        Body out;
        ConditionGraph condition(m_tracer, m_body.nodes, m_carried);
        if (!isEndless && condition.find(m_first.goesOn, m_goesOn)) {
            out = {condition.nodes, condition.result};
            standsFor = condition.standsFor;
            for (const std::vector<NodeId>* computed : {&condition.nodes, &condition.nodesBefore})
                for (const NodeId node : *computed)
                    m_tracer.setErasable(node);
        } else if (!isEndless) { // computed in the round before
            const Argument next = m_tracer.createArg(m_goesOn);
            out.result = m_tracer.nodeOf(addCarried("goes_on", m_first.goesOn));
            m_carried.back().next = next;
            m_body.nodes.push_back(m_carried.back().input);
        }
        if (countsRounds()) {
            const auto add = [&](const char* target, const Value& one, const Value& other) {
                const Value made = m_tracer.record(Opcode::CallFunction, target, {one, other});
                out.nodes.push_back(m_tracer.nodeOf(made));
                return made;
            };
            Value isLeft = add("operator.lt", m_tracer.proxyOf(m_carried[0].input), m_most);
            if (const NodeId goesOn = out.result.node())
                isLeft = add("operator.and_", isLeft, m_tracer.proxyOf(goesOn));
            out.result = m_tracer.nodeOf(isLeft);
        } else if (isEndless) {
            fail("the loop has no end");
        }
        return out;
    }

    Values recordCall() {
        std::map<NodeId, size_t> standsFor;
        Body condition = conditionOf(standsFor);
        const NodeId round = m_carried[0].input, nextRound = m_carried[0].next.node();
        const size_t skipped = !countsRounds() && m_tracer.graph().node(round).users.size() == 1 ? 1 : 0;

        std::vector<NodeId> inputs;
        Arguments next;
        Values initial, others;
        for (size_t i = skipped; i < m_carried.size(); ++i) {
            inputs.push_back(m_carried[i].input);
            initial.push_back(m_carried[i].initial);
            next.push_back(m_carried[i].next);
        }
        for (auto& [node, index] : standsFor)
            index -= skipped;
        std::vector<NodeId> nodes = m_body.nodes;
        if (skipped > 0)
            std::erase_if(m_body.nodes, [&](NodeId node) { return node == round || node == nextRound; });
        m_body.result = TupleValue{std::move(next)};
        const size_t carried = inputs.size();
        for (const NodeId read : m_bodies.readOutside({&m_body, &condition})) {
            others.push_back(m_tracer.proxyOf(read));
            inputs.push_back(read);
        }
        const NodeId test = m_bodies.makeGraph("while_loop_cond_graph", condition, inputs, standsFor);
        const NodeId body = m_bodies.makeGraph("while_loop_body_graph", m_body, inputs);
        const Value call = m_tracer.record(Opcode::CallFunction, "torch.ops.higher_order.while_loop",
                                           {m_tracer.proxyOf(test), m_tracer.proxyOf(body),
                                            makeTuple(std::move(initial)), makeTuple(std::move(others))});
        Values out = results(call, carried);
        nodes.insert(nodes.end(), condition.nodes.begin(), condition.nodes.end());
        std::ranges::sort(nodes);
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        m_bodies.erase(nodes);
        return out;
    }

    /// What is carried in the end, in the program's structure.
    Values results(const Value& call, size_t count) {
        Values out;
        size_t leaf = 1;
        const size_t skipped = m_carried.size() - count;
        for (size_t i = 0; i < m_first.carried.size(); ++i) {
            const Value& initial = m_first.carried[i];
            if (!isCarried(i)) {
                out.push_back(initial);
                continue;
            }
            out.push_back(merged(initial, initial, [&](const Value& value, const Value&) {
                if (!isGraphValue(value))
                    return value;
                const size_t index = leaf++;
                const Value item = m_tracer.record(Opcode::CallFunction, "operator.getitem",
                                                   {call, makeInt(static_cast<int64_t>(index - skipped))});
                m_tracer.setErasable(m_tracer.nodeOf(item));
                if (const std::optional<Value> shape =
                        m_state.knowledge.shapeOf(m_tracer.proxyOf(m_carried[index].input)))
                    m_state.knowledge.keepShapes(item, *shape);
                return item;
            }));
        }
        return out;
    }

    ScriptState& m_state;
    ScriptTracer& m_tracer;
    ScriptBodies m_bodies;
    const torch::jit::Block& m_block;
    const LoopRound& m_first;
    const Value& m_most;
    const std::function<void(const torch::jit::Block&)>& m_run;
    std::vector<Carried> m_carried;
    Body m_body;
    Value m_goesOn;
};

} // namespace

Values recordWhile(ScriptState& state, const JitNode& node, const LoopRound& first, const Value& most,
                   const std::function<void(const torch::jit::Block&)>& run) {
    return WhileLoop(state, node, first, most, run).record();
}

} // namespace fx
