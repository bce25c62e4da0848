// SPDX-License-Identifier: GPL-3.0-or-later
// What a quantized model loses over what its weights or a run of it take: a point for each number of calls
// that stay in float32. Left and Right go from point to point, Return or a double click chooses one.
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

namespace fx::ui {

class Theme;

struct TradeOffMark {
    double error = 0;              ///< SQNR in dB; infinite: exact
    double bytes = 0;              ///< of the weights
    std::optional<double> seconds; ///< of a run
    QString label;                 ///< "5 quantized"
    QString left;                  ///< names of what stays in float32
};

class TradeOffChart : public QWidget {
    Q_OBJECT

public:
    explicit TradeOffChart(const Theme& theme);
    void setMarks(std::vector<TradeOffMark> marks);
    /// Over seconds instead of bytes.
    void setOverTime(bool isOverTime);
    int current() const { return m_current; }
    QSize sizeHint() const override { return {320, 160}; }
    /// Where a point is drawn; none where it has no place, as its time is not known.
    std::optional<QPointF> placeOf(int mark) const;

Q_SIGNALS:
    void currentChanged(int mark);
    void chosen(int mark);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF area() const;
    std::optional<double> acrossOf(const TradeOffMark& mark) const;
    QString across(double number) const;
    QString textOf(const TradeOffMark& mark) const;
    int nearest(QPointF at) const;
    void setCurrent(int mark);

    const Theme& m_theme;
    std::vector<TradeOffMark> m_marks;
    int m_current = -1;
    bool m_isOverTime = false;
};

} // namespace fx::ui
