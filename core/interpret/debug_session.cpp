// SPDX-License-Identifier: GPL-3.0-or-later
// The session's thread is an observer of the interpreter's loop: before a node it decides whether to stop,
// and while it is stopped it answers commands. Nested graphs run in the same loop, so stepping into them
// needs nothing more.
#include "core/interpret/debug_session.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/breakpoints.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/random_history.h"
#include "core/interpret/structure.h"
#include "core/interpret/value_kinds.h"
#include "core/interpret/value_store.h"
#include "core/torch/call.h"
#include "core/torch/live_host.h"
#include "core/torch/purity.h"
#include "core/torch/value_text.h"

#include <ATen/ATen.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace fx {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

} // namespace

class DebugSession::Run : public Observer {
public:
    Run(Model model, MakeInputs inputs, DebugOptions options, std::vector<Breakpoint> breakpoints,
        Listener listener)
        : m_model(std::move(model)), m_makeInputs(std::move(inputs)), m_options(options),
          m_listener(std::move(listener)), m_values(options.valueBudgetBytes) {
        m_breakpoints.set(std::move(breakpoints));
        m_thread = std::thread([this] { main(); });
    }

    ~Run() override {
        stop();
        {
            std::lock_guard lock(m_mutex);
            m_isEnding = true;
        }
        m_wake.notify_all();
        m_thread.join();
    }

    void send(DebugCommand command) {
        {
            std::lock_guard lock(m_mutex);
            if (auto* set = std::get_if<SetBreakpoints>(&command)) {
                m_newBreakpoints = std::move(set->breakpoints);
                m_hasNewBreakpoints = true;
            } else {
                m_commands.push_back(std::move(command));
            }
        }
        m_wake.notify_all();
    }

    void stop() {
        {
            std::lock_guard lock(m_mutex); // else it could come between a look at the flag and the sleep
            m_isStopped = true;
        }
        m_wake.notify_all();
    }

    void pause() { m_wantsPause = true; }

    const Model& model() const { return m_model; }

private:
    // --- The life of the thread

    void main() {
        RunModes modes(m_options.run.gradMode); // also when the run is over and its values are looked at
        try {
            if (m_options.run.seed)
                at::manual_seed(*m_options.run.seed);
            Values inputs = m_makeInputs(m_model);
            const auto context = std::make_shared<RunContext>(m_model, m_options.run);
            context->observers.push_back(this);
            m_plan = {m_options.pausesAtEntry ? Resume::Mode::Step : Resume::Mode::Continue, {}};
            m_isAtEntry = true;
            const auto start = Clock::now();
            const Value result = Interpreter(context, m_model.root()).run(std::move(inputs));
            flush();
            tell(Finished{valueText(structured(m_model.graph().signature(), result)),
                          millisecondsSince(start)});
        } catch (const Cancelled&) {
            flush();
            tell(Stopped{});
        } catch (const Error& error) {
            flush();
            tell(Failed{m_failedNode, error.place(),
                        error.message() + (error.advice().empty() ? "" : "; " + error.advice())});
        } catch (const c10::Error& error) {
            flush();
            tell(Failed{m_failedNode, "", error.what_without_backtrace()});
        } catch (const std::exception& error) {
            flush();
            tell(Failed{m_failedNode, "", error.what()});
        }
        // The values can still be looked at until the session ends.
        m_isOver = true;
        m_frames.clear();
        const RunModes::Scope scope(modes);
        answerUntilResumed();
        m_evaluator.reset();
    }

    void tell(DebugEvent event) { m_listener(event); }

    /// Breakpoints are taken in the middle of a run, too.
    void takeBreakpoints() {
        if (!m_hasNewBreakpoints.exchange(false))
            return;
        std::lock_guard lock(m_mutex);
        m_breakpoints.set(std::move(m_newBreakpoints));
    }

