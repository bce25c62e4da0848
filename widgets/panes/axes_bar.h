// SPDX-License-Identifier: GPL-3.0-or-later
// How a tensor's dimensions are laid out in its picture: for each what it is taken for, and for those of
// which one place is shown, where that is.
#pragma once

#include "core/torch/values/tensor_picture.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QSlider;

namespace fx::ui {

class AxesBar : public QWidget {
    Q_OBJECT

public:
    AxesBar();
    /// As a picture has them. Nothing is told of that.
    void show(const std::vector<PictureAxis>& axes);
    std::vector<AxisUse> uses() const;
    std::vector<int64_t> places() const;
    void setPlaces(const std::vector<int64_t>& places);

Q_SIGNALS:
    /// By the user.
    void changed();

private:
    struct Row {
        QComboBox* use;
        QSlider* place;
        QLabel* number;
    };
    void rebuild(const std::vector<PictureAxis>& axes);
    void take(size_t axis);
    void refresh(size_t axis);

    QGridLayout* m_grid;
    std::vector<Row> m_rows;
    std::vector<int64_t> m_sizes;
    bool m_isShowing = false;
};

} // namespace fx::ui
