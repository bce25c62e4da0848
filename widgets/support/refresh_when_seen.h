// SPDX-License-Identifier: GPL-3.0-or-later
// A pane that is out of sight is refreshed when it comes into sight, and not for each change before.
#pragma once

#include <QObject>

#include <functional>

class QWidget;

namespace fx::ui {

class RefreshWhenSeen : public QObject {
public:
    /// A member of the widget.
    RefreshWhenSeen(QWidget& widget, std::function<void()> refresh);

    /// Asked before a refresh: whether any of the widget is in sight. If not, what it shows is old.
    bool isDue();
    /// What is shown is from before the widget was out of sight.
    bool isOld() const { return m_isOld; }

private:
    bool eventFilter(QObject* widget, QEvent* event) override;

    QWidget& m_widget;
    std::function<void()> m_refresh;
    bool m_isOld = true;
};

} // namespace fx::ui
