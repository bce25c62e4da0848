// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a run. Window, console and command line (through RunController), workers, remote sessions and
// their clients keep a RunState and advance it by next(), so that all agree on when a run is running, paused,
// over or gone. So does the debug session, which is the source of the events.
#pragma once

#include "core/interpret/debug_types.h"

#include <optional>
#include <variant>

namespace fx {

struct RunState {
    enum class Phase {
        Idle, ///< no run was started, or its values were released
        Running,
        Paused,
        Over ///< finished, failed, stopped, or ended by an edit; its values can be inspected
    };
    /// A request that the debuggee has not fulfilled yet.
    enum class Wish { None, Pause, Stop, StopNow };
    /// How a run ended. Empty while Over: an edit of the graph ended it, or came after a failure.
    using End = std::variant<std::monostate, Finished, Failed, Stopped>;

    int run = 0; ///< number of the run; 0 before the first one; numbers only grow
    Phase phase = Phase::Idle;
    Wish wish = Wish::None;
    bool isResuming = false; ///< Paused, and a command was sent that resumes; Resumed has not arrived
    int jump = 0;            ///< request number of that command, a Jump or GoBack; 0 if it is a Resume
    bool isStepping = false; ///< the last command that resumed the run stops by itself
    bool isCut = false;      ///< an edit ended the run; the debuggee may still report events of it
    bool hasGoneOn = false;  ///< the run reuses values of the run before it
    size_t ranCount = 0;     ///< number of nodes executed by this run
    Paused stop;             ///< while Paused; after a failure its frames only
    End end;
    std::string whyGone; ///< why the values of the run, which is over, are lost; empty: they are kept

    bool isLive() const { return phase == Phase::Running || phase == Phase::Paused; }
    bool isPaused() const { return phase == Phase::Paused; }
    bool isOver() const { return phase == Phase::Over; }
    /// True while the debuggee executes nodes, or is about to.
    bool isBusy() const { return phase == Phase::Running || isResuming; }
    /// Null unless the run failed.
    const Failed* failure() const { return std::get_if<Failed>(&end); }
    /// Node that failed; no node unless a node failed.
    NodeRef faultyNode() const { return failure() ? failure()->node : NodeRef(); }
    /// Node that is about to run in the innermost graph; no node unless the run is paused.
    NodeRef at() const { return isPaused() && !stop.frames.empty() ? stop.frames.back().node : NodeRef(); }
};

/// State after the request to start run `run` was sent. `pausesAtEntry`: the run pauses before its first
/// node.
RunState startedRun(int run, bool pausesAtEntry);
/// State of a client that attaches to a session whose run `run` is under way; `run` 0: the session has no
/// run.
RunState attachedRun(int run);

/// State after the debuggee reported `event` of this run.
RunState next(RunState state, const DebugEvent& event);
/// State after `command` was sent to the debuggee.
RunState next(RunState state, const DebugCommand& command);
/// State after a request to pause or to stop. The second request to stop becomes StopNow.
RunState wished(RunState state, RunState::Wish wish);
/// State after an edit of the graph that changes values.
RunState edited(RunState state);
/// State after the values of the run were released.
RunState released(RunState state);

/// Event that leads a newly attached holder to the phase of `state`; none while Idle, and none if an
/// edit ended the run.
std::optional<DebugEvent> stateEvent(const RunState& state);
/// Events that report the death of the debuggee: `last` if the run was live, and that its values are lost.
std::vector<DebugEvent> deathEvents(const RunState& state, const DebugEvent& last, const std::string& why);
/// True if the event is Finished, Failed or Stopped.
bool endsRun(const DebugEvent& event);
/// True if `event`, reported for run `run`, concerns a holder in this state: it belongs to the run, or it
/// answers a request.
bool concerns(const RunState& state, int run, const DebugEvent& event);

} // namespace fx
