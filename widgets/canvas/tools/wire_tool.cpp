// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/tools/wire_tool.h"

#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/tools/drawn_wire.h"
#include "widgets/document/graph_intents.h"
#include "widgets/session/selection.h"
#include "widgets/support/qt_text.h"

#include <QApplication>

namespace fx::ui {

bool WireTool::press(CanvasView& view, const QMouseEvent& event) {
    const QPointF point = view.camera().toPlane(event.position());
    if (event.button() != Qt::LeftButton || event.modifiers() || view.geometry().boxAt(point) >= 0)
        return false;
    const int edge = view.geometry().edgeAt(point, CanvasView::kReach / view.camera().scale());
    if (edge < 0)
        return false;
    const DiagramEdge& wire = view.geometry().edge(edge);
    const DiagramBox& to = view.geometry().box(wire.to);
    m_reader = to.kind == DiagramBox::Kind::Node ? to.node : NodeId();
    m_value = wire.value;
    m_readerEnd = QPointF(wire.path.back().x, wire.path.back().y);
    m_start = m_at = event.position();
    m_isDrag = false;
    m_box = -1;
    m_reason.clear();
    return true;
}

NodeId WireTool::candidate(CanvasView& view, QPointF at) {
    m_reason.clear();
    m_box = view.geometry().boxAt(view.camera().toPlane(at));
    if (m_box < 0)
        return {};
    const DiagramBox& box = view.geometry().box(m_box);
    if (box.kind == DiagramBox::Kind::CollapsedScope || box.kind == DiagramBox::Kind::ExpandedScope) {
        m_reason = "drop it on a node: open the scope first";
        return {};
    }
    if (box.node == m_value)
        return {};
    m_reason = reasonAgainstReading(view.document(), {view.geometry().picture()->module, m_reader}, box.node);
    return m_reason.isEmpty() ? box.node : NodeId();
}

void WireTool::move(CanvasView& view, const QMouseEvent& event) {
    if (!m_isDrag && (event.position() - m_start).manhattanLength() < QApplication::startDragDistance())
        return;
    if (!m_reader) {
        Q_EMIT view.refused(
            "This wire leads into a scope. Open the scope, then drag the wire of the node in it.");
        view.endGesture();
        return;
    }
    m_isDrag = true;
    m_at = event.position();
    candidate(view, m_at);
    view.setCursor(Qt::DragMoveCursor);
    view.update();
}

void WireTool::release(CanvasView& view, const QMouseEvent& event) {
    view.unsetCursor();
    view.update();
    if (!m_isDrag) {
        view.click(event.position(), event.modifiers());
        return;
    }
    const NodeId producer = candidate(view, event.position());
    QString reason = m_reason;
    if (producer)
        reason = rewire(view.document(), {view.geometry().picture()->module, m_reader}, m_value, producer);
    if (!reason.isEmpty())
        Q_EMIT view.refused(reason);
    else if (producer)
        view.pick([&](Selection& selection) {
            selection.select({view.geometry().picture()->module, m_reader});
        });
    m_isDrag = false;
}

void WireTool::cancel(CanvasView& view) {
    m_isDrag = false;
    view.unsetCursor();
    view.update();
}

void WireTool::paint(CanvasView& view, QPainter& painter) {
    if (!m_isDrag)
        return;
    const Graph& graph = view.document().model().graph(view.geometry().picture()->module);
    QString text = m_reason;
    if (text.isEmpty() && m_box >= 0 && view.geometry().box(m_box).node != m_value)
        text = qt(graph.node(m_reader).name) + " will read " +
               qt(graph.node(view.geometry().box(m_box).node).name);
    else if (text.isEmpty())
        text = "drop on the node that " + qt(graph.node(m_reader).name) + " should read";
    paintDrawnWire(view, painter,
                   {m_at, view.camera().toScreen(m_readerEnd), m_at, m_box, text, !m_reason.isEmpty()});
}

} // namespace fx::ui
