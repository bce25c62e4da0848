// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_view.h"

#include "core/console/source_frames.h"
#include "core/layout/box_text.h"
#include "widgets/canvas/tools/band_tool.h"
#include "widgets/canvas/tools/pan_tool.h"
#include "widgets/canvas/tools/wire_tool.h"
#include "widgets/canvas/walk.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QToolTip>

#include <cmath>

namespace fx {

namespace {

/// A first view smaller than this shows the beginning instead of the whole.
constexpr double kReadable = 0.55, kFirstScale = 1;
constexpr double kMargin = 36;
constexpr int kEase = 120; ///< milliseconds
/// Beyond this many boxes a transition would only stutter.
constexpr size_t kMostPassing = 1500;

} // namespace

CanvasView::CanvasView(GraphDocument& document, Selection& selection, LayoutService& layout,
                       DebugService& debug, const Theme& theme, QWidget* parent)
    : QWidget(parent), m_document(document), m_selection(selection), m_layout(layout), m_debug(debug),
      m_theme(theme), m_states(document, selection, debug) {
    setObjectName("canvas");
    setAccessibleName("Graph");
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(200, 120);
    m_tools.push_back(std::make_unique<BandTool>());
    m_tools.push_back(std::make_unique<WireTool>());
    m_tools.push_back(std::make_unique<PanTool>());
    for (QVariantAnimation* animation : {&m_cameraMove, &m_passing}) {
        animation->setStartValue(0.0);
        animation->setEndValue(1.0);
        animation->setDuration(kEase);
        animation->setEasingCurve(QEasingCurve::OutCubic);
    }
    connect(&m_cameraMove, &QVariantAnimation::valueChanged, this, [this](const QVariant& t) {
        m_camera = Camera::between(m_moveFrom, m_moveTo, t.toDouble());
        Q_EMIT cameraChanged();
        update();
    });
    connect(&m_passing, &QVariantAnimation::valueChanged, this, [this](const QVariant& t) {
        m_geometry.setTransition(t.toDouble());
        update();
    });
    connect(&layout, &LayoutService::layoutReady, this, &CanvasView::takePicture);
    connect(&selection, &Selection::changed, this, [this] {
        showNews();
        showSelection();
        setAccessibleDescription(toolTipAt(QPointF(-1, -1)));
    });
    const auto news = [this] { showNews(); };
    connect(&document, &GraphDocument::changed, this, news);
    connect(&debug, &DebugService::recordsChanged, this, news);
    connect(&debug, &DebugService::breakpointsChanged, this, news);
    connect(&debug, &DebugService::stateChanged, this, [this] {
        showNews();
        if (const NodeRef at = m_debug.currentNode(); at.node && at.module == m_selection.graph())
            ensureVisible(at.node);
    });
    connect(&theme, &Theme::changed, this, news);
    if (layout.picture())
        takePicture();
}

CanvasView::~CanvasView() = default;

const Tokens& CanvasView::tokens() const {
    return m_theme.tokens();
}

void CanvasView::showNews() {
    m_states.forget();
    update();
}

// --- Pictures

void CanvasView::takePicture() {
    CanvasGeometry old = std::move(m_geometry);
    m_passing.stop();
    if (m_cameraMove.state() == QAbstractAnimation::Running) {
        // The rest of the way would be through the old picture.
        m_cameraMove.stop();
        m_camera = m_moveTo;
    }
    m_geometry = CanvasGeometry(m_layout.picture());
    m_states.forget();
    m_hover = {};
    const Picture& now = *m_geometry.picture();
    const bool isSameGraph = old.picture() && old.picture()->module == now.module;
    if (!isSameGraph) {
        frame(Framing::First);
    } else if (m_framing != Framing::ByHand) {
        frame(m_framing);
    } else {
        keepInPlace(old, now.anchor);
    }
    // Before the boxes set out, while they are known by where they will be.
    if (std::exchange(m_isAwaiting, false))
        showSelection();
    if (isSameGraph && m_framing == Framing::ByHand && m_theme.isAnimated() &&
        now.diagram.boxes.size() <= kMostPassing && isVisible()) {
        m_geometry.passFrom(old);
        m_geometry.setTransition(0);
        m_passing.start();
    }
    Q_EMIT cameraChanged();
    update();
}

void CanvasView::keepInPlace(const CanvasGeometry& old, const QString& anchor) {
    int box = old.scopeBox(anchor);
    if (box < 0) {
        // Else the selected box if it is seen, else the one that is nearest to the middle.
        const QPointF middle = m_camera.toPlane(QRectF(rect()).center());
        const int selected = old.picture()->diagram.boxOf(m_selection.currentNode());
        const QRectF seen = m_camera.toPlane(QRectF(rect()));
        if (selected >= 0 && old.rect(selected).intersects(seen)) {
            box = selected;
        } else {
            double nearest = HUGE_VAL;
            for (int candidate : old.boxesIn(seen)) {
                const QPointF way = old.rect(candidate).center() - middle;
                const double away = std::hypot(way.x(), way.y());
                if (away < nearest && m_geometry.counterpart(old, candidate) >= 0) {
                    nearest = away;
                    box = candidate;
                }
            }
        }
    }
    const int now = box < 0 ? -1 : m_geometry.counterpart(old, box);
    if (now < 0)
        return;
    const QRectF was = old.rect(box), is = m_geometry.rect(now);
    // A scope's title stays, whatever becomes of its width.
    m_camera.pan((was.topLeft() - is.topLeft()) * m_camera.scale());
}

void CanvasView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.fillRect(event->rect(), tokens().canvas);
    if (m_geometry.isEmpty()) {
        painter.setPen(tokens().dim);
        painter.drawText(rect(), Qt::AlignCenter,
                         m_geometry.picture() ? "This graph has no nodes." : "Laying out the graph…");
        return;
    }
    DiagramPainter diagram(m_geometry, m_states, tokens(), m_theme.textFont(), m_theme.fixedFont());
    diagram.setHover(m_hover);
    diagram.setEdgeLabels(m_showsEdgeLabels);
    diagram.paint(painter, m_camera, QRectF(event->rect()));
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(tokens().selection, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (m_hover.edge >= 0 && !m_gesture) {
        // The handle by which a wire can be drawn away.
        const Point& end = m_geometry.edge(m_hover.edge).path.front();
        painter.setPen(QPen(tokens().wireSelected, 2));
        painter.setBrush(tokens().panel);
        painter.drawEllipse(m_camera.toScreen(QPointF(end.x, end.y)), 4, 4);
    }
    if (m_gesture)
        m_gesture->paint(*this, painter);
}

void CanvasView::paintNote(QPainter& painter, QPointF at, const QString& text, bool isFault) const {
    const QFontMetricsF metrics(m_theme.textFont());
    QRectF box(at, QSizeF(metrics.horizontalAdvance(text) + 16, metrics.height() + 8));
    box.moveRight(std::min(box.right(), width() - 4.0));
    box.moveBottom(std::min(box.bottom(), height() - 4.0));
    painter.setPen(QPen(isFault ? tokens().fault : tokens().line, 1));
    painter.setBrush(isFault ? tokens().faultBack : tokens().panel);
    painter.drawRoundedRect(box, 6, 6);
    painter.setFont(m_theme.textFont());
    painter.setPen(isFault ? tokens().fault : tokens().text);
    painter.drawText(box, Qt::AlignCenter, text);
}

void CanvasView::paintAll(QPainter& painter, bool isDark) {
    DiagramPainter diagram(m_geometry, m_states, isDark ? darkTokens() : lightTokens(), m_theme.textFont(),
                           m_theme.fixedFont());
    diagram.setEdgeLabels(m_showsEdgeLabels);
    diagram.paint(painter, Camera(), m_geometry.bounds().adjusted(-100, -100, 100, 100));
}

// --- Camera

QRectF CanvasView::freeArea() const {
    return QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
}

void CanvasView::fit() {
    frame(Framing::Whole);
}

void CanvasView::frame(Framing framing) {
    m_framing = framing;
    if (m_geometry.isEmpty())
        return;
    Camera camera;
    camera.fit(m_geometry.bounds(), freeArea(), 1);
    // At first, the beginning of a large graph says more than a grey thread.
    if (framing == Framing::First && camera.scale() < kReadable) {
        camera = Camera();
        camera.zoomAt({}, kFirstScale);
        const std::vector<Opcode>& opcodes = m_geometry.picture()->opcodes;
        const auto input = std::find(opcodes.begin(), opcodes.end(), Opcode::Placeholder);
        const int first = input == opcodes.end() ? 0 : static_cast<int>(input - opcodes.begin());
        const QRectF start = m_geometry.rect(first);
        camera.pan(QPointF(width() / 2.0, kMargin) - camera.toScreen(QPointF(start.center().x(), start.top())));
    }
    m_camera = camera;
    Q_EMIT cameraChanged();
    update();
}

void CanvasView::setCamera(const Camera& camera) {
    m_cameraMove.stop();
    m_framing = Framing::ByHand;
    m_camera = camera;
    Q_EMIT cameraChanged();
    update();
}

void CanvasView::moveCameraTo(const Camera& camera) {
    m_framing = Framing::ByHand;
    m_cameraMove.stop();
    if (!m_theme.isAnimated() || !isVisible()) {
        setCamera(camera);
        return;
    }
    m_moveFrom = m_camera;
    m_moveTo = camera;
    m_cameraMove.start();
}

void CanvasView::zoomBy(double factor) {
    setZoom(m_camera.scale() * factor);
}

void CanvasView::setZoom(double scale) {
    Camera camera = m_camera;
    camera.zoomAt(QRectF(rect()).center(), scale / camera.scale());
    moveCameraTo(camera);
}

void CanvasView::panBy(QPointF screenDelta) {
    Camera camera = m_camera;
    camera.pan(screenDelta);
    setCamera(camera);
}

void CanvasView::centerOn(QPointF point) {
    panBy(QRectF(rect()).center() - m_camera.toScreen(point));
}

void CanvasView::showSelection() {
    if (!m_selection.currentNode() && m_selection.scope().isEmpty())
        return;
    const bool isShown = !m_geometry.isEmpty() && m_geometry.picture()->module == m_selection.graph();
    const int box = isShown ? selectedBox() : -1;
    // A scope around it may just have been opened: the next picture shows it.
    m_isAwaiting = box < 0 || (m_selection.currentNode() &&
                               m_geometry.box(box).kind == DiagramBox::Kind::CollapsedScope &&
                               m_selection.isRevealed(m_selection.currentNode()));
    if (box >= 0)
        ensureBoxVisible(box);
}

void CanvasView::ensureVisible(NodeId node) {
    if (const int box = m_geometry.isEmpty() ? -1 : m_geometry.picture()->diagram.boxOf(node); box >= 0)
        ensureBoxVisible(box);
}

void CanvasView::ensureBoxVisible(int box) {
    const bool isField = m_geometry.box(box).kind == DiagramBox::Kind::ExpandedScope;
    const QRectF place = isField ? m_geometry.titleRect(box) : m_geometry.rect(box);
    const QRectF target = m_camera.toScreen(place), area = freeArea();
    if (area.contains(target) || (target.width() > area.width() && area.intersects(target)))
        return;
    Camera camera = m_cameraMove.state() == QAbstractAnimation::Running ? m_moveTo : m_camera;
    if (camera.scale() < 0.25)
        camera.zoomAt(area.center(), kFirstScale / camera.scale());
    const QRectF there = camera.toScreen(place);
    // Just out of sight: as little as needed. Far away: to the middle.
    const QRectF near = area.adjusted(-area.width(), -area.height(), area.width(), area.height());
    QPointF delta = area.center() - there.center();
    if (near.contains(there.center()))
        delta = {there.left() < area.left()     ? area.left() - there.left()
                 : there.right() > area.right() ? area.right() - there.right()
                                                : 0,
                 there.top() < area.top()         ? area.top() - there.top()
                 : there.bottom() > area.bottom() ? area.bottom() - there.bottom()
                                                  : 0};
    camera.pan(delta);
    moveCameraTo(camera);
}

void CanvasView::zoomToScope(const QString& path) {
    const int box = m_geometry.scopeBox(path);
    if (box < 0)
        return;
    Camera camera;
    camera.fit(m_geometry.rect(box), freeArea(), 1);
    moveCameraTo(camera);
}

int CanvasView::visibleNodeCount() const {
    int count = 0;
    if (!m_geometry.isEmpty()) {
        const QRectF seen = m_camera.toPlane(QRectF(rect()));
        for (int box : m_geometry.boxesIn(seen))
            count +=
                m_geometry.box(box).kind == DiagramBox::Kind::Node && m_geometry.rect(box).intersects(seen);
    }
    return count;
}

void CanvasView::setEdgeLabels(bool shows) {
    m_showsEdgeLabels = shows;
    update();
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (m_framing != Framing::ByHand)
        frame(m_framing);
    Q_EMIT cameraChanged();
}

// --- Mouse

void CanvasView::updateHover(QPointF screen) {
    Hover hover;
    if (!m_geometry.isEmpty() && rect().contains(screen.toPoint())) {
        const QPointF point = m_camera.toPlane(screen);
        hover.box = m_geometry.boxAt(point);
        if (hover.box < 0)
            hover.edge = m_geometry.edgeAt(point, kReach / m_camera.scale());
        else if (m_geometry.box(hover.box).kind == DiagramBox::Kind::Stub)
            hover.value = m_geometry.box(hover.box).node;
    }
    if (hover.box == m_hover.box && hover.edge == m_hover.edge)
        return;
    m_hover = hover;
    setCursor(hover.edge >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    if (m_gesture || m_geometry.isEmpty())
        return;
    m_cameraMove.stop();
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

void CanvasView::selectBox(int box, bool extends) {
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
    const int box = m_geometry.boxAt(m_camera.toPlane(screen));
    const Camera before = m_camera;
    const bool extends = modifiers & (Qt::ShiftModifier | Qt::ControlModifier);
    if (box >= 0) {
        const DiagramBox::Kind kind = m_geometry.box(box).kind;
        const QRectF where = m_camera.toScreen(m_geometry.titleRect(box));
        const bool isScope =
            kind == DiagramBox::Kind::CollapsedScope || kind == DiagramBox::Kind::ExpandedScope;
        if (isScope && screen.x() < where.left() + std::max(18.0, 28 * m_camera.scale())) {
            toggleScope(box);
            return;
        }
    }
    selectBox(box, extends);
    // What one has clicked on is in sight already; a stub stays where it is too.
    m_cameraMove.stop();
    m_camera = before;
    m_isAwaiting = false;
    Q_EMIT cameraChanged();
}

void CanvasView::toggleScope(int box) {
    const QString path = m_geometry.picture()->scopePaths[static_cast<size_t>(box)];
    m_framing = Framing::ByHand;
    m_selection.setExpanded(utf8(path), m_geometry.box(box).kind == DiagramBox::Kind::CollapsedScope);
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    const int box = m_geometry.isEmpty() ? -1 : m_geometry.boxAt(m_camera.toPlane(event->position()));
    if (box < 0 || event->button() != Qt::LeftButton)
        return;
    const DiagramBox& it = m_geometry.box(box);
    if (it.kind == DiagramBox::Kind::Stub)
        ensureVisible(it.node);
    else if (it.kind == DiagramBox::Kind::Node)
        Q_EMIT graphWanted({m_geometry.picture()->module, it.node});
    else
        toggleScope(box);
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    const bool isTouchpad = !event->pixelDelta().isNull() && !(event->modifiers() & Qt::ControlModifier);
    if (isTouchpad) {
        panBy(event->pixelDelta());
    } else if (event->modifiers() & Qt::ShiftModifier) {
        const int delta = event->angleDelta().y() ? event->angleDelta().y() : event->angleDelta().x();
        panBy(QPointF(delta / 2.0, 0));
    } else if (event->modifiers() & Qt::AltModifier) {
        panBy(QPointF(0, event->angleDelta().x() / 2.0));
    } else {
        Camera camera = m_camera;
        camera.zoomAt(event->position(), std::pow(1.0015, event->angleDelta().y()));
        setCamera(camera);
    }
    event->accept();
}

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
    if (m_geometry.isEmpty())
        return;
    QPoint at = event->globalPos();
    if (event->reason() == QContextMenuEvent::Mouse) {
        const int box = m_geometry.boxAt(m_camera.toPlane(event->pos()));
        const bool isKept = box >= 0 && m_geometry.box(box).kind == DiagramBox::Kind::Node &&
                            m_selection.isSelected(m_geometry.box(box).node);
        if (!isKept)
            click(event->pos(), Qt::NoModifier);
    } else if (const int box = selectedBox(); box >= 0) {
        at = mapToGlobal(m_camera.toScreen(m_geometry.rect(box)).center().toPoint());
    }
    Q_EMIT contextMenuWanted(at);
}

// --- Keyboard

int CanvasView::selectedBox() const {
    if (m_geometry.isEmpty())
        return -1;
    // A scope inside a collapsed one is seen as that.
    for (QString path = m_selection.scope(); !path.isEmpty(); path = path.section('.', 0, -2))
        if (const int box = m_geometry.scopeBox(path); box >= 0)
            return box;
    return m_selection.currentNode() ? m_geometry.picture()->diagram.boxOf(m_selection.currentNode()) : -1;
}

void CanvasView::walk(int key) {
    const WalkDirection direction = key == Qt::Key_Up     ? WalkDirection::Up
                                    : key == Qt::Key_Down ? WalkDirection::Down
                                    : key == Qt::Key_Left ? WalkDirection::Left
                                                          : WalkDirection::Right;
    int from = selectedBox();
    if (from < 0) {
        // Begin at the first node that is seen.
        for (int box : m_geometry.boxesIn(m_camera.toPlane(QRectF(rect()))))
            if (m_geometry.box(box).kind != DiagramBox::Kind::ExpandedScope &&
                (from < 0 || m_geometry.rect(box).top() < m_geometry.rect(from).top()))
                from = box;
        selectBox(from, false);
        return;
    }
    const int to = fx::walk(m_geometry, from, direction);
    if (to < 0)
        return;
    selectBox(to, false);
    if (m_geometry.box(to).kind == DiagramBox::Kind::CollapsedScope) {
        const QRectF where = m_camera.toScreen(m_geometry.rect(to));
        if (!freeArea().contains(where))
            centerOn(m_geometry.rect(to).center());
    }
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (!m_geometry.isEmpty())
            walk(event->key());
        return;
    case Qt::Key_Escape:
        if (m_gesture)
            endGesture();
        else
            m_selection.clear();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (const int box = selectedBox(); box >= 0) {
            if (m_geometry.box(box).kind != DiagramBox::Kind::Node)
                toggleScope(box);
            else
                Q_EMIT graphWanted(m_selection.current());
        }
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(1.25);
        return;
    case Qt::Key_Minus:
        zoomBy(0.8);
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
    const int box = isOfSelection ? selectedBox() : m_geometry.boxAt(m_camera.toPlane(screen));
    if (box >= 0) {
        const DiagramBox& it = m_geometry.box(box);
        const BoxText& text = picture.texts[static_cast<size_t>(box)];
        const BoxState& state = m_states.of(picture, box);
        const bool isScope = !picture.scopePaths[static_cast<size_t>(box)].isEmpty();
        QString out =
            "<b>" +
            (isScope ? picture.scopePaths[static_cast<size_t>(box)] : qt(text.title)).toHtmlEscaped() +
            "</b>";
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
        if (!state.fault.isEmpty())
            out += "<br><b>" + state.fault.toHtmlEscaped() + "</b>";
        if (it.kind == DiagramBox::Kind::Stub)
            out += line("read in many places; double-click goes to it");
        else if (isScope)
            out += line("double-click opens and closes it");
        return "<p style='white-space:pre-wrap'>" + out + "</p>";
    }
    const int edge =
        isOfSelection ? -1 : m_geometry.edgeAt(m_camera.toPlane(screen), kReach / m_camera.scale());
    if (edge < 0)
        return {};
    const DiagramEdge& wire = m_geometry.edge(edge);
    if (!graph.contains(wire.value))
        return {};
    const BoxText& to = picture.texts[static_cast<size_t>(wire.to)];
    QString out = "<b>" + qt(graph.node(wire.value).name).toHtmlEscaped() + "</b> " + QChar(0x2192) + " " +
                  qt(to.title).toHtmlEscaped();
    if (const QString& label = picture.edgeLabels[static_cast<size_t>(edge)]; !label.isEmpty())
        out += line(label);
    return out + line("drag it onto another node to rewire");
}

bool CanvasView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), m_gesture ? QString() : toolTipAt(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace fx
