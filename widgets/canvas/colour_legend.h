// SPDX-License-Identifier: GPL-3.0-or-later
// What the colours of groups mean, in the lower right corner of the canvas.
#pragma once

#include "widgets/canvas/box_states.h"

#include <QFont>
#include <QPainter>

namespace fx::ui {

/// Where the legend is on a canvas of that size; empty without groups.
QRectF legendPlace(const std::vector<BoxGroup>& groups, const QFont& font, QSizeF canvas);
void paintLegend(QPainter& painter, const std::vector<BoxGroup>& groups, const QFont& font, QSizeF canvas,
                 const Tokens& tokens);

} // namespace fx::ui
