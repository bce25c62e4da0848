// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/calls_after_dialogs.h"

#include <QAbstractEventDispatcher>
#include <QApplication>

#include <utility>

namespace fx::ui {

namespace {

bool isAsking() {
    return QApplication::activeModalWidget() || QApplication::activePopupWidget();
}

} // namespace

void CallsAfterDialogs::add(std::function<void()> then) {
    if (m_waiting.empty() && !m_isRunning && !isAsking())
        return then();
    m_waiting.push_back(std::move(then));
    watch();
}

void CallsAfterDialogs::watch() {
    if (!m_watching && !m_isRunning)
        m_watching = connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::awake, this,
                             &CallsAfterDialogs::check);
}

/// An event loop begins a turn. The loop of a dialog that was closed has none any more.
void CallsAfterDialogs::check() {
    if (isAsking())
        return;
    disconnect(std::exchange(m_watching, {}));
    QMetaObject::invokeMethod(this, &CallsAfterDialogs::run, Qt::QueuedConnection);
}

void CallsAfterDialogs::run() {
    m_isRunning = true;
    while (!m_waiting.empty() && !isAsking()) {
        const std::function<void()> then = std::move(m_waiting.front());
        m_waiting.pop_front();
        then();
    }
    m_isRunning = false;
    if (!m_waiting.empty())
        watch();
}

} // namespace fx::ui
