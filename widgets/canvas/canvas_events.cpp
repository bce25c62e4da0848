// SPDX-License-Identifier: GPL-3.0-or-later
// What the canvas makes of mouse, keys and the wish for a tooltip.
#include "core/console/source_frames.h"
#include "core/layout/box_text.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/walk.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/selection.h"
#include "widgets/support/qt_text.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMetaMethod>
#include <QScopedValueRollback>
#include <QToolTip>

#include <cmath>

namespace fx::ui {

// --- Mouse

void CanvasView::updateHover(QPointF screen) {
    Hover hover;
    if (!m_geometry.isEmpty() && rect().contains(screen.toPoint())) {
        const QPointF point = camera().toPlane(screen);
        hover.box = m_geometry.boxAt(point);
        if (hover.box < 0)
            hover.edge = m_geometry.edgeAt(point, kReach / camera().scale());
        else if (m_geometry.box(hover.box).kind == DiagramBox::Kind::Stub)
            hover.value = m_geometry.box(hover.box).node;
    }
    if (hover.box == m_hover.box && hover.edge == m_hover.edge)
        return;
    m_hover = hover;
    QToolTip::hideText(); // it is of what was there
    setCursor(hover.edge >= 0 && m_debug ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::BackButton || event->button() == Qt::ForwardButton)
        return event->ignore(); // the window goes back and forward
    if (m_gesture || m_geometry.isEmpty())
        return;
    m_look.stop();
    for (const auto& tool : m_tools)
        if (tool->press(*this, *event)) {
            m_gesture = tool.get();
            return;
        }
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    if (m_gesture)
        m_gesture->move(*this, *event);
    else
        updateHover(event->position());
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    if (Tool* gesture = std::exchange(m_gesture, nullptr))
        gesture->release(*this, *event);
    updateHover(event->position());
}

void CanvasView::endGesture() {
    if (Tool* gesture = std::exchange(m_gesture, nullptr))
        gesture->cancel(*this);
    update();
}

void CanvasView::leaveEvent(QEvent*) {
    updateHover(QPointF(-1, -1));
}

void CanvasView::pick(const std::function<void(Selection&)>& select) {
    const QScopedValueRollback<bool> here(m_isPicking, true);
    select(m_selection);
}

void CanvasView::selectBox(int box, bool extends) {
    const QScopedValueRollback<bool> here(m_isPicking, true);
    if (box < 0) {
        m_selection.clear();
        return;
    }
    const DiagramBox& it = m_geometry.box(box);
    if (it.kind == DiagramBox::Kind::CollapsedScope || it.kind == DiagramBox::Kind::ExpandedScope)
        m_selection.selectScope(m_geometry.picture()->scopePaths[static_cast<size_t>(box)]);
    else if (extends)
        m_selection.selectAlso(it.node);
    else
        m_selection.select({m_geometry.picture()->module, it.node});
}

void CanvasView::click(QPointF screen, Qt::KeyboardModifiers modifiers) {
    const int box = m_geometry.boxAt(camera().toPlane(screen));
    const Camera before = camera();
    const bool extends = modifiers & (Qt::ShiftModifier | Qt::ControlModifier);
    if (box >= 0) {
        const DiagramBox::Kind kind = m_geometry.box(box).kind;
        const QRectF where = camera().toScreen(m_geometry.titleRect(box));
        const bool isScope =
            kind == DiagramBox::Kind::CollapsedScope || kind == DiagramBox::Kind::ExpandedScope;
        if (isScope && screen.x() < where.left() + std::max(18.0, 28 * camera().scale())) {
            toggleScope(box);
            return;
        }
    }
    selectBox(box, extends);
    // What one has clicked on is in sight already; a stub stays where it is too.
    m_look.stayAt(before);
}

void CanvasView::toggleScope(int box) {
    const QString path = m_geometry.picture()->scopePaths[static_cast<size_t>(box)];
    m_look.beByHand();
    m_selection.setExpanded(utf8(path), m_geometry.box(box).kind == DiagramBox::Kind::CollapsedScope);
}

std::pair<NodeRef, NodeRef> CanvasView::endsOf(int edge) const {
    if (edge < 0)
        return {};
    const DiagramEdge& wire = m_geometry.edge(edge);
    const DiagramBox& to = m_geometry.box(wire.to);
    const ModuleId module = m_geometry.picture()->module;
    return {{module, wire.value}, {module, to.kind == DiagramBox::Kind::Node ? to.node : NodeId()}};
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    const int box = m_geometry.isEmpty() ? -1 : m_geometry.boxAt(camera().toPlane(event->position()));
    if (event->button() != Qt::LeftButton)
        return;
    if (box < 0) {
        const int edge = m_geometry.isEmpty() ? -1
                                              : m_geometry.edgeAt(camera().toPlane(event->position()),
                                                                  kReach / camera().scale());
        const auto [producer, reader] = endsOf(edge);
        Q_EMIT insertWanted(producer, reader);
        return;
    }
    const DiagramBox& it = m_geometry.box(box);
    if (it.kind == DiagramBox::Kind::Stub)
        m_look.ensureVisible(it.node);
    else if (it.kind == DiagramBox::Kind::Node)
        Q_EMIT graphWanted({m_geometry.picture()->module, it.node});
    else
        toggleScope(box);
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    const bool isTouchpad = !event->pixelDelta().isNull() && !(event->modifiers() & Qt::ControlModifier);
    if (isTouchpad) {
        m_look.panBy(event->pixelDelta());
    } else if (event->modifiers() & Qt::ShiftModifier) {
        const int delta = event->angleDelta().y() ? event->angleDelta().y() : event->angleDelta().x();
        m_look.panBy(QPointF(delta / 2.0, 0));
    } else if (event->modifiers() & Qt::AltModifier) {
        m_look.panBy(QPointF(0, event->angleDelta().x() / 2.0));
    } else {
        Camera camera = this->camera();
        camera.zoomAt(event->position(), std::pow(1.0015, event->angleDelta().y()));
        m_look.set(camera);
    }
    event->accept();
}

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
    if (m_geometry.isEmpty())
        return;
    QPoint at = event->globalPos();
    if (event->reason() == QContextMenuEvent::Mouse) {
        const int box = m_geometry.boxAt(camera().toPlane(event->pos()));
        const bool isKept = box >= 0 && m_geometry.box(box).kind == DiagramBox::Kind::Node &&
                            m_selection.isSelected(m_geometry.box(box).node);
        if (!isKept)
            click(event->pos(), Qt::NoModifier);
    } else if (const int box = m_look.selectedBox(); box >= 0) {
        at = mapToGlobal(camera().toScreen(m_geometry.rect(box)).center().toPoint());
    }
    Q_EMIT contextMenuWanted(at);
}

