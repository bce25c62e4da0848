// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/places.h"

#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/selection.h"

#include <QScopedValueRollback>

#include <algorithm>

namespace fx::ui {

namespace {

constexpr size_t kMost = 200;

} // namespace

Places::Places(Selection& selection, CanvasView& canvas, const DebugService& debug, QObject* parent)
    : QObject(parent), m_selection(selection), m_canvas(canvas), m_debug(debug), m_places(1) {
    m_turn.setSingleShot(true);
    m_turn.setInterval(0);
    connect(&m_turn, &QTimer::timeout, this, &Places::settle);
    connect(&selection, &Selection::changed, this, &Places::follow);
    connect(&canvas, &CanvasView::cameraChanged, &m_turn, qOverload<>(&QTimer::start));
    connect(&canvas.look(), &CanvasCamera::jumped, this, [this] { begin(true); });
    settle();
}

bool Places::isOfRun() const {
    const NodeRef at = m_selection.current();
    const std::vector<NodeRef>& done = m_debug.run().values().order();
    return at.node && (at == m_debug.run().state().at() || at == m_debug.run().state().faultyNode() ||
                       (!done.empty() && at == done.back()));
}

bool Places::isJump() const {
    const Place& here = m_places[m_at];
    if (m_selection.graph() != here.graph)
        return true;
    if ((m_selection.nodes().empty() && m_selection.scope().isEmpty()) || (isOfRun() && here.isOfRun))
        return false;
    // On the canvas one clicks on what is in sight; it is a jump where one has gone there from afar.
    return !m_canvas.isPicking() || !m_canvas.look().isInSight(here.sight);
}

void Places::follow() {
    m_turn.start();
    if (m_isGoing)
        return;
    if (isJump())
        begin(false);
    m_places[m_at].isOfRun = isOfRun(); // the run may be elsewhere when the event loop has its turn
}

void Places::begin(bool isAcross) {
    if (m_isGoing || std::exchange(m_isFresh, true))
        return;
    m_places.resize(m_at + 1);
    m_places.push_back(m_places.back());
    m_places.back().isAcross = isAcross;
    if (m_places.size() > kMost)
        m_places.erase(m_places.begin());
    m_at = m_places.size() - 1;
    m_turn.start();
    Q_EMIT changed();
}

void Places::settle() {
    m_isFresh = false;
    Place& here = m_places[m_at];
    const bool hasSelection = !m_selection.nodes().empty() || !m_selection.scope().isEmpty();
    const bool isSame = here.graph == m_selection.graph() && here.nodes == m_selection.nodes() &&
                        here.scope == m_selection.scope();
    // Panning away from what is selected is looking about, not going there.
    here.isAcross &= isSame;
    if (!isSame || !hasSelection || here.isAcross || m_canvas.look().isSelectionSeen())
        here.sight = m_canvas.look().sight();
    here.graph = m_selection.graph();
    here.nodes = m_selection.nodes();
    here.scope = m_selection.scope();
    if (m_at > 0 && m_at + 1 == m_places.size() && m_places[m_at - 1] == here) {
        m_places.pop_back();
        --m_at;
    }
    Q_EMIT changed();
}

bool Places::isThere(const Place& place) const {
    const Module& module = m_selection.model().module(place.graph);
    if (!module.graph)
        return false;
    const auto isNode = [&](NodeId node) { return module.graph->contains(node); };
    return place.nodes.empty() || std::ranges::any_of(place.nodes, isNode);
}

std::optional<size_t> Places::find(int by) const {
    for (size_t at = m_at + static_cast<size_t>(by); at < m_places.size(); at += static_cast<size_t>(by))
        if (isThere(m_places[at]))
            return at;
    return {};
}

void Places::go(int by) {
    if (m_turn.isActive())
        settle();
    const std::optional<size_t> at = find(by);
    if (!at)
        return;
    const QScopedValueRollback<bool> going(m_isGoing, true);
    m_at = *at;
    const Place place = m_places[m_at];
    m_selection.showGraph(place.graph);
    std::vector<NodeId> nodes = place.nodes;
    std::erase_if(nodes, [&](NodeId node) { return !m_selection.model().graph(place.graph).contains(node); });
    for (const NodeId node : nodes)
        m_selection.reveal(node);
    if (!place.scope.isEmpty()) {
        m_selection.revealScope(place.scope);
        m_selection.selectScope(place.scope);
    } else {
        m_selection.selectNodes(nodes);
    }
    m_canvas.look().lookAt(place.sight);
    Q_EMIT changed();
}

} // namespace fx::ui
