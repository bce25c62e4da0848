// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes, collapsed scopes and stubs, one by one, with the marks that they carry.
#include "widgets/canvas/diagram_painter.h"
#include "widgets/session/layout_service.h"
#include "widgets/session/text_metrics.h"
#include "widgets/support/qt_text.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace fx::ui {

namespace {

constexpr double kBand = 10; ///< of the colour that says something else than the kind

/// Of "(f32[2, 3], f32[4], i64[])" as many items as have room, and how many more there are. What has no items
/// stays as it is.
QString fewerItems(const QString& text, const QFont& font, double room) {
    const QFontMetricsF metrics(font);
    std::vector<qsizetype> ends; // of items but the last
    int depth = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
        if (text[i] == ',' && depth == 1 && text.startsWith('(') && i + 2 < text.size())
            ends.push_back(i);
    }
    QString shown = text;
    for (size_t left = ends.size(); left > 0 && metrics.horizontalAdvance(shown) > room + 1; --left)
        shown = text.left(ends[left - 1]) + QString(", +%1)").arg(ends.size() - left + 1);
    return shown;
}

} // namespace

void DiagramPainter::paintBar(const QRectF& rect, const QColor& color, double width, double radius) {
    const double bar = std::max(2.0, width * m_scale);
    const double inset =
        radius > bar ? radius - std::sqrt(radius * radius - (radius - bar) * (radius - bar)) : 0;
    const double angle =
        std::acos(std::clamp((radius - bar) / std::max(radius, 0.01), -1.0, 1.0)) * 180 / M_PI;
    const QSizeF corner(2 * radius, 2 * radius);
    QPainterPath path;
    path.moveTo(rect.left() + bar, rect.top() + inset);
    path.arcTo(QRectF(rect.topLeft(), corner), 180 - angle, angle);
    path.arcTo(QRectF(rect.bottomLeft() - QPointF(0, 2 * radius), corner), 180, angle);
    path.closeSubpath();
    m_painter->setPen(Qt::NoPen);
    m_painter->setBrush(color);
    m_painter->drawPath(path);
}

void DiagramPainter::paintFrame(const QRectF& rect, const BoxState& s, double radius) {
    QColor border = m_tokens.line;
    double width = 1;
    QColor fill = m_tokens.panel;
    if (s.isCurrent) {
        // The ring stands off, so that a selected current node shows both.
        const double gap = 3 * m_scale;
        m_painter->setPen(pen(m_tokens.current, 2.4));
        m_painter->setBrush(m_tokens.currentBack);
        m_painter->drawRoundedRect(rect.adjusted(-gap, -gap, gap, gap), radius + gap, radius + gap);
    }
    if (!s.fault.isEmpty()) {
        border = m_tokens.fault;
        width = 1.8;
    } else if (s.isSelected) {
        border = m_tokens.selection;
        width = 2;
    } else if (s.isNeighbour) {
        border = blended(m_tokens.selection, m_tokens.panel, 0.35);
        width = 1.2;
    }
    if (s.isAwaited && !s.isCurrent)
        fill = blended(m_tokens.panel, m_tokens.canvas, 0.6);
    QPen edge = pen(border, width);
    if (s.isMuted || s.isGhost) {
        fill = m_tokens.canvas;
        edge = pen(border == m_tokens.line ? m_tokens.faint : border, std::max(width, 1.2));
        edge.setDashPattern({3, 3});
    }
    m_painter->setPen(edge);
    m_painter->setBrush(fill);
    m_painter->drawRoundedRect(rect, radius, radius);
}

void DiagramPainter::paintUserMarks(const QRectF& rect, const NodeMark& mark) {
    const double k = m_scale;
    m_painter->setPen(Qt::NoPen);
    if (!mark.colour.empty()) {
        const double width = std::max(3.0, 6 * k);
        m_painter->setBrush(m_tokens.mark(mark.colour));
        m_painter->drawRoundedRect(
            QRectF(rect.right() - width - 2 * k, rect.top() + 3 * k, width, rect.height() - 6 * k), 2 * k,
            2 * k);
    }
    if (mark.isBookmark) {
        const double width = std::max(5.0, 9 * k), height = 1.5 * width;
        const QPointF at = rect.topLeft() + QPointF(18 * k, -0.8 * height);
        m_painter->setBrush(m_tokens.text);
        m_painter->drawPolygon(QPolygonF{at, at + QPointF(width, 0), at + QPointF(width, height),
                                         at + QPointF(width / 2, height * 0.7), at + QPointF(0, height)});
    }
}

