// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/trade_off_chart.h"

#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fx::ui {

namespace {

constexpr double kReach = 14; ///< pixels around a point that are its own under the mouse

/// Where the exact result stands: above all others.
double heightOf(const std::vector<TradeOffMark>& marks, double error) {
    if (std::isfinite(error))
        return error;
    double most = 0;
    for (const TradeOffMark& mark : marks)
        if (std::isfinite(mark.error))
            most = std::max(most, mark.error);
    return error > 0 ? most + 6 : 0;
}

struct Ends {
    double least = 0, most = 1;
    double share(double number) const { return (number - least) / (most - least); }
};

template <class Get>
Ends endsOf(const std::vector<TradeOffMark>& marks, const Get& get) {
    Ends out{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const TradeOffMark& mark : marks)
        if (const std::optional<double> number = get(mark)) {
            out.least = std::min(out.least, *number);
            out.most = std::max(out.most, *number);
        }
    if (!(out.least <= out.most))
        return {};
    if (out.least == out.most)
        out = {out.least - 0.5, out.most + 0.5};
    return out;
}

} // namespace

TradeOffChart::TradeOffChart(const Theme& theme) : m_theme(theme) {
    setObjectName("tradeOff");
    setAccessibleName("Error against what it takes");
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumHeight(110);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void TradeOffChart::setMarks(std::vector<TradeOffMark> marks) {
    m_marks = std::move(marks);
    m_current = -1;
    setCurrent(m_marks.empty() ? -1 : 0);
    update();
}

void TradeOffChart::setOverTime(bool isOverTime) {
    m_isOverTime = isOverTime;
    update();
}

QRectF TradeOffChart::area() const {
    const double line = fontMetrics().height();
    return QRectF(rect()).adjusted(fontMetrics().horizontalAdvance("00.0 dB") + 12, line, -16, -line - 10);
}

std::optional<double> TradeOffChart::acrossOf(const TradeOffMark& mark) const {
    return m_isOverTime ? mark.seconds : std::optional(mark.bytes);
}

std::optional<QPointF> TradeOffChart::placeOf(int mark) const {
    const TradeOffMark& at = m_marks[static_cast<size_t>(mark)];
    const std::optional<double> number = acrossOf(at);
    if (!number)
        return std::nullopt;
    const QRectF field = area();
    const auto height = [this](const TradeOffMark& each) {
        return std::optional(heightOf(m_marks, each.error));
    };
    const Ends wide = endsOf(m_marks, [this](const TradeOffMark& each) { return acrossOf(each); });
    return QPointF(field.left() + field.width() * wide.share(*number),
                   field.bottom() - field.height() * endsOf(m_marks, height).share(*height(at)));
}

QString TradeOffChart::across(double number) const {
    return m_isOverTime ? QString("%1 ms").arg(number * 1e3, 0, 'g', 3)
                        : byteLabel(static_cast<uint64_t>(number));
}

QString TradeOffChart::textOf(const TradeOffMark& mark) const {
    const QString error = std::isinf(mark.error) && mark.error > 0
                              ? QString("exact")
                              : QString("%1 dB").arg(mark.error, 0, 'f', 1);
    QString out = mark.label + ": " + error + ", weights of " + byteLabel(static_cast<uint64_t>(mark.bytes));
    if (mark.seconds)
        out += QString(", %1 ms a run").arg(*mark.seconds * 1e3, 0, 'g', 3);
    return mark.left.isEmpty() ? out : out + "; in float32: " + mark.left;
}

void TradeOffChart::paintEvent(QPaintEvent*) {
    const Tokens& tokens = m_theme.tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus() ? tokens.selection : tokens.line, 1));
    painter.setBrush(tokens.canvas);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    if (m_marks.empty())
        return;
    const QRectF field = area();
    const Ends wide = endsOf(m_marks, [this](const TradeOffMark& mark) { return acrossOf(mark); });
    painter.setPen(QPen(tokens.line, 1));
    painter.drawLine(field.bottomLeft() + QPointF(0, 6), field.bottomRight() + QPointF(0, 6));
    painter.setPen(tokens.dim);
    const QRectF below(field.left(), field.bottom() + 8, field.width(), fontMetrics().height());
    painter.drawText(below, Qt::AlignLeft, across(wide.least));
    painter.drawText(below, Qt::AlignRight, across(wide.most));
    painter.drawText(below, Qt::AlignHCenter, m_isOverTime ? "a run" : "weights");
    QPolygonF line;
    for (int i = 0; i < static_cast<int>(m_marks.size()); ++i)
        if (const std::optional<QPointF> at = placeOf(i))
            line << *at;
    painter.setPen(QPen(tokens.selection, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    double lastLabel = -1e9; // of those that would lie on each other one is written
    for (int i = 0; i < static_cast<int>(m_marks.size()); ++i) {
        const std::optional<QPointF> at = placeOf(i);
        if (!at)
            continue;
        painter.setPen(QPen(tokens.selection, 1.5));
        painter.setBrush(i == m_current ? tokens.selection : tokens.canvas);
        painter.drawEllipse(*at, i == m_current ? 5 : 3.5, i == m_current ? 5 : 3.5);
        if (i != m_current && std::abs(at->y() - lastLabel) < fontMetrics().height())
            continue;
        lastLabel = at->y();
        painter.setPen(i == m_current ? tokens.text : tokens.dim);
        const double error = m_marks[static_cast<size_t>(i)].error;
        painter.drawText(
            QRectF(4, at->y() - fontMetrics().height() / 2.0, field.left() - 12, fontMetrics().height()),
            Qt::AlignRight | Qt::AlignVCenter,
            std::isfinite(error) ? QString("%1 dB").arg(error, 0, 'f', 1) : QString("exact"));
    }
}

int TradeOffChart::nearest(QPointF at) const {
    int out = -1;
    double least = kReach;
    for (int i = 0; i < static_cast<int>(m_marks.size()); ++i)
        if (const std::optional<QPointF> place = placeOf(i))
            if (const double far = std::hypot(place->x() - at.x(), place->y() - at.y()); far < least) {
                least = far;
                out = i;
            }
    return out;
}

void TradeOffChart::setCurrent(int mark) {
    if (mark == m_current)
        return;
    m_current = mark;
    setAccessibleDescription(mark < 0 ? QString() : textOf(m_marks[static_cast<size_t>(mark)]));
    update();
    Q_EMIT currentChanged(mark);
}

bool TradeOffChart::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int mark = nearest(help->pos());
    QToolTip::showText(help->globalPos(),
                       mark < 0 ? QString() : plainTip(textOf(m_marks[static_cast<size_t>(mark)])), this);
    return true;
}

void TradeOffChart::mousePressEvent(QMouseEvent* event) {
    if (const int mark = nearest(event->position()); mark >= 0)
        setCurrent(mark);
}

void TradeOffChart::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const int mark = nearest(event->position()); mark >= 0)
        Q_EMIT chosen(mark);
}

void TradeOffChart::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_marks.size()) - 1;
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (m_marks.empty())
        QWidget::keyPressEvent(event);
    else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
        setCurrent(std::clamp(m_current + (event->key() == Qt::Key_Right ? 1 : -1), 0, last));
    else if (event->key() == Qt::Key_Home || event->key() == Qt::Key_End)
        setCurrent(event->key() == Qt::Key_Home ? 0 : last);
    else if (isEnter)
        Q_EMIT chosen(m_current);
    else
        QWidget::keyPressEvent(event);
}

} // namespace fx::ui
