// SPDX-License-Identifier: GPL-3.0-or-later
// How a paused run goes back: it runs again from an earlier node of its innermost graph, with the values,
// written tensors and random numbers of then, and stops at the node that was asked for.
#pragma once

#include "core/interpret/random_history.h"
#include "core/run/seek.h"
#include "core/run/session_values.h"
#include "core/run/step_plan.h"
#include "core/run/write_history.h"

#include <functional>
#include <optional>
#include <string>

namespace fx {

class GoingBack {
public:
    /// `budgetBytes`: for copies of what calls write over.
    GoingBack(const Model& model, FrameStack& frames, SessionValues& values, RandomHistory& random,
              StepPlan& plan, uint64_t budgetBytes)
        : m_model(model), m_frames(frames), m_values(values), m_random(random), m_plan(plan),
          m_writes(model, budgetBytes) {}

    /// The node is about to run.
    void note(const Interpreter& interpreter, const Node& node) { m_writes.note(interpreter, node); }

    // Both return what going back does not undo; empty: nothing. They throw an Error if the run is not paused
    // or has no such node.
    std::string jumpTo(NodeId node);
    std::string goBack(const GoBack& request, const std::vector<Breakpoint>& breakpoints);

    /// True while a search is on its way to a node.
    bool isSeeking() const { return m_seek.has_value(); }
    /// True if a search passes the node, where breakpoints do not stop it.
    bool passes(NodeRef node) const { return m_seek && node != m_seek->target(); }
    /// The run has stopped. Returns true if it is to pause here, as no search goes on further back.
    bool endsAt(Paused& stop, const std::vector<Breakpoint>& breakpoints);
    /// A pause was requested.
    void endSeek() { m_seek.reset(); }

private:
    bool isFound(Paused& stop);
    bool seeksOn(const std::vector<Breakpoint>& breakpoints);
    std::string seekFurther(const std::vector<Breakpoint>& breakpoints);
    Seek::Values valuesOf(const std::vector<std::string>& expressions);
    NodeId restore(Interpreter& paused, const RunningFrame& frame, NodeId target, std::string& note);

    const Model& m_model;
    FrameStack& m_frames;
    SessionValues& m_values;
    RandomHistory& m_random;
    StepPlan& m_plan;
    WriteHistory m_writes;
    std::optional<Seek> m_seek; ///< under way
    std::string m_notUndone;    ///< by the search, in lines
};

} // namespace fx
