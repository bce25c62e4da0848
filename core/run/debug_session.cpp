// SPDX-License-Identifier: GPL-3.0-or-later
// The session's thread is an observer of the interpreter's loop: before a node it decides whether to stop,
// and while it is stopped it answers commands. Nested graphs run in the same loop, so stepping into them
// needs nothing more. What its parts know: where it stands frame_stack.h, where it stops step_plan.h and
// breakpoints.h, what the nodes gave session_values.h.
#include "core/run/debug_session.h"

#include "core/base/error.h"
#include "core/interpret/structure.h"
#include "core/module/edit.h"
#include "core/run/breakpoints.h"
#include "core/run/command_queue.h"
#include "core/run/content.h"
#include "core/run/going_back.h"
#include "core/run/going_on.h"
#include "core/run/run_state.h"
#include "core/run/session_gradients.h"
#include "core/run/session_values.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

#include <thread>

namespace fx {

namespace {

using Clock = RunningFrame::Clock;
double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

} // namespace

class DebugSession::Run : public Observer {
public:
    Run(Model model, MakeInputs inputs, DebugOptions options, std::vector<Breakpoint> breakpoints,
        Listener listener, std::optional<EarlierRun> earlier, std::set<NodeRef> changed)
        : m_model(std::move(model)), m_makeInputs(std::move(inputs)), m_options(options),
          m_listener(std::move(listener)) {
        m_breakpoints.set(std::move(breakpoints));
        if (earlier)
            tell(m_gradients ? GoesOn{0, "gradients need all of the run"}
                             : m_goingOn.from(std::move(*earlier), std::move(changed)));
        m_thread = std::thread([this] { main(); });
    }

    ~Run() override { leave(); }

    EarlierRun leave() {
        m_queue.stop();
        m_queue.end();
        if (m_thread.joinable())
            m_thread.join();
        return m_goingOn.leave();
    }

    CommandQueue& queue() { return m_queue; }
    const Model& model() const { return m_model; }

private:
    // --- The life of the thread

    void main() {
        RunModes modes(m_options.run); // also when the run is over and its values are looked at
        try {
            // Without a seed, too, a run gives what the one before it gave.
            at::manual_seed(m_options.run.seed.value_or(c10::default_rng_seed_val));
            guarded([&] { run(m_makeInputs(m_model)); });
        } catch (const Cancelled&) {
            flush();
            tell(Stopped{});
        } catch (const Error& error) {
            flush();
            Failed failure = failureOf(error, m_failedNode);
            failure.frames = m_failedFrames;
            tell(std::move(failure));
        }
        m_goingOn.end(m_random.settle());
        // The values can still be looked at until the session ends, and where a node has failed, its frames.
        notePosition(0);
        m_failedFrames.empty() ? m_frames.clear() : m_frames.outlive();
        const RunModes::Scope scope(modes);
        answerUntilResumed();
        m_values.endEvaluations();
    }

    void run(GraphInputs inputs) {
        const auto context = std::make_shared<RunContext>(m_model, m_options.run);
        context->observers.push_back(this);
        if (m_gradients) {
            context->observers.push_back(&m_gradients->tape());
            inputs = m_gradients->tape().track(std::move(inputs));
        }
        context->activations = m_goingOn.activations();
        m_plan.set({m_options.pausesAtEntry ? Resume::Mode::Step : Resume::Mode::Continue, {}});
        m_start = Clock::now();
        const Value flat = Interpreter(context, m_model.root()).run(std::move(inputs));
        const Value result = structured(m_model.graph().signature(), flat);
        if (m_gradients)
            differentiate(result, context->state);
        const double milliseconds = millisecondsSince(m_start);
        flush();
        tell(Finished{valueText(result), milliseconds, m_values.unreadNotes()});
    }

    void differentiate(const Value& result, const RunTensors& state) {
        m_frames.clear(); // their interpreters are gone
        flush();
        tell(m_gradients->differentiate(result, state, [this] { return m_queue.isStopped(); }));
        tell(m_values.report());
        if (const std::optional<Failed> failed = m_gradients->failure(m_model, m_frames)) {
            m_failedNode = failed->node;
            m_failedFrames = failed->frames;
            throw Error(failed->place, failed->message);
        }
    }

    void tell(const DebugEvent& event) {
        m_state = next(std::move(m_state), event);
        m_listener(event);
    }

    /// Tells of the nodes that ran since the last time, and of the breakpoints they hit.
    void flush() {
        if (m_breakpoints.takeNews() && !m_queue.hasBreakpoints())
            tell(BreakpointsChanged{m_breakpoints.all()});
        if (!m_pending.empty()) {
            tell(Executed{std::exchange(m_pending, {})});
            tell(m_values.report());
        }
        m_lastFlush = Clock::now();
    }

    // --- Watching the loop

    bool skips(Interpreter& interpreter, const Node& node) override {
        return m_goingOn.skips(interpreter, node);
    }

