// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/diagram_painter.h"

#include "core/layout/placement.h"
#include "widgets/session/text_metrics.h"
#include "widgets/support/qt_text.h"

#include <QFontMetricsF>

namespace fx::ui {

namespace {

using Kind = DiagramBox::Kind;

/// The scales at which a step of detail begins.
constexpr double kNamesFrom = 0.22, kCallsFrom = 0.55, kAllFrom = 0.72;
/// Names stay readable while their boxes shrink, and are written smaller before they are left out.
constexpr double kLeastTitle = 9.5;
constexpr int kSmallest = 7;

} // namespace

QFont DiagramPainter::scaled(const QFont& font, double pixels, int weight) const {
    QFont out = font;
    // Rounded down: boxes are as wide as their text at 100 %, and a larger letter would be cut.
    out.setPixelSize(std::max(1, static_cast<int>(pixels + 0.01)));
    out.setWeight(static_cast<QFont::Weight>(weight));
    return out;
}

QFont DiagramPainter::fitting(QFont font, const QString& text, double room) const {
    while (font.pixelSize() > kSmallest && QFontMetricsF(font).horizontalAdvance(text) > room + 1)
        font.setPixelSize(font.pixelSize() - 1);
    return font;
}

QPen DiagramPainter::pen(const QColor& color, double width) const {
    return QPen(color, std::max(1.0, width * std::min(1.0, m_scale)));
}

void DiagramPainter::write(const QRectF& rect, Qt::Alignment alignment, const QString& text,
                           const QFont& font, const QColor& color) {
    if (text.isEmpty() || rect.width() < 4)
        return;
    m_painter->setFont(font);
    m_painter->setPen(color);
    const QFontMetricsF metrics(font);
    const QString shown = metrics.horizontalAdvance(text) > rect.width() + 1
                              ? metrics.elidedText(text, Qt::ElideMiddle, rect.width())
                              : text;
    m_painter->drawText(rect, static_cast<int>(alignment) | Qt::TextSingleLine, shown);
}

void DiagramPainter::writeTitle(const QRectF& rect, const QString& text, const QFont& font,
                                const QColor& color, const BoxState& s) {
    if (s.isMatch) {
        const QFontMetricsF metrics(font);
        const double width = std::min(metrics.horizontalAdvance(text), rect.width());
        const QRectF pen(rect.left() - 3, rect.center().y() - metrics.height() / 2, width + 6,
                         metrics.height());
        m_painter->setPen(QPen(m_tokens.match, 1));
        m_painter->setBrush(m_tokens.matchBack);
        m_painter->drawRoundedRect(pen, 3, 3);
    }
    write(rect, Qt::AlignLeft | Qt::AlignVCenter, text, font, color);
}

void DiagramPainter::writeFirstLine(QRectF line, const QString& title, const QColor& color,
                                    const QString& beside, const QColor& besideColor, bool isState,
                                    const BoxState& s) {
    const double room = line.width(), wide = QFontMetricsF(m_small).horizontalAdvance(beside);
    const double gap = 8 * m_scale;
    const bool fits = QFontMetricsF(m_title).horizontalAdvance(title) + gap + wide <= room + 1;
    if (!beside.isEmpty() && (fits || isState)) {
        write(line, Qt::AlignRight | Qt::AlignVCenter, beside, m_small, besideColor);
        line.setRight(line.right() - wide - gap);
    }
    const QFont font = fitting(m_title, title, line.width());
    QString shown = title;
    const auto isCut = [&] { return QFontMetricsF(font).horizontalAdvance(shown) > line.width() + 1; };
    // Of a path what is last says most; a triangle before it stays.
    const qsizetype begin = title.startsWith(QChar(0x25B8)) ? 2 : 0;
    const bool isWhole = !title.contains(QStringLiteral("... ")); // and no dots of what was left out
    while (isCut() && isWhole && shown.contains('.'))
        shown.remove(begin, shown.indexOf('.') + 1 - begin);
    writeTitle(line, shown, font, color, s);
}

void DiagramPainter::paint(QPainter& painter, const Camera& camera, const QRectF& screen) {
    if (m_geometry.isEmpty())
        return;
    m_painter = &painter;
    m_camera = camera;
    m_scale = camera.scale();
    m_detail = m_scale >= kAllFrom     ? Detail::All
               : m_scale >= kCallsFrom ? Detail::Calls
               : m_scale >= kNamesFrom ? Detail::Names
                                       : Detail::Blocks;
    m_title = scaled(m_textFont, std::max(kLeastTitle, m_textFont.pixelSize() * m_scale), QFont::DemiBold);
    m_body = scaled(m_textFont, (m_textFont.pixelSize() - 1) * m_scale);
    m_chip = scaled(m_fixedFont, (m_fixedFont.pixelSize() - 1) * m_scale);
    m_small = scaled(m_textFont, (m_textFont.pixelSize() - 2) * m_scale);

    const QRectF area = camera.toPlane(screen);
    const std::vector<int> edges = m_geometry.edgesIn(area);
    // On the way, boxes are where the index does not have them yet.
    const std::vector<int> boxes =
        m_geometry.boxesIn(m_geometry.transition() < 1 ? m_geometry.bounds() : area);
    painter.setRenderHint(QPainter::Antialiasing, m_detail != Detail::Blocks);
    paintScopeFields(boxes);
    paintEdges(edges);
    paintScopeTitles(boxes);
    if (m_detail == Detail::Blocks) {
        paintBlocks(boxes);
        return;
    }
    for (int box : boxes) {
        switch (m_geometry.box(box).kind) {
        case Kind::Node:
            paintCard(box);
            break;
        case Kind::CollapsedScope:
            paintCollapsedScope(box);
            break;
        case Kind::Stub:
            paintStub(box);
            break;
        case Kind::ExpandedScope:
            break;
        }
    }
    if (m_detail == Detail::All && m_showsEdgeLabels && m_geometry.transition() >= 1)
        paintEdgeLabels(edges, boxes);
}

void DiagramPainter::paintBlocks(const std::vector<int>& boxes) {
    m_painter->setPen(Qt::NoPen);
    std::vector<std::pair<QRectF, QColor>> marked;
    for (int index : boxes) {
        const DiagramBox& box = m_geometry.box(index);
        if (box.kind == Kind::ExpandedScope)
            continue;
        const QRectF rect = m_camera.toScreen(m_geometry.rect(index));
        const BoxState& s = state(index);
        QColor color = bandColor(s);
        if (m_states.colouring() == Colouring::Kind)
            color = m_tokens.kind(m_geometry.picture()->opcodes[static_cast<size_t>(index)]);
        else if (m_states.colouring() == Colouring::Family && s.group < 0)
            color = m_tokens.family(CallFamily::Other);
        if (m_states.isColouredByCall() && !s.mark.colour.empty())
            color = m_tokens.mark(s.mark.colour);
        if (box.kind == Kind::Stub)
            color = m_tokens.wire;
        else if (s.isAwaited || s.isMuted || s.isGhost)
            color = blended(color, m_tokens.canvas, 0.6);
        m_painter->fillRect(rect, color);
        if (s.isCurrent)
            marked.emplace_back(rect, m_tokens.current);
        else if (!s.fault.isEmpty() || !s.health.isFinite())
            marked.emplace_back(rect, m_tokens.fault);
        else if (s.isSelected)
            marked.emplace_back(rect, m_tokens.selection);
        else if (s.isMatch)
            marked.emplace_back(rect, m_tokens.match);
    }
    // What matters is seen from any distance.
    for (const auto& [rect, color] : marked)
        m_painter->fillRect(rect.united(QRectF(rect.center() - QPointF(3, 3), QSizeF(6, 6))), color);
}

QColor DiagramPainter::bandColor(const BoxState& s) const {
    constexpr double kLeast = 0.25; // so that what a short one waits for is seen, too
    const QColor none = blended(m_tokens.panel, m_tokens.wire, 0.5);
    if (s.group < 0)
        return blended(none, m_tokens.heat, s.heat);
    const QColor hue = hueOf(m_states.groups(*m_geometry.picture()), static_cast<size_t>(s.group), m_tokens);
    return s.heat > 0 ? blended(none, hue, kLeast + (1 - kLeast) * s.heat) : hue;
}

QColor DiagramPainter::fieldColor() const {
    return blended(m_tokens.canvas, m_tokens.wire, m_tokens.isDark ? 0.10 : 0.12);
}

void DiagramPainter::paintScopeFields(const std::vector<int>& boxes) {
    m_painter->setBrush(fieldColor());
    for (int index : boxes) {
        if (m_geometry.box(index).kind != Kind::ExpandedScope)
            continue;
        const bool isSelected = state(index).isSelected;
        QPen dashes = pen(isSelected ? m_tokens.selection : m_tokens.wire, isSelected ? 1.6 : 1.2);
        dashes.setDashPattern({4, 3});
        m_painter->setPen(m_detail == Detail::Blocks && !isSelected ? Qt::NoPen : dashes);
        m_painter->drawRoundedRect(m_camera.toScreen(m_geometry.rect(index)), card::kRadius * m_scale,
                                   card::kRadius * m_scale);
    }
}

void DiagramPainter::paintScopeTitles(const std::vector<int>& boxes) {
    const double size = std::max(kLeastTitle, 12 * m_scale);
    if (kScopeTitle * m_scale < size * 0.75)
        return;
    const QFont bold = scaled(m_textFont, size, QFont::DemiBold), plain = scaled(m_textFont, size);
    const QFontMetricsF boldMetrics(bold), plainMetrics(plain);
    // Wires that enter pass behind the words.
    const auto put = [&](QRectF where, const QString& text, const QFont& font, const QColor& color) {
        m_painter->fillRect(where.adjusted(-2, 0, 2, 0), fieldColor());
        write(where, Qt::AlignLeft | Qt::AlignVCenter, text, font, color);
    };
    for (int index : boxes) {
        const QRectF rect = m_camera.toScreen(m_geometry.rect(index));
        if (m_geometry.box(index).kind != Kind::ExpandedScope || rect.width() < 40)
            continue;
        const BoxState& s = state(index);
        const BoxText& text = m_geometry.picture()->texts[static_cast<size_t>(index)];
        QRectF line(rect.left() + 12 * m_scale, rect.top() + 5 * m_scale, rect.width() - 24 * m_scale,
                    (kScopeTitle - 10) * m_scale);
        // From afar the words are higher than their room: they stand on the border, above what is in the
        // scope.
        if (const double height = boldMetrics.height(); line.height() < height)
            line = QRectF(line.left(), rect.top() + kScopeTitle * m_scale - height, line.width(), height);
        const QString name = QString(QChar(0x25BE)) + ' ' + qt(text.title);
        const double nameWidth = std::min(boldMetrics.horizontalAdvance(name), line.width());
        const QRectF place(line.topLeft(), QSizeF(nameWidth, line.height()));
        m_painter->fillRect(place.adjusted(-2, 0, 2, 0), fieldColor());
        writeTitle(place, name, bold, m_tokens.text, s);
        line.setLeft(line.left() + nameWidth + 10 * m_scale);
        QString right = qt(text.value);
        if (s.milliseconds > 0)
            right += QString(" %1 ").arg(QChar(0xB7)) + timeLabel(s.milliseconds);
        const double rightWidth = plainMetrics.horizontalAdvance(right);
        if (line.width() < rightWidth + 4)
            continue;
        put(QRectF(line.right() - rightWidth, line.top(), rightWidth, line.height()), right, plain,
            m_tokens.dim);
        line.setWidth(line.width() - rightWidth - 8);
        const QString detail = qt(text.detail);
        if (line.width() > 30 && !detail.isEmpty()) {
            line.setWidth(std::min(line.width(), plainMetrics.horizontalAdvance(detail) + 1));
            put(line, detail, plain, m_tokens.dim);
        }
    }
}

} // namespace fx::ui
