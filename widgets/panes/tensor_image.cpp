// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/tensor_image.h"

#include "widgets/panes/picture_image.h"
#include "widgets/style/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <set>

namespace fx::ui {

namespace {

constexpr double kGap = 12, kTitle = 18;
constexpr double kSmallestSign = 8;

} // namespace

TensorImage::TensorImage(const Theme& theme) : m_theme(theme) {
    setObjectName("tensorImage");
    setAccessibleName("Picture of the tensor");
    setFocusPolicy(Qt::StrongFocus);
    setMinimumHeight(120);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme, &Theme::changed, this, [this] {
        render();
        update();
    });
}

void TensorImage::setPanels(std::vector<Panel> panels) {
    m_panels = std::move(panels);
    render();
    setCursorCell(m_cursor);
    update();
}

void TensorImage::setScale(size_t panel, const ColourScale& scale) {
    if (panel >= m_panels.size() || m_panels[panel].scale == scale)
        return;
    m_panels[panel].scale = scale;
    render();
    update();
}

void TensorImage::render() {
    m_images.clear();
    for (const Panel& panel : m_panels)
        m_images.push_back(imageOf(panel.picture, panel.scale, m_theme.tokens()));
}

void TensorImage::setWords(const QStringList& words) {
    m_labels.setWords(words);
    update();
    Q_EMIT cursorMoved();
}

TensorImage::Place TensorImage::placeOf(size_t panel) const {
    const auto count = static_cast<double>(m_panels.size());
    const double all = (width() - kGap * (count - 1)) / count,
                 title = m_panels[panel].title.isEmpty() ? 0 : kTitle;
    const TensorPicture& p = m_panels[panel].picture;
    const QSizeF margin = m_labels.margin(p, QSizeF(all, height() - title), fontMetrics());
    const double wide = all - margin.width(), top = title + margin.height(), tall = height() - top;
    const auto rows = static_cast<double>(std::max<int64_t>(p.rows, 1));
    const auto columns = static_cast<double>(std::max<int64_t>(p.columns, 1));
    const double cell = std::min({wide / columns, tall / rows, 40.0});
    // A single row or column is still to be seen.
    const double cellHeight = std::max(cell, std::min(tall, 24.0) / rows);
    const double cellWidth = std::max(cell, std::min(wide, 24.0) / columns);
    const double left = (all + kGap) * static_cast<double>(panel);
    return {QRectF(left + margin.width(), top, cellWidth * columns, cellHeight * rows),
            QRectF(left, 0, all, kTitle), margin};
}

QRectF TensorImage::cellRect(size_t panel, QPoint cell) const {
    const QRectF rect = placeOf(panel).rect;
    const TensorPicture& p = m_panels[panel].picture;
    const double wide = rect.width() / static_cast<double>(std::max<int64_t>(p.columns, 1));
    const double tall = rect.height() / static_cast<double>(std::max<int64_t>(p.rows, 1));
    return {rect.left() + wide * cell.x(), rect.top() + tall * cell.y(), wide, tall};
}

TensorImage::Sign TensorImage::signOf(const Panel& panel, int row, int column) const {
    Sign out = Sign::None;
    for (int plane = 0; plane < panel.picture.planes; ++plane) {
        const double number = panel.picture.cell(row, column, plane);
        const Sign sign = std::isnan(number)          ? Sign::NaN
                          : std::isinf(number)        ? (number > 0 ? Sign::Inf : Sign::MinusInf)
                          : number > panel.scale.high ? Sign::Clipped
                          : number < panel.scale.low  ? Sign::ClippedLow
                                                      : Sign::None;
        out = std::max(out, sign);
    }
    return out;
}

void TensorImage::paintGaps(QPainter& painter, const Panel& panel, const QRectF& rect) const {
    const TensorPicture& p = panel.picture;
    painter.setPen(QPen(m_theme.tokens().panel, 2));
    const auto lines = [&](AxisUse use, int64_t all, int64_t tiles, double length, bool isAcross) {
        int64_t inner = all / std::max<int64_t>(tiles, 1);
        for (const PictureAxis& axis : p.axes)
            if (axis.use == use)
                inner = std::max<int64_t>(axis.count(), 1); // of the innermost
        const double step =
            length * static_cast<double>(inner) / static_cast<double>(std::max<int64_t>(all, 1));
        if (inner >= all || step < 6)
            return;
        for (double at = step; at < length - 1; at += step)
            if (isAcross)
                painter.drawLine(QPointF(rect.left() + at, rect.top()),
                                 QPointF(rect.left() + at, rect.bottom()));
            else
                painter.drawLine(QPointF(rect.left(), rect.top() + at),
                                 QPointF(rect.right(), rect.top() + at));
    };
    lines(AxisUse::Rows, p.rows, p.gridRows, rect.height(), false);
    lines(AxisUse::Columns, p.columns, p.gridColumns, rect.width(), true);
}

