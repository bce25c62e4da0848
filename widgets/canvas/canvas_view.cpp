// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_view.h"

#include "widgets/canvas/colour_legend.h"
#include "widgets/canvas/tools/band_tool.h"
#include "widgets/canvas/tools/connect_tool.h"
#include "widgets/canvas/tools/pan_tool.h"
#include "widgets/canvas/tools/wire_tool.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/selection.h"
#include "widgets/session/sizes_service.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

namespace fx::ui {

namespace {

constexpr int kPassTime = 120; ///< milliseconds
/// Beyond this many boxes a transition would only stutter.
constexpr size_t kMostPassing = 1500;

} // namespace

CanvasView::CanvasView(GraphDocument& document, Selection& selection, LayoutService& layout,
                       DebugService* debug, const Theme& theme, QWidget* parent)
    : QWidget(parent), m_document(document), m_selection(selection), m_layout(layout), m_debug(debug),
      m_theme(theme), m_states(document, selection, debug),
      m_look(*this, m_geometry, m_states, selection, layout, theme) {
    setObjectName("canvas");
    setAccessibleName("Graph");
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(200, 120);
    m_tools.push_back(std::make_unique<BandTool>());
    if (debug) {
        m_tools.push_back(std::make_unique<ConnectTool>());
        m_tools.push_back(std::make_unique<WireTool>());
    }
    m_tools.push_back(std::make_unique<PanTool>());
    m_passing.setParent(this);
    m_passing.setStartValue(0.0);
    m_passing.setEndValue(1.0);
    m_passing.setDuration(kPassTime);
    m_passing.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_look, &CanvasCamera::changed, this, [this] {
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
        m_look.showSelection();
        setAccessibleDescription(toolTipAt(QPointF(-1, -1)));
    });
    const auto news = [this] { showNews(); };
    connect(&selection.matches(), &Matches::changed, this, news);
    connect(&selection, &Selection::partChanged, &m_look, &CanvasCamera::followPart);
    connect(&document, &GraphDocument::changed, this, news);
    if (debug)
        followRun();
    connect(&theme, &Theme::changed, this, news);
    if (layout.picture())
        takePicture();
}

CanvasView::~CanvasView() = default;

void CanvasView::followRun() {
    const auto news = [this] { showNews(); };
    connect(m_debug, &DebugService::recordsChanged, this, news);
    connect(&m_debug->breakpoints(), &Breakpoints::changed, this, news);
    connect(m_debug, &DebugService::stateChanged, this, [this] {
        showNews();
        if (const NodeRef at = m_debug->run().state().at(); at.node && at.module == m_selection.graph())
            m_look.ensureVisible(at.node);
    });
}

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
    m_look.stop(true); // the rest of the way would be through the old picture
    if (m_gesture && !m_gesture->outlivesPicture())
        endGesture();
    m_geometry = CanvasGeometry(m_layout.picture());
    m_states.forget();
    m_hover = {};
    const bool maySetOut = m_look.takePicture(old);
    if (maySetOut && m_theme.isAnimated() && m_geometry.picture()->diagram.boxes.size() <= kMostPassing &&
        isVisible()) {
        m_geometry.passFrom(old);
        m_geometry.setTransition(0);
        m_passing.start();
    }
    Q_EMIT cameraChanged();
    update();
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
    diagram.paint(painter, camera(), QRectF(event->rect()));
    painter.setRenderHint(QPainter::Antialiasing);
    paintLegend(painter, m_states.groups(*m_geometry.picture()), m_theme.textFont(), size(), tokens());
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(tokens().selection, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (const std::optional<QPointF> handle = m_gesture || !m_debug ? std::nullopt : hoveredHandle()) {
        painter.setPen(QPen(tokens().wireSelected, 2));
        painter.setBrush(tokens().panel);
        painter.drawEllipse(*handle, 4, 4);
    }
    if (m_gesture)
        m_gesture->paint(*this, painter);
}

/// By which a wire can be drawn away, or a new one begun.
std::optional<QPointF> CanvasView::hoveredHandle() const {
    if (m_hover.edge < 0)
        return ConnectTool::handleOf(*this, m_hover.box);
    const Point& end = m_geometry.edge(m_hover.edge).path.front();
    return camera().toScreen(QPointF(end.x, end.y));
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

int CanvasView::visibleNodeCount() const {
    int count = 0;
    if (!m_geometry.isEmpty()) {
        const QRectF seen = camera().toPlane(QRectF(rect()));
        for (int box : m_geometry.boxesIn(seen))
            count +=
                m_geometry.box(box).kind == DiagramBox::Kind::Node && m_geometry.rect(box).intersects(seen);
    }
    return count;
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_look.coversMoved();
    Q_EMIT cameraChanged();
}

void CanvasView::setEdgeLabels(bool shows) {
    m_showsEdgeLabels = shows;
    update();
}

void CanvasView::setDifferences(NodeDifferences differences) {
    m_states.setDifferences(std::move(differences));
    update();
}

void CanvasView::setChanges(NodeChanges changes) {
    m_states.setChanges(std::move(changes));
    update();
}

void CanvasView::showSizes(const SizesService& sizes) {
    m_states.setSizes(sizes);
    connect(&sizes, &SizesService::changed, this, &CanvasView::showNews);
}

void CanvasView::setCosts(NodeFigures costs) {
    m_states.setCosts(std::move(costs));
    update();
}

void CanvasView::colourBy(Colouring colouring) {
    m_states.colourBy(colouring);
    update();
}

} // namespace fx::ui
