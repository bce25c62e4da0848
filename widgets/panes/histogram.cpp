// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/histogram.h"

#include "widgets/style/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace fx::ui {

Histogram::Histogram(const Theme& theme) : m_theme(theme) {
    setMinimumHeight(56);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setObjectName("range");
    setAccessibleName("Range of colours");
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void Histogram::setBins(std::vector<uint32_t> bins, double minimum, double maximum) {
    m_bins = std::move(bins);
    m_minimum = minimum;
    m_maximum = maximum;
    setVisible(!m_bins.empty());
    update();
}

void Histogram::setScale(const ColourScale& scale) {
    m_scale = scale;
    setAccessibleDescription(QString("from %1 to %2").arg(scale.low, 0, 'g', 5).arg(scale.high, 0, 'g', 5));
    update();
}

void Histogram::setLogarithmic(bool isLogarithmic) {
    m_isLogarithmic = isLogarithmic;
    update();
}

QRectF Histogram::area() const {
    return QRectF(rect()).adjusted(8, 6, -8, -16);
}

double Histogram::left() const {
    return m_dragged == End::None ? std::min(m_minimum, m_scale.low) : m_left;
}

double Histogram::right() const {
    const double most = m_dragged == End::None ? std::max(m_maximum, m_scale.high) : m_right;
    return most > left() ? most : left() + 1;
}

double Histogram::xOf(double number) const {
    return area().left() + area().width() * (number - left()) / (right() - left());
}

double Histogram::numberAt(double x) const {
    const double across = std::clamp((x - area().left()) / std::max(1.0, area().width()), 0.0, 1.0);
    return left() + (right() - left()) * across;
}

void Histogram::paintEvent(QPaintEvent*) {
    const Tokens& tokens = m_theme.tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus() ? tokens.selection : tokens.line, 1));
    painter.setBrush(tokens.canvas);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    if (m_bins.empty())
        return;
    const auto height = [this](double count) { return m_isLogarithmic ? std::log1p(count) : count; };
    const double most = height(*std::max_element(m_bins.begin(), m_bins.end()));
    const QRectF field = area();
    const double step = (m_maximum - m_minimum) / static_cast<double>(m_bins.size());
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens.dim);
    for (size_t i = 0; i < m_bins.size(); ++i) {
        if (m_bins[i] == 0)
            continue;
        const double from = xOf(m_minimum + step * static_cast<double>(i));
        const double to = xOf(m_minimum + step * static_cast<double>(i + 1));
        const double tall = std::max(1.0, field.height() * height(m_bins[i]) / most);
        painter.drawRect(QRectF(from, field.bottom() - tall, std::max(1.0, to - from - 1), tall));
    }
    // The colours themselves, below.
    const QRectF band(field.left(), field.bottom() + 2, field.width(), 4);
    QLinearGradient colours(band.topLeft(), band.topRight());
    for (int i = 0; i <= 32; ++i)
        colours.setColorAt(i / 32.0, m_scale.colour(left() + (right() - left()) * i / 32.0, tokens));
    painter.setBrush(colours);
    painter.drawRoundedRect(band, 2, 2);
    for (const double end : {m_scale.low, m_scale.high}) {
        const double x = xOf(end);
        painter.setPen(QPen(tokens.text, 1));
        painter.drawLine(QPointF(x, field.top()), QPointF(x, band.bottom()));
        painter.setPen(Qt::NoPen);
        painter.setBrush(tokens.text);
        painter.drawPolygon(
            QPolygonF({{x, band.bottom()}, {x - 4, band.bottom() + 6}, {x + 4, band.bottom() + 6}}));
    }
}

void Histogram::move(End end, double number) {
    ColourScale scale = m_scale;
    if (end == End::Low)
        scale.low = std::min(number, scale.high);
    else
        scale.high = std::max(number, scale.low);
    if (scale == m_scale)
        return;
    setScale(scale);
    Q_EMIT scaleChosen(scale);
}

void Histogram::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_bins.empty())
        return;
    const double x = event->position().x();
    const double toLow = std::abs(x - xOf(m_scale.low)), toHigh = std::abs(x - xOf(m_scale.high));
    m_left = left();
    m_right = right();
    // Where both are one, the side on which it was pressed says which.
    const bool isLow = toLow < toHigh || (toLow == toHigh && x < xOf(m_scale.low));
    m_dragged = isLow ? End::Low : End::High;
    move(m_dragged, numberAt(x));
}

void Histogram::mouseMoveEvent(QMouseEvent* event) {
    if (m_dragged != End::None)
        move(m_dragged, numberAt(event->position().x()));
    else
        setCursor(std::min(std::abs(event->position().x() - xOf(m_scale.low)),
                           std::abs(event->position().x() - xOf(m_scale.high))) < 6
                      ? Qt::SizeHorCursor
                      : Qt::ArrowCursor);
}

void Histogram::mouseReleaseEvent(QMouseEvent*) {
    m_dragged = End::None;
    update();
}

void Histogram::keyPressEvent(QKeyEvent* event) {
    if ((event->key() != Qt::Key_Left && event->key() != Qt::Key_Right) || m_bins.empty())
        return QWidget::keyPressEvent(event);
    const double by = (right() - left()) / 50 * (event->key() == Qt::Key_Left ? -1 : 1);
    if (event->modifiers() & Qt::ShiftModifier)
        move(End::High, m_scale.high + by);
    else
        move(End::Low, m_scale.low + by);
}

bool Histogram::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !m_bins.empty()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int count = static_cast<int>(m_bins.size());
        const double step = (m_maximum - m_minimum) / count;
        const double across = step > 0 ? (numberAt(help->pos().x()) - m_minimum) / step : 0;
        const int bin = std::clamp(static_cast<int>(across), 0, count - 1);
        QToolTip::showText(help->globalPos(),
                           QString("%1 elements between %2 and %3\ncolours from %4 to %5; drag their ends")
                               .arg(m_bins[static_cast<size_t>(bin)])
                               .arg(m_minimum + step * bin, 0, 'g', 4)
                               .arg(m_minimum + step * (bin + 1), 0, 'g', 4)
                               .arg(m_scale.low, 0, 'g', 4)
                               .arg(m_scale.high, 0, 'g', 4),
                           this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace fx::ui
