// SPDX-License-Identifier: GPL-3.0-or-later
// Listens for clients on other machines, and has a session for each who knows the token. A session whose
// client is gone is kept for it.
#pragma once

#include "core/process/remote_address.h"
#include "core/session/opening.h"
#include "core/session/remote_session.h"

#include <chrono>
#include <list>
#include <map>
#include <thread>

namespace fx {

struct ServeOptions {
    std::string listen = "127.0.0.1:0";             ///< as ListeningSocket takes it
    std::string token;                              ///< what a client has to know; not empty
    std::chrono::seconds keep{3600};                ///< how long a session waits for its client
    std::chrono::seconds patience{10};              ///< with who has not greeted yet
    std::chrono::milliseconds signs = kSignsOfLife; ///< between messages of a session that is at work
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
    /// Who has not shown the token yet. All of them are served by the thread of serve(), without a thread of
    /// their own.
    struct Stranger {
        std::shared_ptr<Channel> channel;
        Clock::time_point arrived;
        std::optional<Error> refusal = {}; ///< why it is turned away
        Clock::time_point answered = {};   ///< when that is sent
    };
    struct Session {
        std::shared_ptr<RemoteSession> session;
        std::shared_ptr<Channel> client; ///< null: it is gone
        Clock::time_point left;          ///< when
    };
    struct Visitor {
        std::shared_ptr<Channel> channel;
        bool isGone = false;
        std::thread thread;
    };

    bool mayLetIn() const;
    void letIn();
    /// Reads what strangers have sent, answers them and ends those that have waited too long.
    void hearStrangers();
    /// False when the stranger is a stranger no more.
    bool hear(Stranger& stranger);
    void welcome(const std::shared_ptr<Channel>& channel, const Greeting& greeting);
    void receive(Visitor& visitor, const Greeting& greeting);
    /// The session that the client wants, which is its own then, and its name; null: it is gone.
    std::pair<std::string, std::shared_ptr<RemoteSession>> sessionOf(const Visitor& visitor,
                                                                     const Greeting& greeting);
    /// Ends sessions that nobody comes back to, and joins the threads of clients that are gone.
    void tidy();

    const ServeOptions m_options;
    ListeningSocket m_socket;
    const Descriptor m_stop; ///< an eventfd
    OpeningWorker m_opening;

    // Of the thread of serve():
    std::list<Stranger> m_strangers; ///< the oldest first
    int m_wrongTokens = 0;           ///< since the last right one

    std::mutex m_mutex;
    std::map<std::string, Session> m_sessions;
    std::list<Visitor> m_visitors;
};

} // namespace fx