    /// Tells of the nodes that ran since the last time, and of the breakpoints they hit.
    void flush() {
        if (m_breakpoints.takeNews() && !m_hasNewBreakpoints)
            tell(BreakpointsChanged{m_breakpoints.all()});
        if (!m_pending.empty()) {
            tell(Executed{std::move(m_pending)});
            tell(m_values.report());
        }
        m_pending.clear();
        m_lastFlush = Clock::now();
    }

    // --- Watching the loop

    void beforeNode(Interpreter& interpreter, const Node& node) override {
        if (m_isStopped)
            throw Cancelled();
        const NodeRef ref{interpreter.module(), node.id};
        takeBreakpoints();
        syncFrames(interpreter, ref);
        const ScopeTree& scopes = scopesOf(ref.module);
        Frame& frame = m_frames.back();
        // Inputs and weights are read on the way: stepping does not stop at them, and they enter no scope.
        const bool isRead = node.opcode == Opcode::Placeholder || node.opcode == Opcode::GetAttr;
        const int scope = isRead ? frame.scope : scopes.scopeOf(node.id);

        Paused stop;
        bool shouldStop = false;
        const Breakpoint* breakpoint = m_breakpoints.before(
            node, ref, scopes, frame.scope, isRead, [&](const Breakpoint& b) { return holds(b, stop.note); });
        if (breakpoint) {
            stop.reason = Paused::Reason::Breakpoint;
            stop.breakpoint = breakpoint->id;
            shouldStop = true;
        } else if (m_wantsPause.exchange(false) || reachesPlan(ref, scope, isRead)) {
            stop.reason = m_isAtEntry ? Paused::Reason::Entry : Paused::Reason::Step;
            shouldStop = true;
        }
        m_isAtEntry &= !shouldStop;
        frame.scope = scope;
        if (shouldStop || m_unhealthy) {
            if (m_unhealthy && !breakpoint) {
                stop.reason = Paused::Reason::NonFinite;
                stop.breakpoint = m_unhealthy;
            }
            m_unhealthy = 0;
            pauseHere(interpreter, std::move(stop));
        }
        m_random.note(ref, interpreter.nextMayDraw());
        m_starts.push_back(Clock::now());
    }

    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override {
        const NodeRef ref{interpreter.module(), node.id};
        NodeRecord record{ref, describeValue(value), {}, millisecondsSince(m_starts.back()), {}};
        m_starts.pop_back();
        if (m_options.checksHealth || m_breakpoints.watchesHealth())
            record.health = healthOf(value);
        std::string note;
        if (const Breakpoint* stop =
                m_breakpoints.after(record.health, [&](const Breakpoint& b) { return holds(b, note); }))
            m_unhealthy = stop->id;
        m_values.put(ref, value);
        m_setTo.erase(ref);
        if (node.opcode == Opcode::CallFunction && mutatesArguments(node.target) && !node.args.empty())
            if (const NodeId written = node.args[0].node())
                m_values.markChanged({ref.module, written}, node.name);
        m_pending.push_back(std::move(record));
        // The interface wants to see progress, but not a message for each of 100,000 nodes.
        if (millisecondsSince(m_lastFlush) > 30)
            flush();
    }

    void failed(const Interpreter& interpreter, const Node& node, const std::string&) override {
        m_failedNode = {interpreter.module(), node.id};
    }

    // --- Frames

    struct Frame {
        const Interpreter* interpreter;
        NodeRef node;
        int scope = -1; ///< of the node before
    };

    void syncFrames(const Interpreter& interpreter, NodeRef ref) {
        std::vector<const Interpreter*> chain;
        for (const Interpreter* at = &interpreter; at; at = at->parent())
            chain.insert(chain.begin(), at);
        while (m_frames.size() > chain.size() ||
               (!m_frames.empty() && m_frames.back().interpreter != chain[m_frames.size() - 1]))
            m_frames.pop_back();
        while (m_frames.size() < chain.size())
            m_frames.push_back({chain[m_frames.size()],
                                {chain[m_frames.size()]->module(), chain[m_frames.size()]->nextNode()},
                                -1});
        m_frames.back().node = ref;
        m_starts.resize(m_frames.size() - 1);
    }

