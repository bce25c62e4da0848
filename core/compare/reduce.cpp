// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/reduce.h"

#include "core/base/error.h"
#include "core/compare/graph_cut.h"
#include "core/compare/run_results.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/structure.h"
#include "core/interpret/written_tensors.h"
#include "core/torch/bind/call.h"
#include "core/torch/host/live_evaluator.h"

#include <algorithm>
#include <deque>

namespace fx {

namespace {

bool isCounted(const Node& node) {
    return node.opcode != Opcode::Placeholder && node.opcode != Opcode::GetAttr &&
           node.opcode != Opcode::Output;
}

/// Evaluates the condition for one graph after the other.
class Condition {
public:
    explicit Condition(std::string text)
        : m_text(std::move(text)), m_evaluator([this](const std::string& name) -> std::optional<Value> {
              if (name == "out")
                  return m_out;
              return name == "error" ? std::optional(makeText(m_error)) : std::nullopt;
          }) {}

    /// Throws an Error where it cannot be evaluated.
    bool holds(const Value& out, const std::string& error) {
        m_out = out;
        m_error = error;
        bool isTrue = false;
        guarded([&] {
            const Value got = m_evaluator.evaluate("bool(" + m_text + ')', "--failing");
            isTrue = got.isBool() && got.data().toBool();
        });
        return isTrue;
    }
    /// What has another shape or kind than the condition is about does not meet it.
    bool mayHold(const Value& out, const std::string& error) {
        try {
            return holds(out, error);
        } catch (const Error&) {
            return false;
        }
    }

private:
    const std::string m_text;
    Value m_out;
    std::string m_error;
    LiveEvaluator m_evaluator;
};

/// What each node of the root graph has given, and where the run failed.
class Recorder : public Observer {
public:
    void beforeNode(Interpreter& interpreter, const Node& node) override {
        if (!interpreter.parent())
            last = node.id;
    }
    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override {
        if (!interpreter.parent() && node.opcode != Opcode::Output)
            values[node.id] = withOwnTensors(value);
    }
    RecordedValues values;
    NodeId last;
};

class Reducer {
public:
    Reducer(const Model& model, const RunSettings& settings, const std::string& condition, Progress& progress)
        : m_model(model), m_settings(settings), m_condition(condition), m_progress(progress) {
        m_settings.seed = settings.seed.value_or(0);
    }

    Reduction reduce(const GraphInputs& inputs);

private:
    struct Outcome {
        Value out;
        std::string error;
    };
    Outcome run(const Model& model, const GraphInputs& inputs, const std::vector<Observer*>& observers);
    void chooseEnd(const Outcome& whole);
    std::vector<NodeId> callsUpTo(NodeId end) const;
    bool fails(const std::vector<NodeId>& kept, NodeId end);
    bool fails(const std::vector<NodeId>& kept) { return fails(kept, m_end); }
    void findPassing();
    void shrink(std::vector<NodeId>& kept);
    static size_t callsOf(const Graph& graph) {
        return static_cast<size_t>(std::ranges::count_if(graph, isCounted));
    }

