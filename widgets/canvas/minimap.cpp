// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/minimap.h"

#include "widgets/canvas/canvas_view.h"
#include "widgets/session/layout_service.h"
#include "widgets/session/matches.h"
#include "widgets/style/theme.h"

namespace fx::ui {

namespace {

constexpr double kLeastFrame = 6; ///< in pixels

} // namespace

Minimap::Minimap(CanvasView& canvas, const LayoutService& layout, const Matches& matches, const Theme& theme)
    : QWidget(&canvas), m_canvas(canvas), m_matches(matches), m_theme(theme) {
    setFixedSize(sizeHint());
    setToolTip("Click to go there");
    setCursor(Qt::ArrowCursor);
    const auto forget = [this] {
        m_boxes = QPixmap();
        update();
    };
    connect(&layout, &LayoutService::layoutReady, this, forget);
    connect(&theme, &Theme::changed, this, forget);
    connect(&canvas, &CanvasView::cameraChanged, this, [this] { update(); });
    connect(&matches, &Matches::changed, this, [this] { update(); });
}

QTransform Minimap::map() const {
    const QRectF all = m_canvas.geometry().bounds(), area = QRectF(rect()).adjusted(6, 6, -6, -6);
    const double scale =
        std::min(area.width() / std::max(1.0, all.width()), area.height() / std::max(1.0, all.height()));
    QTransform out;
    out.translate(area.center().x(), area.center().y());
    out.scale(scale, scale);
    out.translate(-all.center().x(), -all.center().y());
    return out;
}

void Minimap::paintEvent(QPaintEvent*) {
    const Tokens& tokens = m_theme.tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(tokens.line, 1));
    painter.setBrush(tokens.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    if (m_canvas.geometry().isEmpty())
        return;
    if (m_boxes.isNull()) {
        m_boxes = QPixmap(size() * devicePixelRatioF());
        m_boxes.setDevicePixelRatio(devicePixelRatioF());
        m_boxes.fill(Qt::transparent);
        QPainter boxes(&m_boxes);
        const QTransform transform = map();
        for (const DiagramBox& box : m_canvas.geometry().picture()->diagram.boxes) {
            if (box.kind == DiagramBox::Kind::ExpandedScope || box.kind == DiagramBox::Kind::Stub)
                continue;
            QRectF small = transform.mapRect(QRectF(box.x, box.y, box.width, box.height));
            small.setWidth(std::max(1.0, small.width()));
            small.setHeight(std::max(0.7, small.height()));
            boxes.fillRect(small, tokens.wire);
        }
    }
    painter.drawPixmap(0, 0, m_boxes);
    paintMatches(painter);
    const QRectF seen = m_canvas.camera().toPlane(QRectF(m_canvas.rect()));
    QRectF frame = map().mapRect(seen);
    // In a picture that is far larger than what is seen of it, a point would not be found.
    const double lacking = kLeastFrame - std::min(frame.width(), frame.height());
    if (lacking > 0)
        frame.adjust(-lacking / 2, -lacking / 2, lacking / 2, lacking / 2);
    frame = frame.intersected(QRectF(rect()).adjusted(2, 2, -2, -2));
    QColor fill = tokens.selection;
    fill.setAlpha(28);
    painter.setBrush(fill);
    painter.setPen(QPen(tokens.selection, 1.2));
    painter.drawRect(frame);
}

void Minimap::paintMatches(QPainter& painter) const {
    constexpr double kLeast = 3;
    if (!m_matches.isLit())
        return;
    const Picture& picture = *m_canvas.geometry().picture();
    const QTransform transform = map();
    for (int i = 0; i < static_cast<int>(picture.diagram.boxes.size()); ++i) {
        if (!m_canvas.states().of(picture, i).isMatch)
            continue;
        const QRectF small = transform.mapRect(m_canvas.geometry().rect(i));
        const QPointF middle = small.center();
        const bool isField = m_canvas.geometry().box(i).kind == DiagramBox::Kind::ExpandedScope;
        const QRectF dot(middle.x() - kLeast / 2, isField ? small.top() : middle.y() - kLeast / 2, kLeast,
                         kLeast);
        painter.fillRect(isField ? dot : dot.united(small), m_theme.tokens().match);
    }
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && !m_canvas.geometry().isEmpty())
        m_canvas.look().jumpTo(map().inverted().map(event->position()));
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) && !m_canvas.geometry().isEmpty())
        m_canvas.look().centerOn(map().inverted().map(event->position()));
}

} // namespace fx::ui