void DiagramPainter::paintMarks(const QRectF& rect, const BoxState& s) {
    paintUserMarks(rect, s.mark);
    if (s.hasBreakpoint) {
        const double r = std::max(3.5, 6 * m_scale);
        m_painter->setPen(QPen(m_tokens.canvas, 1.5));
        m_painter->setBrush(m_tokens.fault);
        m_painter->drawEllipse(rect.topLeft() + QPointF(1, 1), r, r);
    }
    if (!s.setTo.isEmpty()) {
        const double r = std::max(4.0, 6.5 * m_scale);
        const QPointF at = rect.topRight() + QPointF(-1, 1);
        m_painter->setPen(QPen(m_tokens.canvas, 1.5));
        m_painter->setBrush(m_tokens.number);
        m_painter->drawPolygon(
            QPolygonF{at - QPointF(r, 0), at - QPointF(0, r), at + QPointF(r, 0), at + QPointF(0, r)});
    }
    if (m_detail < Detail::Calls)
        return;
    if (!s.fault.isEmpty()) {
        const QRectF below(rect.left(), rect.bottom() + 3 * m_scale, std::max(rect.width(), 260 * m_scale),
                           18 * m_scale);
        write(below, Qt::AlignLeft | Qt::AlignVCenter, s.fault, m_small, m_tokens.fault);
    }
    // Wires leave below; beside the box there is room.
    const QRectF beside(rect.right() + 8 * m_scale, rect.top(), 260 * m_scale, 18 * m_scale);
    if (!s.mark.note.empty())
        write(beside, Qt::AlignLeft | Qt::AlignVCenter, qt(s.mark.note).section('\n', 0, 0), m_small,
              m_tokens.text);
}

void DiagramPainter::paintCard(int index) {
    using namespace card;
    const Picture& picture = *m_geometry.picture();
    const size_t i = static_cast<size_t>(index);
    const QRectF rect = m_camera.toScreen(m_geometry.rect(index));
    const BoxState& s = state(index);
    const BoxText& text = picture.texts[i];
    const double k = m_scale, radius = std::min(card::kRadius * k, rect.height() / 2);
    const bool isWeight = picture.opcodes[i] == Opcode::GetAttr;
    paintFrame(rect, s, radius);
    if (m_states.colouring() == Colouring::Kind)
        paintBar(rect, m_tokens.kind(picture.opcodes[i]), card::kBar, radius);
    else
        paintBar(rect, bandColor(s), m_states.isColouredByCall() ? card::kBar : kBand, radius);
    if (m_hover.value && m_geometry.box(index).node == m_hover.value) {
        m_painter->setPen(pen(m_tokens.selection, 1.6));
        m_painter->setBrush(Qt::NoBrush);
        m_painter->drawRoundedRect(rect, radius, radius);
    }

    const QColor strong = s.isAwaited || s.isMuted || s.isGhost ? m_tokens.dim : m_tokens.text;
    QRectF inside = rect.adjusted(kLeft * k, 0, -kRight * k, 0);
    if (m_detail == Detail::Names || isWeight) {
        QRectF line = inside;
        const QString value = s.value.isEmpty() ? qt(text.value) : s.value;
        if (isWeight && m_detail != Detail::Names) {
            const double width =
                std::min(QFontMetricsF(m_chip).horizontalAdvance(value), inside.width() * 0.6);
            write(QRectF(inside.right() - width, inside.top(), width, inside.height()),
                  Qt::AlignRight | Qt::AlignVCenter, value, m_chip, m_tokens.dim);
            line.setRight(inside.right() - width - 8 * k);
        }
        writeFirstLine(line, qt(text.title), strong, {}, {}, false, s);
        paintMarks(rect, s);
        return;
    }

    const auto lineAt = [&](double baseline, double height) {
        return QRectF(inside.left(), rect.top() + (baseline - height + 4) * k, inside.width(), height * k);
    };
    QString right;
    if (s.isCurrent)
        right = "paused";
    else if (s.isMuted)
        right = "muted";
    else if (!s.setTo.isEmpty())
        right = "set";
    const bool isState = !right.isEmpty();
    if (!isState && !s.note.isEmpty())
        right = s.note;
    else if (!isState && s.hasRun && s.milliseconds > 0)
        right = timeLabel(s.milliseconds);
    writeFirstLine(lineAt(kTitle, 18), qt(text.title), strong, right,
                   right == "set" ? m_tokens.number
                   : s.heat > 0   ? m_tokens.text
                                  : m_tokens.dim,
                   isState, s);
    write(lineAt(kDetail, 16), Qt::AlignLeft | Qt::AlignVCenter, qt(text.detail), m_body, m_tokens.dim);

    QString value = s.value.isEmpty() ? qt(text.value) : s.value;
    if (m_detail == Detail::All && !value.isEmpty() && rect.height() > kShortHeight * k + 1) {
        const double most = inside.width() - 16 * k;
        QFont font = fitting(m_chip, value, most - 12 * k);
        value = fewerItems(value, font, most - 12 * k);
        const double width = std::min(QFontMetricsF(font).horizontalAdvance(value) + 12 * k, most);
        const QRectF chip(inside.left(), rect.top() + kChip * k, width, kChipHeight * k);
        m_painter->setPen(Qt::NoPen);
        m_painter->setBrush(blended(m_tokens.panel, m_tokens.wire, m_tokens.isDark ? 0.25 : 0.2));
        m_painter->drawRoundedRect(chip, 4 * k, 4 * k);
        font.setStrikeOut(s.isStale);
        write(chip.adjusted(6 * k, 0, -6 * k, 0), Qt::AlignLeft | Qt::AlignVCenter, value, font,
              s.isAwaited ? m_tokens.dim : m_tokens.text);
    }
    if (s.hasRun) {
        const bool isFinite = s.health.isFinite();
        if (isFinite && !s.isMask) {
            m_painter->setPen(Qt::NoPen);
            m_painter->setBrush(m_tokens.healthy);
            m_painter->drawEllipse(QPointF(inside.right() - 3 * k, rect.bottom() - 13 * k), 3.5 * k, 3.5 * k);
        } else {
            const QString badge = isFinite                             ? "mask"
                                  : s.health.hasNan && s.health.hasInf ? "NaN Inf"
                                  : s.health.hasNan                    ? "NaN"
                                                                       : "Inf";
            const QFont bold = scaled(m_textFont, 10.5 * k, QFont::Bold);
            const double width = QFontMetricsF(bold).horizontalAdvance(badge) + 10 * k;
            const QRectF where(inside.right() - width + 4 * k, rect.bottom() - 21 * k, width, 15 * k);
            m_painter->setPen(Qt::NoPen);
            m_painter->setBrush(isFinite ? m_tokens.line : m_tokens.fault);
            m_painter->drawRoundedRect(where, 4 * k, 4 * k);
            write(where, Qt::AlignCenter, badge, bold, isFinite ? m_tokens.dim : m_tokens.primaryText);
        }
    }
    paintMarks(rect, s);
}

