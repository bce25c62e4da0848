// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/calls_after_dialogs.h"

#include <QAbstractEventDispatcher>
#include <QApplication>

#include <utility>

namespace fx {

namespace {

bool isAsking() {
    return QApplication::activeModalWidget() || QApplication::activePopupWidget();
}

} // namespace

void CallsAfterDialogs::add(std::function<void()> then) {
    if (m_waiting.empty() && !isAsking())
        return then();
    m_waiting.push_back(std::move(then));
    if (!m_watching)
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
    for (const auto& then : std::exchange(m_waiting, {}))
        add(then); // waits again if the one before it has opened a dialog
}

} // namespace fx
