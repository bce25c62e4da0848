// SPDX-License-Identifier: GPL-3.0-or-later
// A crowd at the port of a server.
#pragma once

#include "core/base/error.h"
#include "core/process/remote_address.h"

#include <atomic>
#include <deque>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <thread>

namespace fx {

/// Clients that do not know the token: more of them than a server takes, each of which comes back when it is
/// cut off.
class Strangers {
public:
    Strangers(std::string address, std::string words)
        : m_address(std::move(address)), m_words(std::move(words)), m_thread([this] { crowd(); }) {}
    ~Strangers() {
        m_isEnding = true;
        m_thread.join();
    }
    int made() const { return m_made; }

private:
    void crowd() {
        constexpr size_t kAtOnce = 200;
        std::deque<Descriptor> open;
        while (!m_isEnding) {
            try {
                open.emplace_back(connectTo(m_address));
                ++m_made;
                ::send(open.back().number(), m_words.data(), m_words.size(), MSG_NOSIGNAL);
            } catch (const Error&) {
                // The queue is full.
            }
            while (open.size() > kAtOnce)
                open.pop_front();
            pollfd first{open.empty() ? -1 : open.front().number(), POLLIN, 0};
            if (::poll(&first, 1, 1) > 0)
                open.pop_front(); // it was cut off
        }
    }

    const std::string m_address, m_words;
    std::atomic<bool> m_isEnding = false;
    std::atomic<int> m_made = 0;
    std::thread m_thread;
};

} // namespace fx
