// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_camera.h"

#include "widgets/canvas/clear_view.h"
#include "widgets/canvas/colour_legend.h"
#include "widgets/session/layout_service.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QWidget>

#include <algorithm>
#include <cmath>

namespace fx::ui {

namespace {

/// The line that says which part of the graph is shown.
constexpr double kPartBar = 28;
/// At kReadable all texts of boxes can be read. A first view of the whole below kFirstLeast, where names
/// hardly can, would say less than the beginning.
constexpr double kReadable = 0.72, kFirstLeast = 0.3, kFirstScale = 1;
constexpr int kEase = 120;                         ///< milliseconds
constexpr double kGap = 8;                         ///< to what floats over the picture
constexpr double kMargin = 36, kMarginPart = 0.06; ///< pixels, and of the height where that is less

/// How far to move a rectangle so that it is in the area; of one that is larger, its left and top are.
QPointF wayInto(const QRectF& area, const QRectF& rect) {
    return {rect.left() < area.left()     ? area.left() - rect.left()
            : rect.right() > area.right() ? area.right() - rect.right()
                                          : 0,
            rect.top() < area.top()         ? area.top() - rect.top()
            : rect.bottom() > area.bottom() ? area.bottom() - rect.bottom()
                                            : 0};
}

} // namespace

CanvasCamera::CanvasCamera(QWidget& canvas, const CanvasGeometry& geometry, const BoxStates& states,
                           Selection& selection, LayoutService& layout, const Theme& theme)
    : m_canvas(canvas), m_geometry(geometry), m_states(states), m_selection(selection), m_layout(layout),
      m_theme(theme) {
    m_move.setParent(&canvas);
    m_move.setStartValue(0.0);
    m_move.setEndValue(1.0);
    m_move.setDuration(kEase);
    m_move.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_move, &QVariantAnimation::valueChanged, this, [this](const QVariant& t) {
        m_camera = Camera::between(m_moveFrom, m_moveTo, t.toDouble());
        Q_EMIT changed();
    });
}

QRectF CanvasCamera::all() const {
    return QRectF(m_canvas.rect());
}

void CanvasCamera::stop(bool arrives) {
    if (arrives && m_move.state() == QAbstractAnimation::Running)
        m_camera = m_moveTo;
    m_move.stop();
}

void CanvasCamera::stayAt(const Camera& camera) {
    m_move.stop();
    m_camera = camera;
    m_isAwaiting = false;
    Q_EMIT changed();
}

bool CanvasCamera::takePicture(const CanvasGeometry& old) {
    const Picture& now = *m_geometry.picture();
    // What sets out from an old place would be out of sight.
    const bool isElsewhere = m_isNewPart || m_awaited;
    const bool isSameGraph = old.picture() && old.picture()->module == now.module;
    if (!isSameGraph) {
        frame(Framing::First);
    } else if (m_isNewPart) {
        m_framing = Framing::ByHand;
        if (const Camera whole = fitted(m_geometry.bounds()); whole.scale() < kReadable)
            keepInPlace(old, {});
        else
            m_camera = whole;
    } else if (m_framing != Framing::ByHand &&
               (now.anchor.isEmpty() || fitted(m_geometry.bounds()).scale() >= kFirstLeast)) {
        frame(m_framing);
    } else {
        m_framing = Framing::ByHand;
        keepInPlace(old, now.anchor);
    }
    if (m_awaited)
        m_camera = cameraFor(*m_awaited);
    // Before the boxes set out, while they are known by where they will be.
    if (std::exchange(m_isAwaiting, false))
        showSelection();
    if (now.diagram.isFinal) {
        m_awaited.reset();
        m_isNewPart = false;
    }
    return isSameGraph && !isElsewhere && m_framing == Framing::ByHand;
}

int CanvasCamera::selectedBox() const {
    if (m_geometry.isEmpty())
        return -1;
    // A scope inside a collapsed one is seen as that.
    const ScopeTree& scopes = m_selection.scopes();
    QString path = m_selection.scope(); // of a module list or of a layer that is one call, what is around it
    while (!path.isEmpty() && scopes.find(utf8(path)) <= 0)
        path = path.section('.', 0, -2);
    const auto isShown = [&](const Scope& scope) { return m_geometry.scopeBox(wholeQt(scope.path)) >= 0; };
    if (const int shown = scopes.around(path.isEmpty() ? 0 : scopes.find(utf8(path)), isShown); shown > 0)
        return m_geometry.scopeBox(wholeQt(scopes.scope(shown).path));
    return m_selection.currentNode() ? m_geometry.picture()->diagram.boxOf(m_selection.currentNode()) : -1;
}

