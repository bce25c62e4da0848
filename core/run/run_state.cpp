// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_state.h"

#include <utility>

namespace fx {

namespace {

using Phase = RunState::Phase;
using Wish = RunState::Wish;

void leavePause(RunState& state) {
    state.isResuming = state.isStepping = false;
    state.jump = 0;
    state.wish = Wish::None;
    state.stop = {};
}

void finish(RunState& state, RunState::End end) {
    if (state.isCut) { // an edit ended the run before
        state.wish = Wish::None;
        return;
    }
    leavePause(state);
    state.phase = Phase::Over;
    if (const auto* failed = std::get_if<Failed>(&end))
        state.stop.frames = failed->frames;
    state.end = std::move(end);
}

struct Advance {
    RunState& state;

    void operator()(const Paused& paused) const {
        if (state.isCut)
            return;
        const Wish wish = state.wish;
        leavePause(state);
        if (wish >= Wish::Stop)
            state.wish = wish; // Stopped follows
        state.phase = Phase::Paused;
        state.stop = paused;
        state.end = {}; // a lost connection may have ended the run for this holder
        state.whyGone.clear();
    }
    void operator()(const Resumed&) const {
        if (state.isCut)
            return;
        state.phase = Phase::Running;
        state.isResuming = false;
        state.jump = 0;
        state.stop = {};
        state.end = {};
        state.whyGone.clear();
    }
    void operator()(const Executed& executed) const {
        if (!executed.isRecalled)
            state.ranCount += executed.records.size();
    }
    void operator()(const GoesOn& begun) const {
        state.hasGoneOn = begun.whyAll.empty();
        state.ranCount = 0;
    }
    void operator()(const Answer& answer) const {
        if (state.jump == 0 || answer.request != state.jump || !answer.isError)
            return;
        state.isResuming = state.isStepping = false; // the jump was refused
        state.jump = 0;
    }
    void operator()(const Finished& finished) const { finish(state, finished); }
    void operator()(const Failed& failed) const { finish(state, failed); }
    void operator()(const Stopped& stopped) const { finish(state, stopped); }
    void operator()(const ValuesGone& gone) const {
        if (state.isOver())
            state.whyGone = gone.why;
    }
    void operator()(const auto&) const {}
};

} // namespace

RunState startedRun(int run, bool pausesAtEntry) {
    RunState state;
    state.run = run;
    state.phase = Phase::Running;
    state.isStepping = pausesAtEntry;
    return state;
}

RunState attachedRun(int run) {
    RunState state;
    state.run = run;
    state.phase = run == 0 ? Phase::Idle : Phase::Running;
    return state;
}

RunState next(RunState state, const DebugEvent& event) {
    std::visit(Advance{state}, event);
    return state;
}

RunState next(RunState state, const DebugCommand& command) {
    const auto* resume = std::get_if<Resume>(&command);
    const auto* jump = std::get_if<Jump>(&command);
    const auto* back = std::get_if<GoBack>(&command);
    // A session that is over drops a Resume, and one that is running queues it.
    if (!state.isPaused() || (!resume && !jump && !back))
        return state;
    state.isResuming = true;
    state.jump = jump ? jump->request : back ? back->request : 0;
    state.isStepping = resume ? resume->mode != Resume::Mode::Continue : jump || !back->isToStop;
    return state;
}

RunState wished(RunState state, RunState::Wish wish) {
    if (wish == Wish::Pause) {
        if (state.phase == Phase::Running && state.wish == Wish::None)
            state.wish = wish;
    } else if (state.isLive()) {
        state.wish = state.wish >= Wish::Stop ? Wish::StopNow : wish;
    }
    return state;
}

RunState edited(RunState state) {
    if (state.phase == Phase::Idle)
        return state;
    const Wish wish = state.isLive() ? state.wish : Wish::None; // a stop may be under way
    leavePause(state);
    state.wish = wish;
    state.phase = Phase::Over;
    state.isCut = true;
    if (!std::get_if<Finished>(&state.end))
        state.end = {};
    return state;
}

RunState released(RunState state) {
    RunState out;
    out.run = state.run;
    return out;
}

std::vector<DebugEvent> deathEvents(const RunState& state, const DebugEvent& last, const std::string& why) {
    std::vector<DebugEvent> out;
    if (state.isLive())
        out.push_back(last);
    if (state.phase != Phase::Idle)
        out.push_back(ValuesGone{why});
    return out;
}

bool endsRun(const DebugEvent& event) {
    return std::get_if<Finished>(&event) || std::get_if<Failed>(&event) || std::get_if<Stopped>(&event);
}

std::optional<DebugEvent> stateEvent(const RunState& state) {
    switch (state.phase) {
    case Phase::Idle:
        break;
    case Phase::Running:
        return Resumed{};
    case Phase::Paused:
        return state.stop;
    case Phase::Over:
        if (const auto* finished = std::get_if<Finished>(&state.end))
            return *finished;
        if (const auto* failed = std::get_if<Failed>(&state.end))
            return *failed;
        if (std::get_if<Stopped>(&state.end))
            return Stopped{};
    }
    return std::nullopt;
}

bool concerns(const RunState& state, int run, const DebugEvent& event) {
    return run == state.run || std::get_if<Answer>(&event) || std::get_if<Inspection>(&event);
}

} // namespace fx
