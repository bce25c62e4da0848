// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of tensors side by side, each number a cell. What is no number, and what lies outside of the
// colours, has a sign of its own: x for NaN, triangles for Inf, + and - for what is clipped. A cursor is
// moved by the arrow keys and by clicks, in all of them at once.
#pragma once

#include "core/torch/values/tensor_picture.h"
#include "widgets/panes/axis_labels.h"
#include "widgets/panes/colour_scale.h"

#include <QImage>
#include <QPoint>
#include <QWidget>

#include <vector>

namespace fx::ui {

class Theme;

class TensorImage : public QWidget {
    Q_OBJECT

public:
    explicit TensorImage(const Theme& theme);

    struct Panel {
        QString title; ///< empty: it is the only one
        TensorPicture picture;
        ColourScale scale;
    };
    /// All of them are laid out alike.
    void setPanels(std::vector<Panel> panels);
    void setScale(size_t panel, const ColourScale& scale);
    const std::vector<Panel>& panels() const { return m_panels; }

    /// Words for the places of each axis that has as many.
    void setWords(const QStringList& words);
    const AxisLabels& labels() const { return m_labels; }
    /// Row and column.
    QPoint cursorCell() const { return m_cursor; }
    /// Into the picture, as far as it reaches.
    void setCursorCell(QPoint cell);
    /// Where a cell is painted.
    QRectF cellRect(size_t panel, QPoint cell) const;
    QSize sizeHint() const override { return {320, 220}; }

Q_SIGNALS:
    void cursorMoved();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    enum class Sign { None, Clipped, ClippedLow, Inf, MinusInf, NaN };
    struct Place {
        QRectF rect; ///< of the cells
        QRectF title;
        QSizeF margin; ///< of the labels, left of the cells and above them
    };
    Place placeOf(size_t panel) const;
    void render();
    Sign signOf(const Panel& panel, int row, int column) const;
    void paintSigns(QPainter& painter, const Panel& panel, const QRectF& rect) const;
    void paintGaps(QPainter& painter, const Panel& panel, const QRectF& rect) const;
    void takeMouse(const QPointF& at);

    const Theme& m_theme;
    std::vector<Panel> m_panels;
    std::vector<QImage> m_images;
    AxisLabels m_labels;
    QPoint m_cursor{0, 0}; ///< x: the column, y: the row
};

} // namespace fx::ui
