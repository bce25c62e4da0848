// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window_context.h"

#include "core/session/remote_host.h"
#include "widgets/panes/toast.h"
#include "widgets/support/qt_text.h"

namespace fx::ui {

void WindowContext::tell(const QString& text, bool isFault) const {
    view().toast().tell(text, isFault);
}

void WindowContext::take(const QString& reason) const {
    if (!reason.isEmpty())
        tell(reason, true);
}

QStringList WindowContext::devices() const {
    const RemoteHost* host = tabs.workspace() ? debug().place().host() : nullptr;
    QStringList out;
    if (host)
        for (const std::string& device : host->devices())
            out << qt(device);
    else
        out = service.devices();
    return out.isEmpty() ? QStringList{"cpu"} : out;
}

} // namespace fx::ui
