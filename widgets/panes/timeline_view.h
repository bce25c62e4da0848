// SPDX-License-Identifier: GPL-3.0-or-later
// A run drawn over time: the memory of its values, below it the modules one inside the other, and at the
// bottom the nodes. The wheel, plus and minus zoom; Left and Right go from node to node.
#pragma once

#include "core/analyze/timeline.h"

#include <QWidget>

#include <functional>

namespace fx::ui {

class Theme;

class TimelineView : public QWidget {
    Q_OBJECT

public:
    TimelineView(const Theme& theme, std::function<QString(NodeRef)> nameOf);
    void setTimeline(Timeline timeline);
    void setSelected(NodeRef node);
    void setCurrent(NodeRef node); ///< about to run
    /// Where a node is painted; empty where it has not run or is out of sight.
    QRectF rectOf(NodeRef node) const;
    QSize sizeHint() const override { return {500, 150}; }

Q_SIGNALS:
    void chosen(fx::NodeRef node);
    void scopeChosen(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF memoryArea() const;
    QRectF lane(int depth) const; ///< of a depth of scopes; that of the nodes is behind the last
    int depths() const;
    double xOf(double at) const;
    double timeAt(double x) const;
    void zoom(double factor, double around);
    void paintMemory(QPainter& painter) const;
    void paintScopes(QPainter& painter) const;
    void paintNodes(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    /// The node that ran at a time, or before it.
    int spanAt(double time) const;
    const TimelineScope* scopeAt(const QPointF& at) const;

    const Theme& m_theme;
    const std::function<QString(NodeRef)> m_nameOf;
    Timeline m_timeline;
    double m_from = 0, m_to = 1; ///< what is in sight, in milliseconds
    NodeRef m_selected, m_current;
};

} // namespace fx::ui
