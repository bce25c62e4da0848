// SPDX-License-Identifier: GPL-3.0-or-later
// A line between a client and a server that is as long as a test wants it, counts what goes over it, and can
// be cut.
#pragma once

#include "core/base/error.h"
#include "core/process/remote_address.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <poll.h>
#include <sys/socket.h>
#include <thread>

namespace fx {

class SlowLine {
public:
    /// Leads to `address`; bytes arrive so much later, each way.
    explicit SlowLine(std::string address, std::chrono::milliseconds delay = {})
        : m_to(std::move(address)), m_delay(delay), m_thread([this] { letIn(); }) {}
    ~SlowLine() {
        m_isEnding = true;
        m_thread.join();
        cut();
        for (std::thread& thread : m_threads)
            thread.join();
    }

    const std::string& address() const { return m_socket.address(); }
    /// Breaks all connections. Who connects afterwards gets through, unless the line is closed.
    void cut() {
        const std::lock_guard lock(m_mutex);
        for (const auto& socket : m_open)
            ::shutdown(socket->number(), SHUT_RDWR);
        m_open.clear();
    }
    void setClosed(bool isClosed) {
        m_isClosed = isClosed;
        if (isClosed)
            cut();
    }
    /// The host falls silent after so many bytes more; connections stay.
    void setSilentAfter(int64_t bytes) { m_room = bytes; }
    /// How often the client has said something after it had heard something.
    int questions() const { return m_questions; }
    uint64_t bytesFromHost() const { return m_bytesFromHost; }

private:
    using Clock = std::chrono::steady_clock;
    using Socket = std::shared_ptr<const Descriptor>;
    struct Piece {
        Clock::time_point due;
        std::string bytes; ///< none: the end
    };
    struct Way {
        std::mutex mutex;
        std::condition_variable wake;
        std::deque<Piece> pieces;
    };

    void letIn() {
        pollfd ready{m_socket.number(), POLLIN, 0};
        while (!m_isEnding) {
            if (::poll(&ready, 1, 20) <= 0)
                continue;
            const auto client = std::make_shared<const Descriptor>(m_socket.accept());
            if (m_isClosed)
                continue;
            Socket host;
            try {
                host = std::make_shared<const Descriptor>(connectTo(m_to));
            } catch (const Error&) {
                continue; // nobody is there: the client's connection ends
            }
            const std::lock_guard lock(m_mutex);
            m_open.insert(m_open.end(), {client, host});
            lead(client, host, true);
            lead(host, client, false);
        }
    }
    void lead(const Socket& from, const Socket& to, bool isFromClient) {
        const auto way = std::make_shared<Way>();
        m_threads.emplace_back([this, from, way, isFromClient] {
            std::array<char, 1 << 16> bytes;
            ssize_t count = 0;
            do {
                count = ::recv(from->number(), bytes.data(), bytes.size(), 0);
                const std::lock_guard lock(way->mutex);
                way->pieces.push_back(
                    {Clock::now() + m_delay,
                     std::string(bytes.data(), count > 0 ? static_cast<size_t>(count) : 0)});
                if (isFromClient && count > 0 && m_hasHeard.exchange(false))
                    ++m_questions;
                way->wake.notify_one();
            } while (count > 0);
        });
        m_threads.emplace_back([this, to, way, isFromClient] {
            while (true) {
                std::unique_lock lock(way->mutex);
                way->wake.wait(lock, [&] { return !way->pieces.empty(); });
                Piece piece = std::move(way->pieces.front());
                way->pieces.pop_front();
                way->wake.wait_until(lock, piece.due, [&] { return Clock::now() >= piece.due; });
                lock.unlock();
                if (piece.bytes.empty()) {
                    ::shutdown(to->number(), SHUT_RDWR);
                    return;
                }
                if (!isFromClient) {
                    const int64_t room = m_room;
                    piece.bytes.resize(std::min(piece.bytes.size(), static_cast<size_t>(room)));
                    m_room = room - static_cast<int64_t>(piece.bytes.size());
                    m_bytesFromHost += piece.bytes.size();
                    m_hasHeard = true;
                }
                for (size_t at = 0; at < piece.bytes.size();) {
                    const ssize_t count =
                        ::send(to->number(), piece.bytes.data() + at, piece.bytes.size() - at, MSG_NOSIGNAL);
                    if (count <= 0)
                        break;
                    at += static_cast<size_t>(count);
                }
            }
        });
    }

    const std::string m_to;
    const std::chrono::milliseconds m_delay;
    const ListeningSocket m_socket{"127.0.0.1:0"};
    std::atomic<bool> m_isEnding = false, m_isClosed = false, m_hasHeard = true;
    std::atomic<int> m_questions = 0;
    std::atomic<uint64_t> m_bytesFromHost = 0;
    std::atomic<int64_t> m_room = INT64_MAX; ///< bytes that the host may still send
    std::mutex m_mutex;
    std::list<Socket> m_open;
    std::list<std::thread> m_threads;
    std::thread m_thread; ///< last: it uses what is above
};

} // namespace fx