/// One for each few pixels: of a thousand that are side by side a person sees no more.
void TensorImage::paintSigns(QPainter& painter, const Panel& panel, const QRectF& rect) const {
    const Tokens& tokens = m_theme.tokens();
    const TensorPicture& p = panel.picture;
    const double wide = rect.width() / static_cast<double>(p.columns);
    const double tall = rect.height() / static_cast<double>(p.rows);
    const double size = std::clamp(std::min(wide, tall) * 0.6, kSmallestSign, 14.0);
    const auto across = static_cast<int>(rect.width() / size) + 1,
               down = static_cast<int>(rect.height() / size) + 1;
    std::vector<Sign> signs(static_cast<size_t>(across * down), Sign::None);
    std::vector<QPointF> places(signs.size());
    for (int row = 0; row < p.rows; ++row)
        for (int column = 0; column < p.columns; ++column) {
            const Sign sign = signOf(panel, row, column);
            if (sign == Sign::None || (sign == Sign::NaN && !elementAt(p, row, column)))
                continue;
            const QPointF at(wide * (column + 0.5), tall * (row + 0.5));
            const auto bucket = static_cast<size_t>(static_cast<int>(at.y() / size) * across +
                                                    static_cast<int>(at.x() / size));
            if (sign > signs[bucket]) {
                signs[bucket] = sign;
                places[bucket] = rect.topLeft() + at;
            }
        }
    const double r = size / 2 - 1;
    for (size_t i = 0; i < signs.size(); ++i) {
        if (signs[i] == Sign::None)
            continue;
        const bool isFault = signs[i] == Sign::NaN || signs[i] == Sign::Inf || signs[i] == Sign::MinusInf;
        const QPointF at = places[i];
        // A rim of the other colour, as the cell may have any.
        for (const bool isRim : {true, false}) {
            const QColor ink = isRim ? tokens.panel : isFault ? tokens.fault : tokens.text;
            painter.setPen(QPen(ink, isRim ? 3.5 : 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter.setBrush(isRim ? Qt::NoBrush : QBrush(ink));
            if (signs[i] == Sign::NaN) {
                painter.drawLine(at + QPointF(-r, -r), at + QPointF(r, r));
                painter.drawLine(at + QPointF(-r, r), at + QPointF(r, -r));
            } else if (isFault) {
                const double up = signs[i] == Sign::Inf ? -r : r;
                painter.drawPolygon(
                    QPolygonF({at + QPointF(-r, -up), at + QPointF(r, -up), at + QPointF(0, up)}));
            } else {
                painter.drawLine(at + QPointF(-r, 0), at + QPointF(r, 0));
                if (signs[i] == Sign::Clipped)
                    painter.drawLine(at + QPointF(0, -r), at + QPointF(0, r));
            }
        }
    }
}

void TensorImage::paintEvent(QPaintEvent*) {
    const Tokens& tokens = m_theme.tokens();
    QPainter painter(this);
    for (size_t i = 0; i < m_panels.size(); ++i) {
        const Panel& panel = m_panels[i];
        const Place place = placeOf(i);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(tokens.dim);
        painter.setFont(font());
        painter.drawText(
            place.title, Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(panel.title, Qt::ElideMiddle, static_cast<int>(place.title.width())));
        if (panel.picture.cells.empty())
            continue;
        // Shrunk, each pixel is a mean of its cells; enlarged, each cell is a rectangle.
        painter.setRenderHint(QPainter::SmoothPixmapTransform, place.rect.width() < m_images[i].width());
        painter.drawImage(place.rect, m_images[i]);
        paintGaps(painter, panel, place.rect);
        painter.setPen(tokens.dim);
        m_labels.paint(painter, panel.picture, place.rect, place.margin);
        paintSigns(painter, panel, place.rect);
        const QRectF cell = cellRect(i, m_cursor);
        const double grow = std::max(0.0, (5 - cell.width()) / 2);
        const QRectF ring = cell.adjusted(-grow, -grow, grow, grow);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(tokens.panel, 4));
        painter.drawRect(ring);
        painter.setPen(QPen(hasFocus() ? tokens.selection : tokens.text, 2));
        painter.drawRect(ring);
    }
}

void TensorImage::setCursorCell(QPoint cell) {
    if (m_panels.empty())
        return;
    const TensorPicture& p = m_panels[0].picture;
    m_cursor = {static_cast<int>(std::clamp<int64_t>(cell.x(), 0, std::max<int64_t>(p.columns - 1, 0))),
                static_cast<int>(std::clamp<int64_t>(cell.y(), 0, std::max<int64_t>(p.rows - 1, 0)))};
    update();
    Q_EMIT cursorMoved();
}

void TensorImage::keyPressEvent(QKeyEvent* event) {
    const int by = event->modifiers() & Qt::ControlModifier ? 10 : 1;
    QPoint to = m_cursor;
    switch (event->key()) {
    case Qt::Key_Left:
        to.rx() -= by;
        break;
    case Qt::Key_Right:
        to.rx() += by;
        break;
    case Qt::Key_Up:
        to.ry() -= by;
        break;
    case Qt::Key_Down:
        to.ry() += by;
        break;
    case Qt::Key_Home:
        to.setX(0);
        break;
    case Qt::Key_End:
        to.setX(INT_MAX);
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    setCursorCell(to);
}

void TensorImage::takeMouse(const QPointF& at) {
    for (size_t i = 0; i < m_panels.size(); ++i) {
        const QRectF rect = placeOf(i).rect;
        if (!rect.contains(at))
            continue;
        const QRectF cell = cellRect(i, {0, 0});
        setCursorCell({static_cast<int>((at.x() - rect.left()) / cell.width()),
                       static_cast<int>((at.y() - rect.top()) / cell.height())});
    }
}

void TensorImage::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        takeMouse(event->position());
}

void TensorImage::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton)
        takeMouse(event->position());
}

} // namespace fx::ui
