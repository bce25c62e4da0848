// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/diagram_painter.h"

#include "core/layout/placement.h"
#include "widgets/session/text_metrics.h"
#include "widgets/support/qt_text.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include <cmath>

namespace fx {

namespace {

using Kind = DiagramBox::Kind;

constexpr double kRadius = 7, kBar = 4.5;
/// The scales at which a step of detail begins.
constexpr double kNamesFrom = 0.22, kCallsFrom = 0.55, kAllFrom = 0.72;
/// Names stay readable while their boxes shrink.
constexpr double kLeastTitle = 9.5;

QColor mixed(const QColor& a, const QColor& b, double t) {
    const auto at = [t](double x, double y) { return static_cast<float>(x + (y - x) * t); };
    return QColor::fromRgbF(at(a.redF(), b.redF()), at(a.greenF(), b.greenF()), at(a.blueF(), b.blueF()));
}

} // namespace

QFont DiagramPainter::scaled(const QFont& font, double pixels, int weight) const {
    QFont out = font;
    // Rounded down: boxes are as wide as their text at 100 %, and a larger letter would be cut.
    out.setPixelSize(std::max(1, static_cast<int>(pixels + 0.01)));
    out.setWeight(static_cast<QFont::Weight>(weight));
    return out;
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

// --- Wires

bool DiagramPainter::isLit(const DiagramEdge& edge) const {
    return state(edge.from).isSelected || state(edge.to).isSelected;
}

void DiagramPainter::paintEdges(const std::vector<int>& edges) {
    QPainterPath quiet, quietHeads;
    std::vector<QLineF> lines;
    std::vector<int> lit;
    const auto at = [&](const Point& p) { return m_camera.toScreen(QPointF(p.x, p.y)); };
    const auto add = [&](int index, QPainterPath& wires, QPainterPath& heads) {
        const std::vector<Point>& path = m_geometry.edge(index).path;
        if (path.empty())
            return;
        wires.moveTo(at(path[0]));
        for (size_t i = 1; i + 2 < path.size(); i += 3)
            wires.cubicTo(at(path[i]), at(path[i + 1]), at(path[i + 2]));
        if (m_scale < kNamesFrom)
            return;
        const QPointF tip = at(path.back());
        QPointF along = tip - at(path[path.size() - 2]);
        const double length = std::hypot(along.x(), along.y());
        along = length > 0.01 ? along / length : QPointF(0, 1);
        const QPointF across(-along.y(), along.x());
        const double size = 6 * m_scale;
        heads.addPolygon(QPolygonF({tip, tip - along * size * 1.25 + across * size * 0.6,
                                    tip - along * size * 1.25 - across * size * 0.6, tip}));
    };
    // Wires pass with the boxes: faint while these are on their way.
    m_painter->setOpacity(m_geometry.transition());
    for (int index : edges) {
        const DiagramEdge& edge = m_geometry.edge(index);
        if (isLit(edge) || index == m_hover.edge) {
            lit.push_back(index);
        } else if (m_detail == Detail::Blocks) {
            const std::vector<Point>& path = edge.path;
            for (size_t i = 0; i + 3 < path.size(); i += 3)
                lines.emplace_back(at(path[i]), at(path[i + 3]));
        } else {
            add(index, quiet, quietHeads);
        }
    }
    if (!lines.empty()) {
        m_painter->setPen(QPen(mixed(m_tokens.wire, m_tokens.canvas, 0.35), 1));
        m_painter->drawLines(lines.data(), static_cast<int>(lines.size()));
    }
    m_painter->setBrush(Qt::NoBrush);
    m_painter->setPen(pen(m_tokens.wire, 1.4));
    m_painter->drawPath(quiet);
    m_painter->setPen(Qt::NoPen);
    m_painter->setBrush(m_tokens.wire);
    m_painter->drawPath(quietHeads);
    QPainterPath litWires, litHeads;
    for (int index : lit)
        add(index, litWires, litHeads);
    m_painter->setBrush(Qt::NoBrush);
    m_painter->setPen(pen(m_tokens.wireSelected, 2));
    m_painter->drawPath(litWires);
    m_painter->setPen(Qt::NoPen);
    m_painter->setBrush(m_tokens.wireSelected);
    m_painter->drawPath(litHeads);
    m_painter->setOpacity(1);
}

std::vector<QRectF> DiagramPainter::writtenPlaces(const std::vector<int>& boxes) const {
    std::vector<QRectF> out;
    for (int box : boxes) {
        const bool isField = m_geometry.box(box).kind == Kind::ExpandedScope;
        out.push_back(m_camera.toScreen(isField ? m_geometry.titleRect(box) : m_geometry.rect(box)));
    }
    return out;
}

QRectF DiagramPainter::labelPlace(const std::vector<Point>& path, QSizeF size,
                                  const std::vector<QRectF>& taken) const {
    const size_t pieces = (path.size() - 1) / 3, middle = (pieces - 1) / 2;
    // The middle first, then ever farther from it.
    for (size_t step = 0; step < 2 * pieces; ++step) {
        const size_t piece = step % 2 ? middle + (step + 1) / 2 : middle - step / 2;
        if (piece >= pieces)
            continue;
        for (const double t : {0.5, 0.3, 0.7}) {
            const Point* p = &path[piece * 3];
            const double u = 1 - t, weights[] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
            QPointF at;
            for (int i = 0; i < 4; ++i)
                at += QPointF(p[i].x, p[i].y) * weights[i];
            at = m_camera.toScreen(at);
            const QRectF place(at.x() - size.width() / 2, at.y() - size.height() / 2, size.width(),
                               size.height());
            const auto isHit = [&](const QRectF& other) { return other.intersects(place); };
            if (std::none_of(taken.begin(), taken.end(), isHit))
                return place;
        }
    }
    return {};
}

void DiagramPainter::paintEdgeLabels(const std::vector<int>& edges, const std::vector<int>& boxes) {
    const QFontMetricsF metrics(m_small);
    std::vector<QRectF> taken = writtenPlaces(boxes);
    for (int index : edges) {
        const DiagramEdge& edge = m_geometry.edge(index);
        const QString& label = m_geometry.picture()->edgeLabels[static_cast<size_t>(index)];
        if (label.isEmpty() || edge.path.size() < 4 || m_geometry.box(edge.from).kind == Kind::Stub)
            continue;
        const QRectF where =
            labelPlace(edge.path, {metrics.horizontalAdvance(label) + 6, metrics.height()}, taken);
        // Its boxes say the shape too; where there is no room, a label would only hide them.
        if (where.isEmpty())
            continue;
        taken.push_back(where);
        m_painter->setPen(Qt::NoPen);
        m_painter->setBrush(m_tokens.canvas);
        m_painter->drawRoundedRect(where, 3, 3);
        const bool isStrong = isLit(edge) || index == m_hover.edge;
        write(where, Qt::AlignCenter, label, m_small, isStrong ? m_tokens.selection : m_tokens.dim);
    }
}

// --- Boxes

void DiagramPainter::paintBlocks(const std::vector<int>& boxes) {
    m_painter->setPen(Qt::NoPen);
    std::vector<std::pair<QRectF, QColor>> marked;
    for (int index : boxes) {
        const DiagramBox& box = m_geometry.box(index);
        if (box.kind == Kind::ExpandedScope)
            continue;
        const QRectF rect = m_camera.toScreen(m_geometry.rect(index));
        const BoxState& s = state(index);
        QColor color = m_tokens.kind(m_geometry.picture()->opcodes[static_cast<size_t>(index)]);
        if (box.kind == Kind::Stub)
            color = m_tokens.wire;
        else if (s.isAwaited)
            color = mixed(color, m_tokens.canvas, 0.6);
        m_painter->fillRect(rect, color);
        if (s.isCurrent)
            marked.emplace_back(rect, m_tokens.current);
        else if (!s.fault.isEmpty() || !s.health.isFinite())
            marked.emplace_back(rect, m_tokens.fault);
        else if (s.isSelected)
            marked.emplace_back(rect, m_tokens.selection);
    }
    // What matters is seen from any distance.
    for (const auto& [rect, color] : marked)
        m_painter->fillRect(rect.united(QRectF(rect.center() - QPointF(3, 3), QSizeF(6, 6))), color);
}

QColor DiagramPainter::fieldColor() const {
    return mixed(m_tokens.canvas, m_tokens.wire, m_tokens.isDark ? 0.10 : 0.12);
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
        m_painter->drawRoundedRect(m_camera.toScreen(m_geometry.rect(index)), kRadius * m_scale,
                                   kRadius * m_scale);
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
        const QString name = QString(QChar(0x25BE)) + ' ' + qt(text.title);
        const double nameWidth = std::min(boldMetrics.horizontalAdvance(name), line.width());
        put(QRectF(line.topLeft(), QSizeF(nameWidth, line.height())), name, bold, m_tokens.text);
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

void DiagramPainter::paintKindBar(const QRectF& rect, Opcode opcode, double radius) {
    const double bar = std::max(2.0, kBar * m_scale);
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
    m_painter->setBrush(m_tokens.kind(opcode));
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
        border = mixed(m_tokens.selection, m_tokens.panel, 0.35);
        width = 1.2;
    }
    if (s.isAwaited && !s.isCurrent)
        fill = mixed(m_tokens.panel, m_tokens.canvas, 0.6);
    m_painter->setPen(pen(border, width));
    m_painter->setBrush(fill);
    m_painter->drawRoundedRect(rect, radius, radius);
}

void DiagramPainter::paintMarks(const QRectF& rect, const BoxState& s) {
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
    if (s.fault.isEmpty() || m_detail < Detail::Calls)
        return;
    const QRectF below(rect.left(), rect.bottom() + 3 * m_scale, std::max(rect.width(), 260 * m_scale),
                       18 * m_scale);
    write(below, Qt::AlignLeft | Qt::AlignVCenter, s.fault, m_small, m_tokens.fault);
}

void DiagramPainter::paintCard(int index) {
    using namespace card;
    const Picture& picture = *m_geometry.picture();
    const size_t i = static_cast<size_t>(index);
    const QRectF rect = m_camera.toScreen(m_geometry.rect(index));
    const BoxState& s = state(index);
    const BoxText& text = picture.texts[i];
    const double k = m_scale, radius = std::min(kRadius * k, rect.height() / 2);
    const bool isWeight = picture.opcodes[i] == Opcode::GetAttr;
    paintFrame(rect, s, radius);
    paintKindBar(rect, picture.opcodes[i], radius);
    if (m_hover.value && m_geometry.box(index).node == m_hover.value) {
        m_painter->setPen(pen(m_tokens.selection, 1.6));
        m_painter->setBrush(Qt::NoBrush);
        m_painter->drawRoundedRect(rect, radius, radius);
    }

    const QColor strong = s.isAwaited ? m_tokens.dim : m_tokens.text;
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
        write(line, Qt::AlignLeft | Qt::AlignVCenter, qt(text.title), m_title, strong);
        paintMarks(rect, s);
        return;
    }

    const auto lineAt = [&](double baseline, double height) {
        return QRectF(inside.left(), rect.top() + (baseline - height + 4) * k, inside.width(), height * k);
    };
    QRectF title = lineAt(kTitle, 18);
    QString right;
    if (s.isCurrent)
        right = "paused";
    else if (!s.setTo.isEmpty())
        right = "set";
    else if (s.hasRun && s.milliseconds > 0)
        right = timeLabel(s.milliseconds);
    if (!right.isEmpty()) {
        const double width = QFontMetricsF(m_small).horizontalAdvance(right);
        write(title, Qt::AlignRight | Qt::AlignVCenter, right, m_small,
              right == "set" ? m_tokens.number : m_tokens.dim);
        title.setRight(title.right() - width - 8 * k);
    }
    write(title, Qt::AlignLeft | Qt::AlignVCenter, qt(text.title), m_title, strong);
    write(lineAt(kDetail, 16), Qt::AlignLeft | Qt::AlignVCenter, qt(text.detail), m_body, m_tokens.dim);

    const QString value = s.value.isEmpty() ? qt(text.value) : s.value;
    if (m_detail == Detail::All && !value.isEmpty() && rect.height() > kShortHeight * k + 1) {
        const double most = inside.width() - 16 * k;
        const double width = std::min(QFontMetricsF(m_chip).horizontalAdvance(value) + 12 * k, most);
        const QRectF chip(inside.left(), rect.top() + kChip * k, width, kChipHeight * k);
        m_painter->setPen(Qt::NoPen);
        m_painter->setBrush(mixed(m_tokens.panel, m_tokens.wire, m_tokens.isDark ? 0.25 : 0.2));
        m_painter->drawRoundedRect(chip, 4 * k, 4 * k);
        write(chip.adjusted(6 * k, 0, -6 * k, 0), Qt::AlignLeft | Qt::AlignVCenter, value, m_chip,
              s.isAwaited ? m_tokens.dim : m_tokens.text);
    }
    if (s.hasRun) {
        const bool isFinite = s.health.isFinite();
        if (isFinite) {
            m_painter->setPen(Qt::NoPen);
            m_painter->setBrush(m_tokens.healthy);
            m_painter->drawEllipse(QPointF(inside.right() - 3 * k, rect.bottom() - 13 * k), 3.5 * k, 3.5 * k);
        } else {
            const QString badge = s.health.hasNan && s.health.hasInf ? "NaN Inf"
                                  : s.health.hasNan                  ? "NaN"
                                                                     : "Inf";
            const QFont bold = scaled(m_textFont, 10.5 * k, QFont::Bold);
            const double width = QFontMetricsF(bold).horizontalAdvance(badge) + 10 * k;
            const QRectF where(inside.right() - width + 4 * k, rect.bottom() - 21 * k, width, 15 * k);
            m_painter->setPen(Qt::NoPen);
            m_painter->setBrush(m_tokens.fault);
            m_painter->drawRoundedRect(where, 4 * k, 4 * k);
            write(where, Qt::AlignCenter, badge, bold, m_tokens.primaryText);
        }
    }
    paintMarks(rect, s);
}

void DiagramPainter::paintCollapsedScope(int index) {
    using namespace card;
    const QRectF rect = m_camera.toScreen(m_geometry.rect(index));
    const BoxState& s = state(index);
    const BoxText& text = m_geometry.picture()->texts[static_cast<size_t>(index)];
    const double k = m_scale, radius = kRadius * k;
    m_painter->setBrush(mixed(m_tokens.panel, m_tokens.canvas, 0.5));
    m_painter->setPen(pen(m_tokens.line, 1));
    for (const double shift : {6.0, 3.0})
        m_painter->drawRoundedRect(rect.translated(shift * k, shift * k), radius, radius);
    paintFrame(rect, s, radius);
    const QRectF inside = rect.adjusted(kLeft * k, 0, -kRight * k, 0);
    const QColor strong = s.isAwaited ? m_tokens.dim : m_tokens.text;
    const QString name = QString(QChar(0x25B8)) + ' ' + qt(text.title);
    if (m_detail == Detail::Names) {
        write(inside, Qt::AlignLeft | Qt::AlignVCenter, name, m_title, strong);
        paintMarks(rect, s);
        return;
    }
    QString right = s.isCurrent ? "paused" : qt(text.value);
    if (s.hasRun && s.milliseconds > 0 && !s.isCurrent)
        right = timeLabel(s.milliseconds);
    const QColor rightColor = s.health.isFinite() ? m_tokens.dim : m_tokens.fault;
    if (!s.health.isFinite())
        right = s.health.hasNan ? "NaN inside" : "Inf inside";
    QRectF title(inside.left(), rect.top() + 6 * k, inside.width(), 18 * k);
    write(title, Qt::AlignRight | Qt::AlignVCenter, right, m_small, rightColor);
    title.setRight(title.right() - QFontMetricsF(m_small).horizontalAdvance(right) - 8 * k);
    write(title, Qt::AlignLeft | Qt::AlignVCenter, name, m_title, strong);
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
    m_painter->setBrush(m_tokens.kind(m_geometry.picture()->opcodes[static_cast<size_t>(index)]));
    m_painter->drawEllipse(QPointF(rect.left() + 9 * k, rect.center().y()), 3 * k, 3 * k);
    write(rect.adjusted(15 * k, 0, -7 * k, 0), Qt::AlignLeft | Qt::AlignVCenter, qt(text.title), m_small,
          m_tokens.dim);
}

} // namespace fx
