// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/colour_legend.h"

#include <QFontMetricsF>

namespace fx::ui {

namespace {

constexpr double kLegendRow = 18, kLegendInset = 8, kSwatch = 9, kToWords = 7, kToEdge = 14;
constexpr size_t kMostRows = 12; ///< parts can be many

size_t rowsOf(const std::vector<BoxGroup>& groups) {
    return std::min(groups.size(), kMostRows);
}

/// The last row says how many there is no row for.
QString rowText(const std::vector<BoxGroup>& groups, size_t row) {
    const bool isCut = row + 1 == kMostRows && groups.size() > kMostRows;
    return isCut ? QString("and %1 more").arg(groups.size() - row) : groups[row].name;
}

} // namespace

QRectF legendPlace(const std::vector<BoxGroup>& groups, const QFont& font, QSizeF canvas) {
    if (groups.empty())
        return {};
    const QFontMetricsF metrics(font);
    double width = 0;
    for (size_t row = 0; row < rowsOf(groups); ++row)
        width = std::max(width, metrics.horizontalAdvance(rowText(groups, row)));
    QRectF out(0, 0, width + kSwatch + kToWords + 2 * kLegendInset,
               static_cast<double>(rowsOf(groups)) * kLegendRow + kLegendInset);
    out.moveBottomRight(QPointF(canvas.width() - kToEdge, canvas.height() - kToEdge));
    return out;
}

void paintLegend(QPainter& painter, const std::vector<BoxGroup>& groups, const QFont& font, QSizeF canvas,
                 const Tokens& tokens) {
    const QRectF place = legendPlace(groups, font, canvas);
    if (place.isEmpty())
        return;
    painter.setPen(QPen(tokens.line, 1));
    painter.setBrush(tokens.panel);
    painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.setFont(font);
    QRectF line(place.left() + kLegendInset, place.top() + kLegendInset / 2, place.width() - 2 * kLegendInset,
                kLegendRow);
    for (size_t row = 0; row < rowsOf(groups); ++row, line.translate(0, kLegendRow)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(hueOf(groups, row, tokens));
        painter.drawRoundedRect(QRectF(line.left(), line.center().y() - kSwatch / 2, kSwatch, kSwatch), 2, 2);
        painter.setPen(tokens.text);
        painter.drawText(line.adjusted(kSwatch + kToWords, 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         rowText(groups, row));
    }
}

} // namespace fx::ui
