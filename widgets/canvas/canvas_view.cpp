// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_view.h"

#include "widgets/canvas/tools/band_tool.h"
#include "widgets/canvas/tools/pan_tool.h"
#include "widgets/canvas/tools/wire_tool.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <cmath>

namespace fx {

namespace {

/// What the controls in the corner may cover of the height.
constexpr double kCorner = 32;
/// A first view smaller than this shows the beginning instead of the whole.
constexpr double kReadable = 0.72, kFirstScale = 1;
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
        animation->setParent(this);
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
    if (m_gesture && !m_gesture->outlivesPicture())
        endGesture();
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
    return QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin - kCorner);
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
        camera.pan(QPointF(width() / 2.0, kMargin) -
                   camera.toScreen(QPointF(start.center().x(), start.top())));
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
    m_isAwaiting =
        box < 0 || (m_layout.isWorking() && !m_selection.scope().isEmpty()) ||
        (m_selection.currentNode() && m_geometry.box(box).kind == DiagramBox::Kind::CollapsedScope &&
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
    if (std::exchange(m_isSought, false) && m_camera.scale() < kReadable) {
        Camera near;
        near.zoomAt({}, kFirstScale);
        near.pan(area.center() - near.toScreen(place).center());
        moveCameraTo(near);
        return;
    }
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

void CanvasView::colourBy(Colouring colouring) {
    m_states.colourBy(colouring);
    update();
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (m_framing != Framing::ByHand)
        frame(m_framing);
    Q_EMIT cameraChanged();
}

} // namespace fx
