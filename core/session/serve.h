// SPDX-License-Identifier: GPL-3.0-or-later
// Listens for clients on other machines, and has a session for each who knows the token. A session whose
// client is gone is kept for it.
#pragma once

#include "core/session/opening.h"
#include "core/session/remote_address.h"
#include "core/session/remote_session.h"

#include <chrono>
#include <list>
#include <map>
#include <thread>

namespace fx {

/// 128 random bits, as text.
std::string freshToken();

struct ServeOptions {
    std::string listen = "127.0.0.1:0"; ///< as ListeningSocket takes it
    std::string token;                  ///< what a client has to know; not empty
    std::chrono::seconds keep{3600};    ///< how long a session waits for its client
    std::chrono::seconds patience{10};  ///< with who has not greeted yet
    WorkerOptions worker;
};

class RemoteServer {
public:
    /// Listens from now on. Throws an Error where it cannot.
    explicit RemoteServer(ServeOptions options);
    /// Ends all sessions.
    ~RemoteServer();

    const ListeningSocket& socket() const { return m_socket; }
    /// Lets clients in until stop() is called.
    void serve();
    /// From any thread and from a signal's handler.
    void stop();

private:
    using Clock = std::chrono::steady_clock;
    struct Session {
        std::shared_ptr<RemoteSession> session;
        std::shared_ptr<Channel> client; ///< null: it is gone
        Clock::time_point left;          ///< when
    };
    struct Visitor {
        std::shared_ptr<Channel> channel;
        Clock::time_point deadline; ///< of the greeting
        bool hasGreeted = false, isGone = false;
        std::thread thread;
    };

    void letIn(int socket);
    void receive(Visitor& visitor);
    /// The session that the client wants, which is its own then, and its name; null: it is gone.
    std::pair<std::string, std::shared_ptr<RemoteSession>> greet(Visitor& visitor);
    void requireToken(const std::string& token);
    /// Ends what has waited too long.
    void tidy();

    const ServeOptions m_options;
    ListeningSocket m_socket;
    const Descriptor m_stop; ///< an eventfd
    OpeningWorker m_opening;

    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_isEnding = false;
    int m_wrongTokens = 0; ///< since the last right one
    std::map<std::string, Session> m_sessions;
    std::list<Visitor> m_visitors;
};

} // namespace fx
