// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/tools/connect_tool.h"

#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/tools/drawn_wire.h"
#include "widgets/document/graph_intents.h"
#include "widgets/support/qt_text.h"

#include <QApplication>

namespace fx::ui {

namespace {

constexpr double kHandleReach = 9, kLeastWidth = 60; ///< in pixels

} // namespace

std::optional<QPointF> ConnectTool::handleOf(const CanvasView& view, int box) {
    if (box < 0 || view.geometry().box(box).kind != DiagramBox::Kind::Node ||
        view.geometry().picture()->opcodes[static_cast<size_t>(box)] == Opcode::Output)
        return std::nullopt;
    const QRectF rect = view.camera().toScreen(view.geometry().rect(box));
    if (rect.width() < kLeastWidth)
        return std::nullopt;
    return QPointF(rect.center().x(), rect.bottom());
}

bool ConnectTool::press(CanvasView& view, const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton || event.modifiers())
        return false;
    const int box = view.geometry().boxAt(view.camera().toPlane(event.position()));
    const std::optional<QPointF> handle = handleOf(view, box);
    if (!handle || (event.position() - *handle).manhattanLength() > kHandleReach)
        return false;
    m_producer = view.geometry().box(box).node;
    m_reader = NodeId();
    m_from = view.camera().toPlane(*handle);
    m_start = m_at = event.position();
    m_isDrag = false;
    m_box = -1;
    return true;
}

void ConnectTool::look(CanvasView& view, QPointF at) {
    const ModuleId module = view.geometry().picture()->module;
    const Graph& graph = view.document().model().graph(module);
    const QString name = qt(graph.node(m_producer).name);
    m_at = at;
    m_reader = NodeId();
    m_isRefused = false;
    m_text = "drop on the node that is to read " + name + ", or on nothing to put a new one there";
    m_box = view.geometry().boxAt(view.camera().toPlane(at));
    if (m_box < 0 || view.geometry().box(m_box).node == m_producer)
        return;
    const DiagramBox& box = view.geometry().box(m_box);
    if (box.kind != DiagramBox::Kind::Node) {
        m_isRefused = true;
        m_text = box.kind == DiagramBox::Kind::Stub ? "drop it on the node itself"
                                                    : "drop it on a node: open the scope first";
        return;
    }
    const QString reader = qt(graph.node(box.node).name);
    const auto places = placesForNode(argumentPlaces(view.document().model(), module, graph.node(box.node)));
    m_text = places.empty() ? reader + " reads no node"
                            : reasonAgainstReading(view.document(), {module, box.node}, m_producer);
    m_isRefused = !m_text.isEmpty();
    if (m_isRefused)
        return;
    m_reader = box.node;
    QStringList texts;
    for (const ArgumentPlace& each : places)
        texts << qt(placeText(each, graph));
    m_text = reader + " will read " + name + " as " +
             (texts.size() == 1 ? texts[0] : QString("one of %1").arg(texts.join("; ")));
}

void ConnectTool::move(CanvasView& view, const QMouseEvent& event) {
    if (!m_isDrag && (event.position() - m_start).manhattanLength() < QApplication::startDragDistance())
        return;
    m_isDrag = true;
    look(view, event.position());
    view.setCursor(Qt::DragMoveCursor);
    view.update();
}

void ConnectTool::release(CanvasView& view, const QMouseEvent& event) {
    view.unsetCursor();
    view.update();
    if (!m_isDrag) {
        view.click(event.position(), event.modifiers());
        return;
    }
    m_isDrag = false;
    look(view, event.position());
    const ModuleId module = view.geometry().picture()->module;
    if (m_isRefused)
        Q_EMIT view.refused(m_text);
    else if (m_reader || m_box < 0)
        Q_EMIT view.connectWanted({module, m_producer}, {module, m_reader});
}

void ConnectTool::cancel(CanvasView& view) {
    m_isDrag = false;
    view.unsetCursor();
    view.update();
}

void ConnectTool::paint(CanvasView& view, QPainter& painter) {
    if (m_isDrag)
        paintDrawnWire(view, painter,
                       {view.camera().toScreen(m_from), m_at, m_at, m_box, m_text, m_isRefused});
}

} // namespace fx::ui