    const ScopeTree& scopesOf(ModuleId module) {
        const auto found = m_scopes.find(module);
        return found != m_scopes.end()
                   ? found->second
                   : m_scopes.emplace(module, ScopeTree(m_model.graph(module))).first->second;
    }

    /// Whether what the user asked for last ends here.
    bool reachesPlan(NodeRef ref, int scope, bool isRead) {
        using Mode = Resume::Mode;
        if (isRead && m_plan.mode != Mode::Until)
            return false;
        switch (m_plan.mode) {
        case Mode::Continue:
            return false;
        case Mode::Step:
            return true;
        case Mode::Next:
            return m_frames.size() <= m_planDepth;
        case Mode::NextScope:
            return m_frames.size() < m_planDepth || (m_frames.size() == m_planDepth && scope != m_planScope);
        case Mode::Out:
            if (m_frames.size() < m_planDepth)
                return true;
            return m_frames.size() == m_planDepth && m_planDepth == 1 &&
                   !scopesOf(ref.module).isInside(scope, m_planScope);
        case Mode::Until:
            return ref == m_plan.node;
        }
        return false;
    }

    // --- Standing still

    void pauseHere(Interpreter& interpreter, Paused stop) {
        const auto start = Clock::now();
        for (const Frame& frame : m_frames)
            stop.frames.push_back({frame.node, pathOf(frame.node.module)});
        if (stop.breakpoint)
            m_breakpoints.removeIfTemporary(stop.breakpoint);
        flush();
        tell(std::move(stop));
        m_paused = &interpreter;
        answerUntilResumed();
        m_paused = nullptr;
        // The time that a user took does not count for the nodes around.
        for (Clock::time_point& outer : m_starts)
            outer += Clock::now() - start;
        if (m_isStopped)
            throw Cancelled();
        m_planDepth = m_frames.size();
        m_planScope = scopesOf(interpreter.module()).scopeOf(m_frames.back().node.node);
        tell(Resumed{});
    }

    void answerUntilResumed() {
        while (true) {
            DebugCommand command;
            {
                std::unique_lock lock(m_mutex);
                m_wake.wait(lock,
                            [&] { return !m_commands.empty() || m_isEnding || (m_isStopped && !m_isOver); });
                if (m_isEnding || (m_isStopped && !m_isOver))
                    return;
                command = std::move(m_commands.front());
                m_commands.pop_front();
            }
            if (const auto* resume = std::get_if<Resume>(&command)) {
                if (m_isOver)
                    continue;
                m_plan = *resume;
                return;
            }
            if (const auto* jump = std::get_if<Jump>(&command); jump && jumpTo(*jump))
                return;
            answer(command);
        }
    }

    /// True if the run goes on, only to stop again before the node.
    bool jumpTo(const Jump& jump) {
        const ModuleId module = m_paused ? m_paused->module() : m_model.root();
        const Graph& graph = m_model.graph(module);
        if (!m_paused || !graph.contains(jump.node)) {
            tell(Answer{jump.request, "a jump needs a paused run and a node of its innermost graph", true});
            return false;
        }
        // What was released since is put back as far as it is kept.
        for (const Node& node : graph)
            if (const Value* kept = m_values.find({module, node.id});
                kept && graph.precedes(node.id, jump.node))
                m_paused->setValue(node.id, *kept);
        m_paused->jumpTo(jump.node);
        m_random.restore({module, jump.node});
        m_plan = {Resume::Mode::Step, {}};
        tell(Answer{jump.request, "", false});
        return true;
    }

    void answer(const DebugCommand& command) {
        if (const auto* request = std::get_if<Evaluate>(&command)) {
            reply(request->request, [&] {
                const Value value = evaluateHere(request->expression);
                return Answer{request->request, valueText(value), false, describeValue(value)};
            });
        } else if (const auto* request = std::get_if<Inspect>(&command)) {
            tell(inspect(*request));
        } else if (const auto* request = std::get_if<SetValue>(&command)) {
            reply(request->request, [&] { return Answer{request->request, setValue(*request)}; });
        } else if (const auto* request = std::get_if<SaveValue>(&command)) {
            reply(request->request, [&] { return Answer{request->request, save(*request)}; });
        }
    }

