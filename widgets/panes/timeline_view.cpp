// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/timeline_view.h"

#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace fx::ui {

namespace {

constexpr int kMostDepths = 4;
constexpr double kLane = 18, kNodes = 14, kMargin = 2;

} // namespace

TimelineView::TimelineView(const Theme& theme, std::function<QString(NodeRef)> nameOf)
    : m_theme(theme), m_nameOf(std::move(nameOf)) {
    setObjectName("timelineView");
    setAccessibleName("Run over time");
    setFocusPolicy(Qt::StrongFocus);
    setMinimumHeight(90);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void TimelineView::setTimeline(Timeline timeline) {
    m_timeline = std::move(timeline);
    m_from = 0;
    m_to = std::max(m_timeline.nodeSum, 1e-6);
    update();
}

void TimelineView::setSelected(NodeRef node) {
    m_selected = node;
    update();
}

void TimelineView::setCurrent(NodeRef node) {
    m_current = node;
    update();
}

int TimelineView::depths() const {
    int out = 0;
    for (const TimelineScope& scope : m_timeline.scopes)
        out = std::max(out, scope.depth + 1);
    const int room = static_cast<int>((height() - kNodes - 50) / kLane);
    return std::clamp(std::min(out, room), 0, kMostDepths);
}

QRectF TimelineView::lane(int depth) const {
    const double nodesTop = height() - kNodes - kMargin;
    const double top = nodesTop - kLane * (depths() - depth);
    return QRectF(0, top, width(), (depth == depths() ? kNodes : kLane) - 2);
}

QRectF TimelineView::memoryArea() const {
    return QRectF(0, kMargin, width(), lane(0).top() - kMargin - 6);
}

double TimelineView::xOf(double at) const {
    return (at - m_from) / (m_to - m_from) * width();
}

double TimelineView::timeAt(double x) const {
    return m_from + x / std::max(1, width()) * (m_to - m_from);
}

int TimelineView::spanAt(double time) const {
    const auto& spans = m_timeline.spans;
    const auto next = std::upper_bound(spans.begin(), spans.end(), time,
                                       [](double at, const TimelineSpan& span) { return at < span.start; });
    return static_cast<int>(next - spans.begin()) - 1;
}

QRectF TimelineView::rectOf(NodeRef node) const {
    for (const TimelineSpan& span : m_timeline.spans)
        if (span.node == node) {
            const QRectF row = lane(depths());
            const double from = xOf(span.start), to = xOf(span.end());
            return to < 0 || from > width() ? QRectF()
                                            : QRectF(from, row.top(), std::max(1.0, to - from), row.height());
        }
    return {};
}

void TimelineView::paintMemory(QPainter& painter) const {
    const Tokens& tokens = m_theme.tokens();
    const auto& memory = m_timeline.memory;
    const QRectF field = memoryArea();
    if (memory.empty() || field.height() < 8)
        return;
    const auto most = static_cast<double>(std::max<uint64_t>(memory[m_timeline.peak].bytes, 1));
    const auto yOf = [&](uint64_t bytes) {
        return field.bottom() - (field.height() - 16) * static_cast<double>(bytes) / most;
    };
    // A step at each node; of many in one pixel the highest counts.
    QPainterPath path(QPointF(xOf(memory[0].at), field.bottom()));
    uint64_t before = 0;
    double lastX = -1e9;
    uint64_t highest = 0;
    for (const MemoryPoint& point : memory) {
        const double x = xOf(point.at);
        highest = x - lastX < 0.5 ? std::max(highest, point.bytes) : point.bytes;
        if (x - lastX < 0.5 && highest <= before) {
            before = highest;
            continue;
        }
        path.lineTo(x, yOf(before));
        path.lineTo(x, yOf(highest));
        before = point.bytes;
        lastX = x;
    }
    QPainterPath area = path;
    area.lineTo(path.currentPosition().x(), field.bottom());
    area.closeSubpath();
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens.selectionBack);
    painter.drawPath(area);
    painter.setPen(QPen(tokens.selection, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    const double x = xOf(memory[m_timeline.peak].at), y = yOf(memory[m_timeline.peak].bytes);
    const QString label = "peak " + byteLabel(memory[m_timeline.peak].bytes);
    const double wide = fontMetrics().horizontalAdvance(label);
    painter.setBrush(tokens.selection);
    painter.drawEllipse(QPointF(x, y), 3, 3);
    painter.setPen(tokens.text);
    painter.drawText(QPointF(std::clamp(x - wide / 2, 2.0, std::max(2.0, width() - wide - 2)), y - 5), label);
}

void TimelineView::paintScopes(QPainter& painter) const {
    const Tokens& tokens = m_theme.tokens();
    for (const TimelineScope& scope : m_timeline.scopes) {
        if (scope.depth >= depths())
            continue;
        const double from = std::max(xOf(scope.start), 0.0), to = std::min(xOf(scope.end), double(width()));
        if (to - from < 1)
            continue;
        const QRectF box(from, lane(scope.depth).top(), to - from - 1, lane(scope.depth).height());
        // The more of the time, the warmer.
        const double share = m_timeline.nodeSum > 0 ? scope.milliseconds / m_timeline.nodeSum : 0;
        painter.setPen(QPen(tokens.line, 1));
        painter.setBrush(blended(tokens.canvas, tokens.heat, std::min(0.55, share)));
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        if (box.width() < 30)
            continue;
        const QString name = qt(scope.path).section('.', -1);
        const QString text = name + QString(" %1 %").arg(100 * share, 0, 'f', share < 0.1 ? 1 : 0);
        painter.setPen(tokens.text);
        painter.drawText(box.adjusted(5, 0, -3, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(box.width() - 8)));
    }
}

void TimelineView::paintNodes(QPainter& painter) const {
    const Tokens& tokens = m_theme.tokens();
    const QRectF row = lane(depths());
    painter.setPen(Qt::NoPen);
    double painted = -1;
    for (const TimelineSpan& span : m_timeline.spans) {
        const double from = xOf(span.start), to = std::max(xOf(span.end()), from + 1);
        if (to < 0 || from > width() || to <= painted)
            continue;
        painter.setBrush(tokens.wire);
        painter.drawRect(QRectF(from, row.top(), std::max(1.0, to - from - 0.5), row.height()));
        painted = to;
    }
}

void TimelineView::paintMarks(QPainter& painter) const {
    const Tokens& tokens = m_theme.tokens();
    if (const QRectF box = rectOf(m_selected); !box.isNull()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(tokens.selection);
        painter.drawRect(box);
        painter.setPen(QPen(tokens.selection, 1, Qt::DashLine));
        painter.drawLine(QPointF(box.left(), 0), QPointF(box.left(), box.top()));
    }
    if (!m_current.node || m_timeline.spans.empty())
        return;
    const double x = std::min(xOf(m_timeline.spans.back().end()), width() - 1.0);
    painter.setPen(QPen(tokens.current, 2));
    painter.drawLine(QPointF(x, 0), QPointF(x, height()));
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_timeline.spans.empty()) {
        painter.setPen(m_theme.tokens().dim);
        painter.drawText(rect().adjusted(6, 6, -6, -6), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                         "Nothing has run. F5 runs the model, F10 steps through it.");
        return;
    }
    paintMemory(painter);
    paintScopes(painter);
    paintNodes(painter);
    paintMarks(painter);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.tokens().selection, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

const TimelineScope* TimelineView::scopeAt(const QPointF& at) const {
    for (const TimelineScope& scope : m_timeline.scopes)
        if (scope.depth < depths() && lane(scope.depth).contains(at) && xOf(scope.start) <= at.x() &&
            at.x() <= xOf(scope.end))
            return &scope;
    return nullptr;
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    if (const TimelineScope* scope = scopeAt(event->position()))
        Q_EMIT scopeChosen(qt(scope->path));
    else if (const int span = spanAt(timeAt(event->position().x())); span >= 0)
        Q_EMIT chosen(m_timeline.spans[static_cast<size_t>(span)].node);
}

void TimelineView::zoom(double factor, double around) {
    if (m_timeline.spans.empty())
        return;
    const double end = std::max(m_timeline.nodeSum, 1e-6);
    const double wide = std::clamp((m_to - m_from) * factor, end / 1e5, end);
    const double share = (around - m_from) / (m_to - m_from);
    m_from = std::clamp(around - wide * share, 0.0, end - wide);
    m_to = m_from + wide;
    update();
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    zoom(event->angleDelta().y() > 0 ? 0.8 : 1.25, timeAt(event->position().x()));
    event->accept();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const auto& spans = m_timeline.spans;
    const auto selected = std::find_if(spans.begin(), spans.end(),
                                       [this](const TimelineSpan& span) { return span.node == m_selected; });
    const double around = selected == spans.end() ? (m_from + m_to) / 2 : selected->start;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(0.5, around);
    case Qt::Key_Minus:
        return zoom(2, around);
    case Qt::Key_0:
        return zoom(1e9, around);
    case Qt::Key_Left:
        if (selected != spans.end() && selected != spans.begin())
            Q_EMIT chosen((selected - 1)->node);
        return;
    case Qt::Key_Right:
        if (selected == spans.end() ? !spans.empty() : selected + 1 != spans.end())
            Q_EMIT chosen(selected == spans.end() ? spans.front().node : (selected + 1)->node);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

bool TimelineView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || m_timeline.spans.empty())
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QPointF at = help->pos();
    QString text;
    if (const TimelineScope* scope = scopeAt(at)) {
        text = qt(scope->path) + "\nits nodes: " + timeLabel(scope->milliseconds);
    } else if (const int span = spanAt(timeAt(at.x())); span >= 0) {
        const auto i = static_cast<size_t>(span);
        text = m_nameOf(m_timeline.spans[i].node) + "\n" + timeLabel(m_timeline.spans[i].milliseconds) +
               ", values then: " + byteLabel(m_timeline.memory[i].bytes);
    }
    QToolTip::showText(help->globalPos(), plainTip(text), this);
    return true;
}

} // namespace fx::ui
