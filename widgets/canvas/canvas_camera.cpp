// SPDX-License-Identifier: GPL-3.0-or-later
// Where the canvas looks: what brings something into sight, and what stays in its place when there is another
// picture.
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/clear_view.h"
#include "widgets/canvas/colour_legend.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"

#include <algorithm>
#include <cmath>

namespace fx {

namespace {

/// The line that says which part of the graph is shown.
constexpr double kPartBar = 28;
/// A first view smaller than this shows the beginning instead of the whole.
constexpr double kReadable = 0.72, kFirstScale = 1;
constexpr double kGap = 8;                         ///< to what floats over the picture
constexpr double kMargin = 36, kMarginPart = 0.06; ///< pixels, and of the height where that is less

} // namespace

QRectF CanvasView::freeArea() const {
    const double margin = std::min(kMargin, kMarginPart * height());
    const double above = m_selection.part() ? margin + kPartBar : margin;
    return QRectF(rect()).adjusted(margin, above, -margin, -margin);
}

std::vector<QRectF> CanvasView::covers() const {
    std::vector<QRectF> out;
    for (const QWidget* each : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (each->isVisible())
            out.emplace_back(each->geometry());
    if (m_geometry.picture())
        if (const QRectF legend =
                legendPlace(m_states.groups(*m_geometry.picture()), m_theme.textFont(), size());
            !legend.isEmpty())
            out.push_back(legend);
    return out;
}

Camera CanvasView::fitted(const QRectF& bounds) const {
    Camera camera;
    camera.fit(bounds, freeArea(), kFirstScale);
    const std::vector<QRectF> covers = this->covers();
    const auto coversSomething = [&](const QRectF& cover) {
        const std::vector<int> boxes = m_geometry.boxesIn(camera.toPlane(cover));
        return std::ranges::any_of(
            boxes, [&](int box) { return m_geometry.box(box).kind != DiagramBox::Kind::ExpandedScope; });
    };
    if (std::ranges::none_of(covers, coversSomething))
        return camera;
    const ClearAreas clear = clearAreas(freeArea(), covers);
    Camera best, beside;
    best.fit(bounds, clear.above, kFirstScale);
    beside.fit(bounds, clear.beside, kFirstScale);
    if (beside.scale() > best.scale())
        best = beside;
    // Above one of them may be enough, where the others are beside what is there.
    for (const QRectF& cover : covers) {
        QRectF area = freeArea();
        if (cover.top() > area.center().y())
            area.setBottom(std::min(area.bottom(), cover.top() - kGap));
        camera.fit(bounds, area, kFirstScale);
        if (camera.scale() > best.scale() && std::ranges::none_of(covers, coversSomething))
            best = camera;
    }
    return best;
}

void CanvasView::coversMoved() {
    if (m_framing != Framing::ByHand)
        frame(m_framing);
}

void CanvasView::fit() {
    Q_EMIT jumped();
    frame(Framing::Whole);
}

void CanvasView::frame(Framing framing) {
    m_framing = framing;
    if (m_geometry.isEmpty())
        return;
    Camera camera = fitted(m_geometry.bounds());
    // At first, the beginning of a large graph says more than a grey thread.
    if (framing == Framing::First && camera.scale() < kReadable) {
        camera = Camera();
        camera.zoomAt({}, kFirstScale);
        const std::vector<Opcode>& opcodes = m_geometry.picture()->opcodes;
        QRectF start = m_geometry.rect(0);
        bool isInput = false; // the highest of them; one may come in far below
        for (int box = 0; box < static_cast<int>(opcodes.size()); ++box)
            if (const QRectF place = m_geometry.rect(box);
                opcodes[static_cast<size_t>(box)] == Opcode::Placeholder &&
                (!isInput || place.top() < start.top())) {
                start = place;
                isInput = true;
            }
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

void CanvasView::jumpTo(QPointF point) {
    Q_EMIT jumped();
    centerOn(point);
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
    const std::vector<QRectF> covers = this->covers();
    if ((area.contains(target) || (target.width() > area.width() && area.intersects(target))) &&
        clearance(target, covers, area).isNull())
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
    camera.pan(delta + clearance(there.translated(delta), covers, area));
    moveCameraTo(camera);
}

void CanvasView::zoomToScope(const QString& path) {
    const int box = m_geometry.scopeBox(path);
    if (box < 0)
        return;
    Q_EMIT jumped();
    fitTo(m_geometry.rect(box));
}

void CanvasView::fitTo(const QRectF& area) {
    moveCameraTo(fitted(area));
}

void CanvasView::showWholeSelection() {
    QRectF all;
    if (const int box = selectedBox(); box >= 0)
        all = m_geometry.rect(box);
    for (const NodeId node : m_selection.nodes())
        if (const int box = m_geometry.isEmpty() ? -1 : m_geometry.picture()->diagram.boxOf(node); box >= 0)
            all |= m_geometry.rect(box);
    if (all.isEmpty())
        return;
    Q_EMIT jumped();
    fitTo(all);
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

void CanvasView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    coversMoved();
    Q_EMIT cameraChanged();
}

// --- Holding on to a box

int CanvasView::boxToHold(const CanvasGeometry& of, const std::function<bool(int)>& isFit) const {
    const QPointF middle = m_camera.toPlane(QRectF(rect()).center());
    const QRectF seen = m_camera.toPlane(QRectF(rect()));
    const int selected = of.picture()->diagram.boxOf(m_selection.currentNode());
    if (selected >= 0 && of.rect(selected).intersects(seen) && isFit(selected))
        return selected;
    int box = -1;
    double nearest = HUGE_VAL;
    for (int candidate : of.boxesIn(seen)) {
        const QPointF way = of.rect(candidate).center() - middle;
        const double away = std::hypot(way.x(), way.y());
        if (away < nearest && isFit(candidate)) {
            nearest = away;
            box = candidate;
        }
    }
    return box;
}

void CanvasView::keepInPlace(const CanvasGeometry& old, const QString& anchor) {
    int box = old.scopeBox(anchor);
    if (box < 0)
        box = boxToHold(old, [&](int each) { return m_geometry.counterpart(old, each) >= 0; });
    const int now = box < 0 ? -1 : m_geometry.counterpart(old, box);
    if (now < 0)
        return;
    const QRectF was = old.rect(box), is = m_geometry.rect(now);
    // A scope's title stays, whatever becomes of its width.
    m_camera.pan((was.topLeft() - is.topLeft()) * m_camera.scale());
}

Sight CanvasView::sight(const std::function<bool(const Sight&)>& isFit) const {
    const auto sightBy = [&](int box) {
        Sight out;
        out.scale = m_camera.scale();
        if (box < 0)
            return out;
        out.node = m_geometry.box(box).node;
        out.scope = m_geometry.picture()->scopePaths[static_cast<size_t>(box)];
        out.corner = m_camera.toScreen(m_geometry.rect(box).topLeft());
        return out;
    };
    if (m_geometry.isEmpty())
        return sightBy(-1);
    return sightBy(boxToHold(m_geometry, [&](int each) {
        return m_geometry.box(each).kind != DiagramBox::Kind::Stub && (!isFit || isFit(sightBy(each)));
    }));
}

int CanvasView::boxOf(const Sight& sight) const {
    if (m_geometry.isEmpty() || m_geometry.picture()->module != m_selection.graph())
        return -1;
    return sight.node ? m_geometry.picture()->diagram.boxOf(sight.node) : m_geometry.scopeBox(sight.scope);
}

bool CanvasView::isSeen(int box) const {
    return box >= 0 && QRectF(rect()).intersects(m_camera.toScreen(m_geometry.titleRect(box)));
}

bool CanvasView::isInSight(const Sight& sight) const {
    return isSeen(boxOf(sight));
}

bool CanvasView::isSelectionSeen() const {
    return isSeen(selectedBox());
}

void CanvasView::lookAt(const Sight& sight) {
    m_isAwaiting = false;
    if (m_layout.isWorking())
        m_awaited = sight;
    else
        moveCameraTo(cameraFor(sight));
}

void CanvasView::follow(const Sight& sight) {
    Camera camera = cameraFor(sight);
    if (!hasBox(sight))
        camera.zoomAt(QRectF(rect()).center(), sight.scale / camera.scale());
    setCamera(camera);
}

Camera CanvasView::cameraFor(const Sight& sight) const {
    const int box = boxOf(sight);
    if (box < 0)
        return m_camera;
    Camera camera;
    camera.zoomAt({}, sight.scale);
    camera.pan(sight.corner - camera.toScreen(m_geometry.rect(box).topLeft()));
    return camera;
}

// --- A part of the graph

void CanvasView::followPart() {
    const bool isWhole = !m_selection.part();
    if (!isWhole && !m_wholeSight)
        m_wholeSight = sight();
    m_isNewPart = !isWhole;
    if (!isWhole || !m_wholeSight)
        return;
    const Sight before = *std::exchange(m_wholeSight, std::nullopt);
    if (m_geometry.picture() && m_geometry.picture()->module == m_selection.graph())
        lookAt(before);
}

void CanvasView::framePart(const CanvasGeometry& old) {
    m_framing = Framing::ByHand;
    const Camera whole = fitted(m_geometry.bounds());
    if (whole.scale() < kReadable)
        keepInPlace(old, {});
    else
        m_camera = whole;
}

} // namespace fx