    const Model& m_model;
    RunSettings m_settings;
    Condition m_condition;
    Progress& m_progress;
    Recorder m_recorded;
    NodeId m_end; ///< the output node where it is the result of the whole
    Reduction m_best;
};

Reducer::Outcome Reducer::run(const Model& model, const GraphInputs& inputs,
                              const std::vector<Observer*>& observers) {
    Outcome out;
    try {
        guarded([&] {
            const auto context = std::make_shared<RunContext>(model, m_settings);
            context->observers = observers;
            out.out = structured(model.graph().signature(),
                                 Interpreter(context, model.root()).run(withOwnTensors(inputs)));
        });
    } catch (const Error& error) {
        out.error = error.what();
    }
    return out;
}

/// The first node that meets the condition by itself, else the result.
void Reducer::chooseEnd(const Outcome& whole) {
    const Graph& graph = m_model.graph();
    if (!whole.error.empty()) {
        m_end = m_recorded.last;
        return;
    }
    m_end = graph.outputNode();
    for (const Node& node : graph)
        if (isCounted(node) && m_condition.mayHold(m_recorded.values[node.id], "")) {
            m_end = node.id;
            return;
        }
}

std::vector<NodeId> Reducer::callsUpTo(NodeId end) const {
    const Graph& graph = m_model.graph();
    std::deque<bool> isNeeded(static_cast<size_t>(graph.nextId().value));
    isNeeded[static_cast<size_t>(end.value)] = true;
    std::vector<NodeId> out;
    for (NodeId id = end; id; id = graph.node(id).previous) {
        const Node& node = graph.node(id);
        // What writes into a value is needed by those who read it later.
        bool& isWanted = isNeeded[static_cast<size_t>(id.value)];
        for (const NodeId written : isCounted(node) ? writtenInputs(node) : std::vector<NodeId>())
            isWanted |= isNeeded[static_cast<size_t>(written.value)];
        if (!isWanted)
            continue;
        for (const InputUse& input : node.inputs)
            isNeeded[static_cast<size_t>(input.node.value)] = true;
        if (isCounted(node))
            out.push_back(id);
    }
    std::ranges::reverse(out);
    return out;
}

bool Reducer::fails(const std::vector<NodeId>& kept, NodeId end) {
    m_progress.step(0.5, "Try " + std::to_string(kept.size()) + " calls");
    ++m_best.tries;
    Model candidate = cutGraph(m_model, kept, end, m_recorded.values);
    const Outcome outcome = run(candidate, {}, {});
    const bool isFailing = m_condition.mayHold(outcome.out, outcome.error);
    const size_t calls = callsOf(candidate.graph());
    if (isFailing) {
        m_best.failing = std::move(candidate);
        m_best.failingCalls = calls;
    } else if (!m_best.passing || calls > m_best.passingCalls) {
        m_best.passing = std::move(candidate);
        m_best.passingCalls = calls;
    }
    return isFailing;
}

/// Takes out halves, quarters and so on, and begins again while that helps; the end stays.
void Reducer::shrink(std::vector<NodeId>& kept) {
    for (size_t chunk = kept.size(); chunk > 0;) {
        bool isSmaller = false;
        for (size_t begin = 0; begin < kept.size();) {
            const size_t end = std::min(kept.size(), begin + chunk);
            std::vector<NodeId> fewer(kept.begin(), kept.begin() + static_cast<ptrdiff_t>(begin));
            if (std::find(kept.begin() + static_cast<ptrdiff_t>(begin),
                          kept.begin() + static_cast<ptrdiff_t>(end),
                          m_end) != kept.begin() + static_cast<ptrdiff_t>(end))
                fewer.push_back(m_end);
            fewer.insert(fewer.end(), kept.begin() + static_cast<ptrdiff_t>(end), kept.end());
            if (fewer.size() < kept.size() && fails(fewer)) {
                kept = std::move(fewer);
                isSmaller = true;
            } else {
                begin = end;
            }
        }
        chunk = isSmaller && chunk > 1 ? std::min(chunk, kept.size()) : chunk / 2;
    }
}

/// Where whatever was tried fails, what gives the end its inputs does not.
void Reducer::findPassing() {
    const Graph& graph = m_model.graph();
    for (const InputUse& input : graph.node(m_end).inputs)
        if (!m_best.passing && isCounted(graph.node(input.node))) {
            const auto [failing, calls] = std::pair(m_best.failing, m_best.failingCalls);
            if (fails(callsUpTo(input.node), input.node)) { // the smallest one stays what it was
                m_best.failing = failing;
                m_best.failingCalls = calls;
            }
        }
}

Reduction Reducer::reduce(const GraphInputs& inputs) {
    m_progress.step(0, "Run the whole");
    const Outcome whole = run(m_model, inputs, {&m_recorded});
    if (whole.error.empty() ? !m_condition.holds(whole.out, "") : !m_condition.mayHold({}, whole.error))
        throw Error("--failing", whole.error.empty()
                                     ? "does not hold for the result of the model, so that there is nothing "
                                       "to reduce"
                                     : "does not hold for the model, which fails otherwise: " + whole.error)
            .hint("the expression speaks of out, the result, and of error, the message of a failure or ''");
    chooseEnd(whole);
    m_best.calls = callsOf(m_model.graph());
    std::vector<NodeId> kept = callsUpTo(m_end);
    if (!fails(kept))
        throw Error("--failing", "does not hold any more once the inputs of the model are constants");
    shrink(kept);
    findPassing();
    if (m_model.graph().node(m_end).opcode != Opcode::Output)
        m_best.end = m_model.graph().node(m_end).name;
    return std::move(m_best);
}

} // namespace

Reduction reduceModel(const Model& model, const GraphInputs& inputs, const RunSettings& settings,
                      const std::string& condition, Progress& progress) {
    return Reducer(model, settings, condition, progress).reduce(inputs);
}

} // namespace fx
