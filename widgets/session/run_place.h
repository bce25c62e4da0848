// SPDX-License-Identifier: GPL-3.0-or-later
// Where a model runs: in a worker of this machine, or on a remote host.
#pragma once

#include "core/run/debuggee.h"
#include "core/session/remote_host.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace fx::ui {

class RunPlace : public QObject {
    Q_OBJECT

public:
    /// `host`: the one that opened the model; null: this machine.
    explicit RunPlace(std::shared_ptr<RemoteHost> host) : m_host(std::move(host)) {}

    /// Null: the model runs on this machine.
    const RemoteHost* host() const { return m_host.get(); }
    /// Reason why the connection is lost; empty while it stands.
    const QString& fault() const { return m_fault; }
    /// `listen` is called on a thread of the debuggee.
    std::unique_ptr<Debuggee> makeDebuggee(Debuggee::Listener listen);

Q_SIGNALS:
    /// The connection was lost or is there again.
    void changed(const QString& fault);

private:
    void report(const std::string& fault);

    const std::shared_ptr<RemoteHost> m_host;
    QString m_fault;
};

} // namespace fx::ui