    void beforeNode(Interpreter& interpreter, const Node& node) override {
        if (m_queue.isStopped())
            throw Cancelled();
        const NodeRef ref{interpreter.module(), node.id};
        m_breakpoints.replace(m_queue.takeBreakpoints());
        RunningFrame& frame = m_frames.arrive(interpreter, ref);
        // Inputs and weights are read on the way: stepping does not stop at them, and they enter no scope.
        const bool isRead = node.opcode == Opcode::Placeholder || node.opcode == Opcode::GetAttr;
        const int scope = isRead ? frame.scope : frame.scopes->scopeOf(node.id);

        Paused stop;
        const Breakpoint* breakpoint = nullptr;
        if (!m_goingBack.passes(ref))
            breakpoint = m_breakpoints.before(node, ref, *frame.scopes, frame.scope, isRead,
                                              [&](const Breakpoint& b) { return holds(b, stop.note); });
        const bool isWanted = !breakpoint && m_queue.takePause();
        if (isWanted)
            m_goingBack.endSeek();
        const bool shouldStop = breakpoint || isWanted || m_plan.endsAt(m_frames, scope, isRead, stop.note);
        const int unhealthy = std::exchange(m_unhealthy, 0);
        stop.breakpoint = breakpoint ? breakpoint->id : unhealthy;
        stop.reason = breakpoint    ? Paused::Reason::Breakpoint
                      : unhealthy   ? Paused::Reason::NonFinite
                      : m_isAtEntry ? Paused::Reason::Entry
                                    : Paused::Reason::Step;
        m_isAtEntry &= !shouldStop;
        frame.scope = scope;
        if ((shouldStop || unhealthy) && goesElsewhere(interpreter, std::move(stop)))
            return; // the interpreter asks again for the node that runs next
        m_goingBack.note(interpreter, node);
        const bool hasDrawn = m_random.note(ref, interpreter.nextMayDraw());
        m_goingOn.note(m_frames.begin()->node.node, interpreter.activation(), hasDrawn);
        notePosition(positionOf(ref));
        frame.start = Clock::now();
    }

    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override {
        const NodeRef ref{interpreter.module(), node.id};
        const RunningFrame& frame = m_frames.backTo(interpreter);
        NodeRecord record{ref, describeValue(value), {}, millisecondsSince(frame.start), {}};
        record.startedAt = std::chrono::duration<double, std::milli>(frame.start - m_start).count();
        record.storages = storagesOf(value);
        if (m_options.checksHealth || m_breakpoints.watchesHealth())
            record.health = healthOf(value);
        std::string note;
        const auto isHit = [&](const Breakpoint& b) { return holds(b, note); };
        if (const Breakpoint* stop =
                m_goingBack.isSeeking() ? nullptr : m_breakpoints.after(record.health, isHit))
            m_unhealthy = stop->id;
        m_values.put(ref, node, value);
        if (!interpreter.parent())
            m_goingOn.ran(node.id);
        m_pending.push_back(std::move(record));
        if (millisecondsSince(m_lastFlush) > 30) // no message for each of 100,000 nodes
            flush();
    }

    void notePosition(uint64_t position) {
        if (m_options.position)
            m_options.position->store(position, std::memory_order_relaxed);
    }

    void failed(const Interpreter& interpreter, const Node& node, const std::string&) override {
        m_failedNode = {interpreter.module(), node.id};
        if (m_failedFrames.empty()) // else it is a graph around it that is told
            m_failedFrames = m_frames.described();
    }

    // --- Standing still

    /// Stops here. Returns true if the run goes on from another node.
    bool goesElsewhere(Interpreter& interpreter, Paused stop) {
        const auto start = Clock::now();
        interpreter.context().state.requireUnchangedFiles(); // else what is shown now may be wrong
        const bool isPause = m_goingBack.endsAt(stop, m_breakpoints.all());
        const bool hasJumped = !isPause || pauseHere(std::move(stop));
        const Clock::duration pause = Clock::now() - start;
        m_frames.takeNoTime(pause);
        m_start += pause;
        if (m_queue.isStopped())
            throw Cancelled();
        m_plan.goFrom(m_frames);
        if (isPause)
            tell(Resumed{});
        return hasJumped;
    }

    bool pauseHere(Paused stop) {
        stop.frames = m_frames.described();
        if (stop.breakpoint)
            m_breakpoints.removeIfTemporary(stop.breakpoint);
        flush();
        notePosition(0);
        tell(std::move(stop));
        return answerUntilResumed();
    }

    /// Returns true if a command has let the run go back.
    bool answerUntilResumed() {
        while (const std::optional<DebugCommand> command = m_queue.next(m_state.isOver())) {
            if (const auto* resume = std::get_if<Resume>(&*command)) {
                if (m_state.isOver())
                    continue;
                m_plan.set(*resume);
                const std::string whyNever = m_plan.whyNever(m_frames);
                if (whyNever.empty())
                    return false;
                tell(Paused{Paused::Reason::Step, 0, m_frames.described(), whyNever});
                continue;
            }
            if (goesBack(*command))
                return true;
            answer(*command);
        }
        return false;
    }

