// SPDX-License-Identifier: GPL-3.0-or-later
// How the elements of a tensor are spread, as bars over the range of colours that a picture gives them. The
// ends of that range are moved by dragging, and by the arrow keys: Left and Right the lower one, with Shift
// the upper one.
#pragma once

#include "widgets/panes/colour_scale.h"

#include <QWidget>

#include <cstdint>
#include <vector>

namespace fx::ui {

class Theme;

class Histogram : public QWidget {
    Q_OBJECT

public:
    explicit Histogram(const Theme& theme);
    /// Counts of equal bins between the two ends.
    void setBins(std::vector<uint32_t> bins, double minimum, double maximum);
    void setScale(const ColourScale& scale);
    void setLogarithmic(bool isLogarithmic);
    QSize sizeHint() const override { return {200, 64}; }

Q_SIGNALS:
    /// By the user.
    void scaleChosen(const fx::ui::ColourScale& scale);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class End { None, Low, High };
    QRectF area() const;
    /// The numbers at the two sides: all bins and both ends are seen.
    double left() const;
    double right() const;
    double xOf(double number) const;
    double numberAt(double x) const;
    void move(End end, double number);

    const Theme& m_theme;
    std::vector<uint32_t> m_bins;
    double m_minimum = 0, m_maximum = 0;
    ColourScale m_scale;
    bool m_isLogarithmic = false;
    End m_dragged = End::None;
    double m_left = 0, m_right = 1; ///< while one is dragged
};

} // namespace fx::ui
