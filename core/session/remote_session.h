// SPDX-License-Identifier: GPL-3.0-or-later
// The server's end of a session: a model, the process that it runs in, and a record of the run, for one
// client at a time. It stays while no client is there.
#pragma once

#include "core/process/channel.h"
#include "core/session/opening.h"
#include "core/session/remote_message.h"
#include "core/session/run_record.h"
#include "core/session/worker_client.h"

namespace fx {

/// How often a session that is at work tells the client that it lives.
inline constexpr std::chrono::seconds kSignsOfLife{5};

class RemoteSession {
public:
    /// `opening` outlives it.
    RemoteSession(WorkerOptions worker, OpeningWorker& opening,
                  std::chrono::milliseconds signs = kSignsOfLife)
        : m_options(std::move(worker)), m_opening(opening), m_signs(signs) {}
    /// Ends its process, and removes what was uploaded.
    ~RemoteSession();

    /// Welcomes a client, and obeys it until it is gone or has left. True if it has left. The one before it
    /// must be gone by then, which is waited for.
    bool serve(const std::shared_ptr<Channel>& channel, Welcome welcome);

private:
    void obey(const Message& message, Channel& channel);
    void open(const Message& message, Channel& channel);
    void fetch(const Message& message, Channel& channel);
    void upload(const Message& message, Channel& channel);
    void follow(const Message& message);
    void run(const Message& message);
    void tellPosition(const Message& message, Channel& channel);
    void attach(const std::shared_ptr<Channel>& channel);
    /// Gives the command a number of the session, under which the debuggee answers it.
    void renumber(DebugCommand& command);
    /// Gives the reply the number of the client's request. False if another client has asked.
    bool takeBack(DebugEvent& event);
    void tell(int run, DebugEvent event);
    const OpenedModel& opened() const;

    const WorkerOptions m_options;
    OpeningWorker& m_opening;
    const std::chrono::milliseconds m_signs;
    std::shared_ptr<const OpenedModel> m_opened;
    std::string m_folder; ///< of what was uploaded; empty: nothing yet

    std::mutex m_serving; ///< while a client is obeyed
    std::mutex m_mutex;
    std::shared_ptr<Channel> m_client; ///< who is told events
    int m_lastRequest = 0;             ///< of all clients
    struct Asked {
        int request; ///< the client's number
        bool isInspection;
    };
    std::map<int, Asked>
        m_asked; ///< requests of the present client that are not answered, by the session's number
    RunRecord m_record;
    size_t m_updates = 0;
    std::unique_ptr<WorkerDebuggee> m_debuggee; ///< last: its threads end before what they write to
};

} // namespace fx
