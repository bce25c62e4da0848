// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the rows of a tensor's picture and above its columns: the places of the axis, or a
// user's words for them, such as the tokens that an attention is between.
#pragma once

#include "core/torch/values/tensor_picture.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QSizeF>
#include <QStringList>

namespace fx::ui {

class AxisLabels {
public:
    /// For the places of each axis that has as many; none: numbers.
    void setWords(const QStringList& words) { m_words = words; }
    /// "cat", or "2".
    QString text(const PictureAxis& axis, int64_t place) const;
    /// The room that they take of so much, left and above; none where little would be left.
    QSizeF margin(const TensorPicture& picture, const QSizeF& room, const QFontMetricsF& metrics) const;
    /// Into the margin left of the cells and above them; as many as fit.
    void paint(QPainter& painter, const TensorPicture& picture, const QRectF& cells,
               const QSizeF& margin) const;

private:
    /// Of the innermost axis that goes that way.
    QStringList along(const TensorPicture& picture, AxisUse use) const;

    QStringList m_words;
};

} // namespace fx::ui