void DiagramPainter::paintCollapsedScope(int index) {
    using namespace card;
    const QRectF rect = m_camera.toScreen(m_geometry.rect(index));
    const BoxState& s = state(index);
    const BoxText& text = m_geometry.picture()->texts[static_cast<size_t>(index)];
    const double k = m_scale, radius = card::kRadius * k;
    m_painter->setBrush(blended(m_tokens.panel, m_tokens.canvas, 0.5));
    m_painter->setPen(pen(m_tokens.line, 1));
    for (const double shift : {6.0, 3.0})
        m_painter->drawRoundedRect(rect.translated(shift * k, shift * k), radius, radius);
    paintFrame(rect, s, radius);
    if (!m_states.isColouredByCall())
        paintBar(rect, bandColor(s), kBand, radius);
    const QRectF inside = rect.adjusted(kLeft * k, 0, -kRight * k, 0);
    const QColor strong = s.isAwaited ? m_tokens.dim : m_tokens.text;
    const QString name = QString(QChar(0x25B8)) + ' ' + qt(text.title);
    if (m_detail == Detail::Names) {
        writeFirstLine(inside, name, strong, {}, {}, false, s);
        paintMarks(rect, s);
        return;
    }
    QString right = s.isCurrent ? "paused" : qt(text.value);
    if (s.hasRun && s.milliseconds > 0 && !s.isCurrent)
        right = timeLabel(s.milliseconds);
    const QColor rightColor = !s.health.isFinite() ? m_tokens.fault
                              : s.heat > 0         ? m_tokens.text
                                                   : m_tokens.dim;
    if (!s.note.isEmpty())
        right = s.note;
    if (!s.health.isFinite())
        right = s.health.hasNan ? "NaN inside" : "Inf inside";
    writeFirstLine(QRectF(inside.left(), rect.top() + 6 * k, inside.width(), 18 * k), name, strong, right,
                   rightColor, s.isCurrent || !s.health.isFinite(), s);
    QRectF second(inside.left(), rect.top() + 25 * k, inside.width(), 16 * k);
    write(second, Qt::AlignRight | Qt::AlignVCenter, qt(text.badge), m_small, m_tokens.selection);
    second.setRight(second.right() - QFontMetricsF(m_small).horizontalAdvance(qt(text.badge)) - 8 * k);
    write(second, Qt::AlignLeft | Qt::AlignVCenter, qt(text.detail), m_body, m_tokens.dim);
    paintMarks(rect, s);
}

void DiagramPainter::paintStub(int index) {
    const QRectF rect = m_camera.toScreen(m_geometry.rect(index));
    const BoxText& text = m_geometry.picture()->texts[static_cast<size_t>(index)];
    const DiagramBox& box = m_geometry.box(index);
    const bool isLit = state(index).isSelected || (m_hover.value && m_hover.value == box.node);
    const double k = m_scale;
    m_painter->setPen(pen(isLit ? m_tokens.selection : m_tokens.wire, isLit ? 1.6 : 1));
    m_painter->setBrush(isLit ? m_tokens.selectionBack : m_tokens.canvas);
    m_painter->drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
    m_painter->setPen(Qt::NoPen);
    const auto i = static_cast<size_t>(index);
    m_painter->setBrush(m_states.colouring() == Colouring::Kind
                            ? m_tokens.kind(m_geometry.picture()->opcodes[i])
                            : m_tokens.family(m_geometry.picture()->families[i]));
    m_painter->drawEllipse(QPointF(rect.left() + 9 * k, rect.center().y()), 3 * k, 3 * k);
    write(rect.adjusted(15 * k, 0, -7 * k, 0), Qt::AlignLeft | Qt::AlignVCenter, qt(text.title), m_small,
          m_tokens.dim);
}

} // namespace fx::ui