QRectF CanvasCamera::freeArea() const {
    const double margin = std::min(kMargin, kMarginPart * m_canvas.height());
    const double above = m_selection.part() ? margin + kPartBar : margin;
    return all().adjusted(margin, above, -margin, -margin);
}

std::vector<QRectF> CanvasCamera::covers() const {
    std::vector<QRectF> out;
    for (const QWidget* each : m_canvas.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (each->isVisible())
            out.emplace_back(each->geometry());
    if (m_geometry.picture())
        if (const QRectF legend =
                legendPlace(m_states.groups(*m_geometry.picture()), m_theme.textFont(), m_canvas.size());
            !legend.isEmpty())
            out.push_back(legend);
    return out;
}

Camera CanvasCamera::fitted(const QRectF& bounds) const {
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

void CanvasCamera::coversMoved() {
    if (m_framing != Framing::ByHand)
        frame(m_framing);
}

void CanvasCamera::fit() {
    Q_EMIT jumped();
    frame(Framing::Whole);
}

void CanvasCamera::frame(Framing framing) {
    m_framing = framing;
    if (m_geometry.isEmpty())
        return;
    Camera camera = fitted(m_geometry.bounds());
    // At first, the beginning of a large graph says more than a grey thread.
    if (framing == Framing::First && camera.scale() < kFirstLeast) {
        camera = Camera();
        camera.zoomAt({}, kFirstScale);
        const std::vector<Opcode>& opcodes = m_geometry.picture()->opcodes;
        QRectF start = m_geometry.rect(0);
        // The highest input, as one may come in far below; without any, the highest box.
        bool isInput = false;
        for (int box = 0; box < static_cast<int>(opcodes.size()); ++box) {
            if (m_geometry.box(box).kind == DiagramBox::Kind::ExpandedScope)
                continue;
            const QRectF place = m_geometry.rect(box);
            const bool isInputToo = opcodes[static_cast<size_t>(box)] == Opcode::Placeholder;
            if (isInputToo == isInput ? place.top() < start.top() : isInputToo) {
                start = place;
                isInput = isInputToo;
            }
        }
        camera.pan(QPointF(m_canvas.width() / 2.0, kMargin) -
                   camera.toScreen(QPointF(start.center().x(), start.top())));
    }
    m_camera = camera;
    Q_EMIT changed();
}

void CanvasCamera::set(const Camera& camera) {
    m_move.stop();
    m_framing = Framing::ByHand;
    m_camera = camera;
    Q_EMIT changed();
}

void CanvasCamera::moveTo(const Camera& camera) {
    m_framing = Framing::ByHand;
    m_move.stop();
    if (!m_theme.isAnimated() || !m_canvas.isVisible()) {
        set(camera);
        return;
    }
    m_moveFrom = m_camera;
    m_moveTo = camera;
    m_move.start();
}

void CanvasCamera::zoomBy(double factor) {
    setZoom(m_camera.scale() * factor);
}

void CanvasCamera::setZoom(double scale) {
    Camera camera = m_camera;
    camera.zoomAt(all().center(), scale / camera.scale());
    moveTo(camera);
}

void CanvasCamera::panBy(QPointF screenDelta) {
    Camera camera = m_camera;
    camera.pan(screenDelta);
    set(camera);
}

void CanvasCamera::jumpTo(QPointF point) {
    Q_EMIT jumped();
    centerOn(point);
}

void CanvasCamera::centerOn(QPointF point) {
    panBy(all().center() - m_camera.toScreen(point));
}

void CanvasCamera::showSelection() {
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

void CanvasCamera::ensureVisible(NodeId node) {
    if (const int box = m_geometry.isEmpty() ? -1 : m_geometry.picture()->diagram.boxOf(node); box >= 0)
        ensureBoxVisible(box);
}

void CanvasCamera::ensureBoxVisible(int box) {
    const bool isField = m_geometry.box(box).kind == DiagramBox::Kind::ExpandedScope;
    const QRectF place = isField ? m_geometry.titleRect(box) : m_geometry.rect(box);
    const QRectF target = m_camera.toScreen(place), area = freeArea();
    if (std::exchange(m_isSought, false) && m_camera.scale() < kReadable) {
        Camera near;
        near.zoomAt({}, kFirstScale);
        near.pan(area.center() - near.toScreen(place).center());
        moveTo(near);
        return;
    }
    const std::vector<QRectF> covers = this->covers();
    if ((area.contains(target) || (target.width() > area.width() && area.intersects(target))) &&
        clearance(target, covers, area).isNull())
        return;
    Camera camera = m_move.state() == QAbstractAnimation::Running ? m_moveTo : m_camera;
    if (camera.scale() < 0.25)
        camera.zoomAt(area.center(), kFirstScale / camera.scale());
    const QRectF there = camera.toScreen(place);
    // Just out of sight: as little as needed. Far away: to the middle.
    const QRectF near = area.adjusted(-area.width(), -area.height(), area.width(), area.height());
    const bool isNear = near.contains(there.center());
    const QPointF delta = isNear ? wayInto(area, there) : area.center() - there.center();
    camera.pan(delta + clearance(there.translated(delta), covers, area));
    moveTo(camera);
}

void CanvasCamera::zoomToScope(const QString& path) {
    const int box = m_geometry.scopeBox(path);
    if (box < 0)
        return;
    Q_EMIT jumped();
    moveTo(fitted(m_geometry.rect(box)));
}

void CanvasCamera::showWholeSelection() {
    QRectF all;
    if (const int box = selectedBox(); box >= 0)
        all = m_geometry.rect(box);
    for (const NodeId node : m_selection.nodes())
        if (const int box = m_geometry.isEmpty() ? -1 : m_geometry.picture()->diagram.boxOf(node); box >= 0)
            all |= m_geometry.rect(box);
    if (all.isEmpty())
        return;
    Q_EMIT jumped();
    moveTo(fitted(all));
}

// --- Holding on to a box

int CanvasCamera::boxToHold(const CanvasGeometry& of, const std::function<bool(int)>& isFit) const {
    const QPointF middle = m_camera.toPlane(all().center());
    const QRectF seen = m_camera.toPlane(all());
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

void CanvasCamera::keepInPlace(const CanvasGeometry& old, const QString& anchor) {
    int box = old.scopeBox(anchor);
    if (box < 0)
        box = boxToHold(old, [&](int each) { return m_geometry.counterpart(old, each) >= 0; });
    const int now = box < 0 ? -1 : m_geometry.counterpart(old, box);
    if (now < 0)
        return;
    const QRectF was = old.rect(box), is = m_geometry.rect(now);
    // A scope's title stays, whatever becomes of its width.
    m_camera.pan((was.topLeft() - is.topLeft()) * m_camera.scale());
    const int opened = m_geometry.scopeBox(anchor);
    if (opened < 0 || m_geometry.box(opened).kind != DiagramBox::Kind::ExpandedScope)
        return;
    const QRectF area = freeArea(), field = m_camera.toScreen(m_geometry.rect(opened));
    if (field.width() <= area.width() && field.height() <= area.height())
        m_camera.pan(wayInto(area, field));
    else if (const Camera whole = fitted(m_geometry.rect(opened)); whole.scale() >= kFirstLeast)
        m_camera = whole; // else its beginning says more
    for (const int inside : m_geometry.boxesIn(m_geometry.rect(opened)))
        if (m_geometry.box(inside).kind != DiagramBox::Kind::ExpandedScope &&
            m_states.of(*m_geometry.picture(), inside).isCurrent)
            ensureBoxVisible(inside);
}

Sight CanvasCamera::sight(const std::function<bool(const Sight&)>& isFit) const {
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

int CanvasCamera::boxOf(const Sight& sight) const {
    if (m_geometry.isEmpty() || m_geometry.picture()->module != m_selection.graph())
        return -1;
    return sight.node ? m_geometry.picture()->diagram.boxOf(sight.node) : m_geometry.scopeBox(sight.scope);
}

bool CanvasCamera::isSeen(int box) const {
    return box >= 0 && all().intersects(m_camera.toScreen(m_geometry.titleRect(box)));
}

bool CanvasCamera::isInSight(const Sight& sight) const {
    return isSeen(boxOf(sight));
}

bool CanvasCamera::isSelectionSeen() const {
    return isSeen(selectedBox());
}

void CanvasCamera::lookAt(const Sight& sight) {
    m_isAwaiting = false;
    if (m_layout.isWorking())
        m_awaited = sight;
    else
        moveTo(cameraFor(sight));
}

void CanvasCamera::follow(const Sight& sight) {
    Camera camera = cameraFor(sight);
    if (boxOf(sight) < 0)
        camera.zoomAt(all().center(), sight.scale / camera.scale());
    set(camera);
}

Camera CanvasCamera::cameraFor(const Sight& sight) const {
    const int box = boxOf(sight);
    if (box < 0)
        return m_camera;
    Camera camera;
    camera.zoomAt({}, sight.scale);
    camera.pan(sight.corner - camera.toScreen(m_geometry.rect(box).topLeft()));
    return camera;
}

// --- A part of the graph

void CanvasCamera::followPart() {
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

} // namespace fx::ui