    template <class Work>
    void reply(int request, const Work& work) {
        try {
            tell(work());
        } catch (const Error& error) {
            tell(Answer{request, error.message() + (error.advice().empty() ? "" : "; " + error.advice()),
                        true});
        } catch (const std::exception& error) {
            tell(Answer{request, error.what(), true});
        }
    }

    std::string pathOf(ModuleId module) const {
        std::string found;
        m_model.forEachModule(m_model.root(), [&](ModuleId id, const std::string& path) {
            if (id == module)
                found = path;
        });
        return found;
    }

    // --- Values

    /// The value of a node by name, in the innermost graph that runs or, when the run is over, in the root.
    std::optional<Value> variable(const std::string& name) {
        const ModuleId module = m_frames.empty() ? m_model.root() : m_frames.back().node.module;
        const Graph& graph = m_model.graph(module);
        const NodeId node = graph.find(name);
        if (!node)
            return std::nullopt;
        if (!m_frames.empty())
            if (const Value* live = m_frames.back().interpreter->value(node))
                return *live;
        if (const Value* kept = m_values.find({module, node}))
            return *kept;
        throw Error("", absenceOf({module, node}));
    }

    std::string absenceOf(NodeRef node) const {
        const std::string& name = m_model.graph(node.module).node(node.node).name;
        if (m_values.wasDropped(node))
            return "the value of " + name + " was dropped to keep within " +
                   byteText(m_values.report().budgetBytes) +
                   "; stop before it, or give more memory to values";
        return name + " has no value yet: it has not run";
    }

    /// One for the whole session, so that what it needs of torch is loaded once. `value` is what is inspected.
    LiveEvaluator& evaluator() {
        if (!m_evaluator)
            m_evaluator = std::make_unique<LiveEvaluator>([this](const std::string& name) {
                return m_inspected && name == "value" ? std::optional(*m_inspected) : variable(name);
            });
        return *m_evaluator;
    }

    Value evaluateHere(const std::string& expression) {
        Value result;
        m_random.disturb();
        guarded([&] { result = evaluator().evaluate(expression, "expression"); });
        return result;
    }

    bool holds(const Breakpoint& breakpoint, std::string& note) {
        try {
            return isTrue(evaluateHere(breakpoint.condition));
        } catch (const Error& error) {
            // A condition that cannot be evaluated stops, as pdb does, and says why.
            note = "the condition of breakpoint " + std::to_string(breakpoint.id) +
                   " failed: " + error.message();
            return true;
        }
    }

    /// The value of a node, kept or still in use; null if there is none.
    const Value* valueOf(NodeRef node) const {
        if (const Value* kept = m_values.find(node))
            return kept;
        for (const Frame& frame : m_frames)
            if (frame.node.module == node.module)
                if (const Value* live = frame.interpreter->value(node.node))
                    return live;
        return nullptr;
    }

    std::string setValue(const SetValue& request) {
        const NodeId node = request.node.node;
        const Graph& graph = m_model.graph(request.node.module);
        const std::string& name = graph.node(node).name;
        if (!m_paused)
            throw Error("", "the run is over, so nobody would read the new value of " + name)
                .hint("start it again and stop before a node that reads it");
        if (m_paused->module() != request.node.module)
            throw Error("", name + " belongs to another graph than the one that stands still")
                .hint("leave the nested graph first");
        const Value* live = m_paused->value(node);
        const Value* old = live ? live : m_values.find(request.node);
        if (!old)
            throw Error("", absenceOf(request.node));
        const Value fresh = evaluateHere(request.expression);
        const std::string differences = compareKinds(name, *old, fresh);
        m_paused->setValue(node, fresh);
        m_values.put(request.node, fresh);
        m_setTo[request.node] = request.expression;
        m_pending.push_back({request.node, describeValue(fresh), healthOf(fresh), 0, request.expression});
        flush();
        const auto isToCome = [&](NodeId user) { return !graph.precedes(user, m_paused->nextNode()); };
        const auto& users = graph.node(node).users;
        return name + " is now " + valueMetaText(describeValue(fresh)) +
               (differences.empty() ? "" : "; " + differences) +
               (std::any_of(users.begin(), users.end(), isToCome) ? "" : "; no node that is still to run reads it");
    }

