// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/picture_image.h"

#include <algorithm>
#include <cmath>

namespace fx::ui {

namespace {

int channel(const ColourScale& scale, double number) {
    const double span = scale.high - scale.low;
    return span > 0 ? std::clamp(static_cast<int>((number - scale.low) / span * 255), 0, 255) : 0;
}

QRgb pixelOf(const TensorPicture& p, int row, int column, const ColourScale& scale, const Tokens& tokens) {
    bool isNumber = true;
    for (int plane = 0; plane < p.planes; ++plane)
        isNumber &= !std::isnan(p.cell(row, column, plane));
    if (!isNumber)
        return (elementAt(p, row, column) ? tokens.faultBack : tokens.panel).rgb();
    const double number = p.cell(row, column);
    if (p.planes == 3)
        return qRgb(channel(scale, number), channel(scale, p.cell(row, column, 1)),
                    channel(scale, p.cell(row, column, 2)));
    return scale.colour(number, tokens).rgb();
}

} // namespace

QImage imageOf(const TensorPicture& picture, const ColourScale& scale, const Tokens& tokens) {
    QImage out(static_cast<int>(picture.columns), static_cast<int>(picture.rows), QImage::Format_RGB32);
    for (int row = 0; row < out.height() && !picture.cells.empty(); ++row) {
        auto* line = reinterpret_cast<QRgb*>(out.scanLine(row));
        for (int column = 0; column < out.width(); ++column)
            line[column] = pixelOf(picture, row, column, scale, tokens);
    }
    return out;
}

} // namespace fx::ui
