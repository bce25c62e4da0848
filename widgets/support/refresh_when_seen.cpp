// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/refresh_when_seen.h"

#include <QEvent>
#include <QWidget>

#include <utility>

namespace fx::ui {

RefreshWhenSeen::RefreshWhenSeen(QWidget& widget, std::function<void()> refresh)
    : m_widget(widget), m_refresh(std::move(refresh)) {
    widget.installEventFilter(this);
}

bool RefreshWhenSeen::isDue() {
    // The pages of hidden tabs are visible to Qt, which puts them beside the window.
    m_isOld = !m_widget.isVisible() || m_widget.visibleRegion().isEmpty();
    return !m_isOld;
}

bool RefreshWhenSeen::eventFilter(QObject* widget, QEvent* event) {
    if (event->type() == QEvent::Paint && m_isOld)
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (m_isOld)
                    m_refresh();
            },
            Qt::QueuedConnection);
    return QObject::eventFilter(widget, event);
}

} // namespace fx::ui