    std::string save(const SaveValue& request) const {
        const Value* value = valueOf(request.node);
        if (!value)
            throw Error("", absenceOf(request.node));
        if (!value->isTensor() || !m_options.saveTensor)
            throw Error("", "only a tensor can be saved, this is a " + typeName(*value));
        m_options.saveTensor(value->data().toTensor(), request.path);
        return "saved " + request.path;
    }

    Inspection inspect(const Inspect& request) {
        Inspection out;
        out.request = request.request;
        out.node = request.node;
        const Value* value = valueOf(request.node);
        if (!value) {
            out.absence = absenceOf(request.node);
            return out;
        }
        out.value = describeValue(*value);
        out.changedBy = m_values.changedBy(request.node);
        if (const auto set = m_setTo.find(request.node); set != m_setTo.end())
            out.setTo = set->second;
        if (!value->isTensor()) {
            out.text = valueText(*value);
            return out;
        }
        try {
            guarded([&] {
                const at::Tensor& tensor = value->data().toTensor();
                out.statistics = statisticsOf(tensor);
                Value slice = *value;
                if (!trim(request.index).empty()) {
                    m_inspected = value;
                    slice = evaluator().evaluate("value[" + request.index + ']', "index");
                }
                if (!slice.isTensor())
                    throw Error("", "the index gives no tensor");
                out.sample = sampleOf(slice.data().toTensor());
            });
        } catch (const Error& error) {
            out.fault = error.message().substr(0, error.message().find('\n'));
        }
        m_inspected = nullptr;
        return out;
    }

    const Model m_model;
    MakeInputs m_makeInputs;
    const DebugOptions m_options;
    Listener m_listener;

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<DebugCommand> m_commands;
    std::atomic<bool> m_isStopped = false, m_wantsPause = false;
    bool m_isEnding = false;
    std::vector<Breakpoint> m_newBreakpoints;
    std::atomic<bool> m_hasNewBreakpoints = false;

    // Of the session's thread alone:
    BreakpointList m_breakpoints;
    ValueStore m_values;
    RandomHistory m_random{m_options.run.device};
    std::map<NodeRef, std::string> m_setTo; ///< values that a user has replaced, and by which expression
    std::unique_ptr<LiveEvaluator> m_evaluator; ///< made when it is first needed
    const Value* m_inspected = nullptr;         ///< while an index of it is evaluated
    std::map<ModuleId, ScopeTree> m_scopes;
    std::vector<Frame> m_frames;
    Interpreter* m_paused = nullptr; ///< the innermost, while it stands still
    Resume m_plan;
    size_t m_planDepth = 0;
    int m_planScope = 0;
    bool m_isAtEntry = true;
    bool m_isOver = false;
    int m_unhealthy = 0; ///< the breakpoint that saw NaN or Inf in the last value
    NodeRef m_failedNode;
    std::vector<NodeRecord> m_pending;
    std::vector<Clock::time_point> m_starts; ///< of the nodes that run, outermost first
    Clock::time_point m_lastFlush = Clock::now();
    std::thread m_thread; ///< last, so that all else is there when it starts
};

DebugSession::DebugSession(Model model, MakeInputs inputs, DebugOptions options,
                           std::vector<Breakpoint> breakpoints, Listener listener)
    : m_run(std::make_unique<Run>(std::move(model), std::move(inputs), options, std::move(breakpoints),
                                  std::move(listener))) {}

DebugSession::~DebugSession() = default;

void DebugSession::send(DebugCommand command) {
    m_run->send(std::move(command));
}

void DebugSession::stop() {
    m_run->stop();
}

void DebugSession::pause() {
    m_run->pause();
}

const Model& DebugSession::model() const {
    return m_run->model();
}

} // namespace fx
