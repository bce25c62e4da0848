// SPDX-License-Identifier: GPL-3.0-or-later
// Where the model runs: in a process of this machine, or on another one.
#include "core/base/unicode.h"
#include "core/session/remote_client.h"
#include "core/session/worker_client.h"
#include "widgets/session/debug_service.h"
#include "widgets/support/qt_text.h"

namespace fx {

std::unique_ptr<Debuggee> DebugService::makeDebuggee() {
    Debuggee::Listener listen = [this](int run, const DebugEvent& event) {
        QMetaObject::invokeMethod(
            this, [this, run, event] { handle(run, event); }, Qt::QueuedConnection);
    };
    if (!m_host)
        return std::make_unique<WorkerDebuggee>(WorkerOptions(), std::move(listen));
    RemoteOptions options;
    options.patience = kReconnecting;
    const auto tell = [this](const std::string& fault) {
        QMetaObject::invokeMethod(
            this, [this, fault = qt(oneLine(fault))] { setConnectionFault(fault); }, Qt::QueuedConnection);
    };
    options.connection = tell;
    options.retrying = [tell](const std::string& fault) { tell(fault + "; trying again"); };
    return std::make_unique<RemoteDebuggee>(m_host, std::move(options), std::move(listen));
}

void DebugService::setConnectionFault(const QString& fault) {
    m_connectionFault = fault;
    Q_EMIT wrote(fault.isEmpty() ? "connected again" : fault, static_cast<int>(ConsoleStyle::Dim));
    Q_EMIT connectionChanged();
}

RunRequest DebugService::requestHere() const {
    if (!m_host)
        return requestOf(m_inputs);
    DebugMemory memory = m_inputs;
    memory.inputs.removeIf(
        [](QMap<QString, QString>::iterator input) { return input.value().startsWith('@'); });
    memory.inputsFile.clear();
    memory.libraries.clear();
    memory.device.clear();
    return requestOf(memory);
}

} // namespace fx
