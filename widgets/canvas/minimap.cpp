// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/minimap.h"

#include "widgets/canvas/canvas_view.h"
#include "widgets/session/layout_service.h"
#include "widgets/style/theme.h"

namespace fx {

Minimap::Minimap(CanvasView& canvas, const LayoutService& layout, const Theme& theme)
    : QWidget(&canvas), m_canvas(canvas), m_theme(theme) {
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
    const QRectF seen = m_canvas.camera().toPlane(QRectF(m_canvas.rect()));
    QRectF frame = map().mapRect(seen).intersected(QRectF(rect()).adjusted(2, 2, -2, -2));
    QColor fill = tokens.selection;
    fill.setAlpha(28);
    painter.setBrush(fill);
    painter.setPen(QPen(tokens.selection, 1.2));
    painter.drawRect(frame);
}

void Minimap::goTo(QPointF at) {
    if (!m_canvas.geometry().isEmpty())
        m_canvas.centerOn(map().inverted().map(at));
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        goTo(event->position());
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton)
        goTo(event->position());
}

} // namespace fx