// --- Keyboard

void CanvasView::walk(int key) {
    const WalkDirection direction = key == Qt::Key_Up     ? WalkDirection::Up
                                    : key == Qt::Key_Down ? WalkDirection::Down
                                    : key == Qt::Key_Left ? WalkDirection::Left
                                                          : WalkDirection::Right;
    int from = m_look.selectedBox();
    if (from < 0) {
        // Begin at the first node that is seen.
        for (int box : m_geometry.boxesIn(camera().toPlane(QRectF(rect()))))
            if (m_geometry.box(box).kind != DiagramBox::Kind::ExpandedScope &&
                (from < 0 || m_geometry.rect(box).top() < m_geometry.rect(from).top()))
                from = box;
        selectBox(from, false);
        return;
    }
    const int to = ui::walk(m_geometry, from, direction);
    if (to < 0)
        return;
    selectBox(to, false);
    if (m_geometry.box(to).kind == DiagramBox::Kind::CollapsedScope) {
        const QRectF where = camera().toScreen(m_geometry.rect(to));
        if (!m_look.freeArea().contains(where))
            m_look.centerOn(m_geometry.rect(to).center());
    }
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        // With Alt they go through history, also where it ends.
        if (!m_geometry.isEmpty() && !(event->modifiers() & Qt::AltModifier))
            walk(event->key());
        return;
    case Qt::Key_Escape:
        // One thing at a time.
        if (m_gesture)
            endGesture();
        else if (m_selection.part())
            m_selection.showWhole();
        else if (m_selection.matches().isLit())
            m_selection.matches().putOut();
        else
            m_selection.clear();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (const int box = m_look.selectedBox(); box >= 0) {
            if (m_geometry.box(box).kind != DiagramBox::Kind::Node)
                toggleScope(box);
            else
                Q_EMIT graphWanted(m_selection.current());
        }
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        if (!m_selection.changeHops(1))
            m_look.zoomBy(1.25);
        return;
    case Qt::Key_Minus:
        if (!m_selection.changeHops(-1))
            m_look.zoomBy(0.8);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

// --- Tooltips

QString CanvasView::toolTipAt(QPointF screen) const {
    if (m_geometry.isEmpty())
        return {};
    const Picture& picture = *m_geometry.picture();
    const Graph& graph = m_document.model().graph(picture.module);
    const auto line = [](const QString& text) { return "<br>" + text.toHtmlEscaped(); };
    const bool isOfSelection = screen.x() < 0;
    const int box = isOfSelection ? m_look.selectedBox() : m_geometry.boxAt(camera().toPlane(screen));
    if (box >= 0) {
        const DiagramBox& it = m_geometry.box(box);
        const BoxText& text = picture.texts[static_cast<size_t>(box)];
        const BoxState& state = m_states.of(picture, box);
        const bool isScope = !it.node;
        const QString& path = picture.scopePaths[static_cast<size_t>(box)];
        QString out = "<b>" + (path.isEmpty() ? qt(text.title) : path).toHtmlEscaped() + "</b>";
        if (!isScope && !path.isEmpty() && graph.contains(it.node))
            out += line(qt(graph.node(it.node).name));
        out += line(qt(text.detail));
        const QString value = state.value.isEmpty() ? qt(text.value) : state.value;
        if (!value.isEmpty())
            out += line(value);
        if (!text.badge.empty())
            out += line(qt(text.badge));
        if (!isScope && graph.contains(it.node)) {
            const Node& node = graph.node(it.node);
            out += line(qt(opcodeName(node.opcode)) + ", " + QString::number(node.users.size()) + " users");
            if (const std::string source = sourceText(node); !source.empty())
                out += line(qt(source));
        }
        if (!state.setTo.isEmpty())
            out += line("its value was set to " + state.setTo);
        if (!state.note.isEmpty())
            out += line(state.note);
        if (!state.mark.colour.empty())
            out += line("marked " + qt(state.mark.colour));
        if (!state.mark.note.empty())
            out += line("note: " + qt(state.mark.note));
        if (!state.fault.isEmpty())
            out += "<br><b>" + state.fault.toHtmlEscaped() + "</b>";
        if (it.kind == DiagramBox::Kind::Stub)
            out += line("read in many places; double-click goes to it");
        else if (isScope)
            out += line("double-click opens and closes it");
        return "<p style='white-space:pre-wrap'>" + out + "</p>";
    }
    const int edge =
        isOfSelection ? -1 : m_geometry.edgeAt(camera().toPlane(screen), kReach / camera().scale());
    if (edge < 0)
        return {};
    const DiagramEdge& wire = m_geometry.edge(edge);
    if (!graph.contains(wire.value))
        return {};
    const BoxText& to = picture.texts[static_cast<size_t>(wire.to)];
    QString out = "<b>" + qt(graph.node(wire.value).name).toHtmlEscaped() + "</b> " + QChar(0x2192) + " " +
                  qt(to.title).toHtmlEscaped();
    if (const QString& label = m_states.wireLabel(picture, edge); !label.isEmpty())
        out += line(label);
    if (const QString fault = m_states.wireFault(picture, edge); !fault.isEmpty())
        out += "<br><b>" + fault.toHtmlEscaped() + "</b>";
    return m_debug ? out + line("drag it onto another node to rewire") : out;
}

bool CanvasView::event(QEvent* event) {
    // Escape is the canvas's own while there is something to leave; the window's keys may mean more by it.
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape &&
        (m_gesture || m_selection.part() || m_selection.matches().isLit())) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), m_gesture ? QString() : toolTipAt(help->pos()), this);
        return true;
    }
    if (event->type() == QEvent::KeyPress &&
        isSignalConnected(QMetaMethod::fromSignal(&CanvasView::paletteWanted)))
        if (const auto* key = static_cast<QKeyEvent*>(event);
            key->key() == Qt::Key_Tab && key->modifiers() == Qt::NoModifier) {
            Q_EMIT paletteWanted();
            return true;
        }
    return QWidget::event(event);
}

} // namespace fx::ui
