// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that wait while a dialog or a menu is open, such as showing a file that was read meanwhile.
#pragma once

#include <QObject>

#include <deque>
#include <functional>

namespace fx::ui {

class CallsAfterDialogs : public QObject {
    Q_OBJECT

public:
    /// Calls `then` now if no dialog and no menu is open, else once none is. The calls keep their order.
    void add(std::function<void()> then);

private:
    void watch();
    void check();
    void run();

    std::deque<std::function<void()>> m_waiting;
    bool m_isRunning = false;           ///< a call that waited is under way
    QMetaObject::Connection m_watching; ///< to the event loop, while calls wait
};

} // namespace fx::ui
