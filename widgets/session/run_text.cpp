// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/run_text.h"

#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "widgets/session/debug_service.h"
#include "widgets/support/qt_text.h"

#include <algorithm>

namespace fx::ui {

namespace {

using Phase = RunState::Phase;

QString pausedText(const Graph& graph, NodeId at) {
    // Calls alone: inputs and weights are there before the first.
    int calls = 0, number = 0;
    for (const Node& node : graph) {
        calls += isCallNode(node);
        if (node.id == at && isCallNode(node))
            number = calls;
    }
    const QString place = number ? QString(" · call %1 of %2").arg(number).arg(calls) : QString();
    return "Paused before " + qt(graph.node(at).name) + place;
}

QString endedText(const RunController& run, const Model& model) {
    const std::vector<NodeRef>& order = run.values().order();
    if (run.isOutdated()) {
        const auto stale =
            std::ranges::count_if(order, [&](NodeRef node) { return run.values().isStale(node); });
        return stale == 0 ? QString("The graph has changed · all values still hold")
                          : QString("The graph has changed · %1 of %2 no longer %3")
                                .arg(stale)
                                .arg(qt(plural(order.size(), "value")), stale == 1 ? "holds" : "hold");
    }
    if (const QString end = endText(run.state()); !end.isEmpty())
        return end;
    if (run.nonFinite())
        return "Finished with " + qt(run.nonFinite()->text(model));
    const auto* finished = std::get_if<Finished>(&run.state().end);
    if (!finished)
        return "Ended by an edit";
    const QString text = "Finished in " + timeLabel(finished->milliseconds);
    return run.state().hasGoneOn ? text + QString(" · %1 of %2 ran again")
                                              .arg(run.state().ranCount)
                                              .arg(qt(plural(order.size(), "node")))
                                 : text;
}

QString overText(const RunController& run, const Model& model) {
    const RunState& state = run.state();
    const QString text = endedText(run, model);
    return state.whyGone.empty() || state.failure() ? text : text + " · the values are lost";
}

} // namespace

QString briefFailure(const RunState& state) {
    if (!state.failure())
        return {};
    const std::string brief = briefFault(state.failure()->message);
    return qt(brief.substr(0, brief.find('\n')));
}

QString endText(const RunState& state) {
    if (std::get_if<Stopped>(&state.end))
        return "Stopped";
    const std::string place = state.failure() ? state.failure()->place : std::string();
    return place.empty() ? briefFailure(state) : qt(place) + ": " + briefFailure(state);
}

QString runText(const DebugService& debug) {
    const RunController& run = debug.run();
    if (!debug.place().fault().isEmpty() && !run.state().failure())
        return debug.place().fault();
    switch (run.state().phase) {
    case Phase::Idle:
        break;
    case Phase::Running:
        return debug.running().text(debug.model(), run.state().wish);
    case Phase::Paused:
        return pausedText(debug.model().graph(run.state().at().module), run.state().at().node);
    case Phase::Over:
        return overText(run, debug.model());
    }
    return "Not run yet";
}

} // namespace fx::ui
