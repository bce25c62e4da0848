// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/run_place.h"

#include "core/base/unicode.h"
#include "core/session/remote_client.h"
#include "core/session/worker_client.h"
#include "widgets/support/qt_text.h"

namespace fx::ui {

std::unique_ptr<Debuggee> RunPlace::makeDebuggee(Debuggee::Listener listen) {
    if (!m_host)
        return std::make_unique<WorkerDebuggee>(WorkerOptions(), std::move(listen));
    RemoteOptions options;
    options.patience = kReconnecting;
    options.connection = [this](const std::string& fault) { report(fault); };
    options.retrying = [this](const std::string& fault) { report(fault + "; trying again"); };
    return std::make_unique<RemoteDebuggee>(m_host, std::move(options), std::move(listen));
}

/// Called on a thread of the debuggee.
void RunPlace::report(const std::string& fault) {
    QMetaObject::invokeMethod(
        this,
        [this, fault = qt(oneLine(fault))] {
            m_fault = fault;
            Q_EMIT changed(m_fault);
        },
        Qt::QueuedConnection);
}

} // namespace fx::ui
