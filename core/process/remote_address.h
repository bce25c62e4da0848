// SPDX-License-Identifier: GPL-3.0-or-later
// Where a server listens and a client connects: HOST:PORT, [ADDRESS]:PORT, PORT of this machine, or
// unix:PATH.
#pragma once

#include "core/base/progress.h"
#include "core/process/channel.h"

#include <chrono>
#include <string>

namespace fx {

/// A socket that is connected to it. Throws an Error that names it, and Cancelled when `progress`, if there
/// is one, is cancelled.
int connectTo(const std::string& address, const Progress* progress = nullptr);
/// Waits until something has come, or the other end is closed. False: not within that time. Throws Cancelled,
/// likewise.
bool waitForInput(int socket, std::chrono::milliseconds patience, const Progress* progress);

class ListeningSocket {
public:
    /// Port 0: any that is free. Throws an Error where nobody can listen.
    explicit ListeningSocket(const std::string& address);
    ~ListeningSocket();
    ListeningSocket(const ListeningSocket&) = delete;
    ListeningSocket& operator=(const ListeningSocket&) = delete;

    int number() const { return m_socket->number(); }
    /// As connectTo takes it, with the port that it got.
    const std::string& address() const { return m_address; }
    /// Whether other machines reach it.
    bool isOpenToOthers() const { return m_isOpenToOthers; }
    /// The socket of the next who connects; -1: there is none any more.
    int accept() const;

private:
    std::shared_ptr<const Descriptor> m_socket;
    std::string m_address, m_path; ///< of a unix socket, which is removed at the end
    bool m_isOpenToOthers = false;
};

} // namespace fx
