// SPDX-License-Identifier: GPL-3.0-or-later
// How the elements of a tensor are spread, as bars.
#pragma once

#include <QWidget>

#include <cstdint>
#include <vector>

namespace fx {

class Theme;

class Histogram : public QWidget {
    Q_OBJECT

public:
    explicit Histogram(const Theme& theme);
    /// Counts of equal bins between the two ends.
    void setBins(std::vector<uint32_t> bins, double minimum, double maximum);
    QSize sizeHint() const override { return {200, 76}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    const Theme& m_theme;
    std::vector<uint32_t> m_bins;
    double m_minimum = 0, m_maximum = 0;
};

} // namespace fx