    /// True if the command lets the run go back. The run goes on, and stops again at an earlier node.
    bool goesBack(const DebugCommand& command) {
        const auto* jump = std::get_if<Jump>(&command);
        const auto* back = std::get_if<GoBack>(&command);
        if (!jump && !back)
            return false;
        m_breakpoints.replace(m_queue.takeBreakpoints()); // those that were set during the pause
        bool isDone = false;
        const int request = jump ? jump->request : back->request;
        reply(request, [&] {
            std::string note =
                jump ? m_goingBack.jumpTo(jump->node) : m_goingBack.goBack(*back, m_breakpoints.all());
            isDone = true;
            return Answer{request, std::move(note)};
        });
        return isDone;
    }

    void rename(const Rename& wanted) {
        if (!m_values.knows(wanted.node))
            return;
        Edit edit(m_model, wanted.node.module);
        edit.setName(wanted.node.node, wanted.name);
        edit.finish();
    }

    void answer(const DebugCommand& command) {
        m_random.disturb(); // an expression may draw
        if (const auto* request = std::get_if<Evaluate>(&command)) {
            reply(request->request, [&] {
                const Value value = m_values.evaluate(request->expression, request->level);
                return Answer{request->request, valueText(value), false, describeValue(value),
                              request->wantsContent ? contentOf(value) : 0};
            });
        } else if (const auto* request = std::get_if<Inspect>(&command)) {
            tell(m_values.inspect(*request, [this] { return m_queue.isOvertaken(m_state.isOver()); }));
        } else if (const auto* renamed = std::get_if<Rename>(&command)) {
            rename(*renamed);
        } else if (const auto* request = std::get_if<SetValue>(&command)) {
            reply(request->request, [&] {
                auto [record, said] = m_values.set(*request, m_options.readValue);
                if (m_gradients)
                    m_gradients->watchAgain(request->node);
                m_pending.push_back(std::move(record));
                flush();
                return Answer{request->request, said};
            });
        } else if (const auto* request = std::get_if<FindOrigin>(&command)) {
            reply(request->request, [&] { return m_values.findOrigin(*request, m_options.findDifference); });
        } else if (const auto* request = std::get_if<SaveValue>(&command)) {
            reply(request->request, [&] { return m_values.save(*request, m_options.saveTensor); });
        }
    }

    template <class Work>
    void reply(int request, const Work& work) {
        try {
            guarded([&] { tell(work()); });
        } catch (const Error& error) {
            tell(Answer{request, error.explanation(), true});
        }
    }

    bool holds(const Breakpoint& breakpoint, std::string& note) {
        m_random.disturb();
        try {
            return isTrue(m_values.evaluate(breakpoint.condition));
        } catch (const Error& error) {
            // A condition that cannot be evaluated stops, as pdb does, and says why.
            note = "the condition of breakpoint " + std::to_string(breakpoint.id) +
                   " failed: " + error.message();
            return true;
        }
    }

    Model m_model; ///< only its names become others, while it stands still
    MakeInputs m_makeInputs;
    const DebugOptions m_options;
    Listener m_listener;
    CommandQueue m_queue;

    // Of the session's thread alone:
    BreakpointList m_breakpoints;
    FrameStack m_frames{m_model};
    SessionValues m_values{m_model, m_frames, m_options.valueBudgetBytes, m_options.loss.has_value()};
    std::unique_ptr<SessionGradients> m_gradients =
        m_options.loss ? std::make_unique<SessionGradients>(m_values, *m_options.loss) : nullptr;
    RandomHistory m_random{m_options.run.device};
    GoingOn m_goingOn{m_model, m_values, m_random};
    Clock::time_point m_start; ///< of the run, moved on by its pauses
    StepPlan m_plan{m_model};
    GoingBack m_goingBack{m_model, m_frames, m_values, m_random, m_plan, m_options.valueBudgetBytes / 2};
    RunState m_state = startedRun(1, m_options.pausesAtEntry);
    bool m_isAtEntry = true; ///< no pause was reported yet
    int m_unhealthy = 0;     ///< the breakpoint that saw NaN or Inf in the last value
    NodeRef m_failedNode;
    std::vector<DebugFrame> m_failedFrames;
    std::vector<NodeRecord> m_pending;
    Clock::time_point m_lastFlush = Clock::now();
    std::thread m_thread; ///< last, so that all else is there when it starts
};

DebugSession::DebugSession(Model model, MakeInputs inputs, DebugOptions options,
                           std::vector<Breakpoint> breakpoints, Listener listener,
                           std::optional<EarlierRun> earlier, std::set<NodeRef> changed) {
    if (options.loss)
        options.run.gradMode = GradMode::Grad;
    m_run =
        std::make_unique<Run>(std::move(model), std::move(inputs), std::move(options), std::move(breakpoints),
                              std::move(listener), std::move(earlier), std::move(changed));
}

EarlierRun DebugSession::end() {
    return m_run->leave();
}

DebugSession::~DebugSession() = default;

void DebugSession::send(DebugCommand command) {
    m_run->queue().send(std::move(command));
}

void DebugSession::stop() {
    m_run->queue().stop();
}

void DebugSession::pause() {
    m_run->queue().pause();
}

const Model& DebugSession::model() const {
    return m_run->model();
}

} // namespace fx
