// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/axis_labels.h"

#include <algorithm>
#include <cmath>

namespace fx::ui {

namespace {

constexpr double kLabelSpace = 4, kWidestLabel = 96;
constexpr double kLeastRoom = 150; ///< of the whole picture, for numbers; words are shown in any case

double widest(const QStringList& texts, const QFontMetricsF& metrics) {
    double out = 0;
    for (const QString& text : texts)
        out = std::max(out, metrics.horizontalAdvance(text));
    return std::min(out, kWidestLabel);
}

/// Each so many of labels that stand so far apart, and need so much.
qsizetype stepOf(double apart, double needed) {
    return std::max<qsizetype>(1, static_cast<qsizetype>(std::ceil(needed / std::max(apart, 0.01))));
}

} // namespace

QString AxisLabels::text(const PictureAxis& axis, int64_t place) const {
    return m_words.size() == axis.size ? m_words[static_cast<qsizetype>(place)] : QString::number(place);
}

QStringList AxisLabels::along(const TensorPicture& picture, AxisUse use) const {
    const auto axis = std::find_if(picture.axes.rbegin(), picture.axes.rend(),
                                   [use](const PictureAxis& each) { return each.use == use; });
    QStringList out;
    for (int64_t i = 0; axis != picture.axes.rend() && i < axis->count(); ++i)
        out << text(*axis, i * axis->step);
    return out;
}

QSizeF AxisLabels::margin(const TensorPicture& picture, const QSizeF& room,
                          const QFontMetricsF& metrics) const {
    const bool hasWords = std::ranges::any_of(picture.axes, [this](const PictureAxis& axis) {
        return m_words.size() == axis.size && (axis.use == AxisUse::Rows || axis.use == AxisUse::Columns);
    });
    if (!hasWords && std::min(room.width(), room.height()) < kLeastRoom)
        return {0, 0};
    const QStringList rows = along(picture, AxisUse::Rows), columns = along(picture, AxisUse::Columns);
    // Words above the columns stand upright, as there is a line's width for each.
    return {rows.isEmpty() ? 0 : widest(rows, metrics) + kLabelSpace,
            columns.isEmpty() ? 0 : (hasWords ? widest(columns, metrics) : metrics.height()) + kLabelSpace};
}

void AxisLabels::paint(QPainter& painter, const TensorPicture& picture, const QRectF& cells,
                       const QSizeF& margin) const {
    const QFontMetricsF metrics(painter.font());
    const auto label = [&](const QRectF& box, Qt::Alignment side, const QString& text) {
        painter.drawText(box, int(side | Qt::AlignVCenter | Qt::TextSingleLine),
                         metrics.elidedText(text, Qt::ElideRight, box.width()));
    };
    const double line = metrics.height(), tall = cells.height() / static_cast<double>(picture.rows),
                 wide = cells.width() / static_cast<double>(picture.columns);
    const QStringList rows = along(picture, AxisUse::Rows), columns = along(picture, AxisUse::Columns);
    // Where pictures stand side by side, the last label of one may leave no room for the first of the next.
    double end = 0;
    const auto hasRoom = [&end](double middle, double needed) {
        const bool fits = end == 0 || middle - needed / 2 >= end;
        if (fits)
            end = middle + needed / 2;
        return fits;
    };
    if (margin.width() > 0)
        for (int64_t row = 0; row < picture.rows; ++row) {
            const qsizetype at = row % rows.size();
            const double middle = cells.top() + tall * (static_cast<double>(row) + 0.5);
            if (at % stepOf(tall, line) == 0 && hasRoom(middle, line))
                label({cells.left() - margin.width(), middle - line / 2, margin.width() - kLabelSpace, line},
                      Qt::AlignRight, rows[at]);
        }
    if (margin.height() <= 0)
        return;
    const bool isUpright = margin.height() > line + kLabelSpace;
    const double needed = isUpright ? line : widest(columns, metrics) + 2 * kLabelSpace;
    end = 0;
    for (int64_t column = 0; column < picture.columns; ++column) {
        const qsizetype at = column % columns.size();
        const double middle = cells.left() + wide * (static_cast<double>(column) + 0.5);
        if (at % stepOf(wide, needed) != 0 || !hasRoom(middle, needed))
            continue;
        painter.save();
        painter.translate(middle, cells.top() - kLabelSpace);
        if (isUpright) {
            painter.rotate(-90);
            label({0, -line / 2, margin.height() - kLabelSpace, line}, Qt::AlignLeft, columns[at]);
        } else {
            label({-needed / 2, -line, needed, line}, Qt::AlignHCenter, columns[at]);
        }
        painter.restore();
    }
}

} // namespace fx::ui
