// SPDX-License-Identifier: GPL-3.0-or-later
// The program's end of a worker: a model that runs in a process of its own. When that dies, whatever was the
// matter, the run has failed at the node that ran, and the next one gets a fresh process.
#pragma once

#include "core/process/channel.h"
#include "core/process/worker_process.h"
#include "core/run/run_state.h"
#include "core/session/confine_run.h"
#include "core/session/debuggee.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace fx {

struct WorkerOptions {
    std::string program = WorkerProcess::besideThisProgram();
    /// How long a process may take to end what is not the running of a node, before it is ended.
    std::chrono::milliseconds patience{300};
};

class WorkerDebuggee : public Debuggee {
public:
    WorkerDebuggee(WorkerOptions options, Listener listener);
    /// Ends the process, whatever it does.
    ~WorkerDebuggee() override;

    // None of these waits.
    /// Sends the model on, so that a start finds it there.
    void setModel(std::shared_ptr<const OpenedModel> opened) override;
    void follow(const ModelUpdate& update) override;
    void start(int run, const RunRequest& request) override;
    void send(DebugCommand command) override;
    void pause() override { sendSimple(MessageKind::Pause); }
    void stop() override;
    void end() override;
    NodeRef running() override;

    /// Of the process, for tests and for people; -1: there is none.
    int processId() const;

private:
    struct Link;
    using Clock = std::chrono::steady_clock;

    void post(std::function<void()> task);
    void work();
    void readFrom(Link& link);
    void take(int run, const DebugEvent& event);
    void died(Link& link, const std::string& fault);
    void refuse(const DebugCommand& command, const std::string& why);
    /// Advances the state by the events that report the death of the process, and returns them.
    std::vector<DebugEvent> takeDeath(const DebugEvent& last, const std::string& why);

    // On the thread that works:
    Link& link();
    void sendModel();
    void startNow(int run);
    void sendSimple(MessageKind kind);
    /// Ends the process, and waits until all is told of that.
    void endLink();
    /// Ends the process without a report: a fresh one takes over the run.
    void discardLink();

    const WorkerOptions m_options;
    const Listener m_listener;

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;  ///< the thread that works: there is something to do
    std::condition_variable m_heard; ///< likewise, where it waits for the process to say something
    std::deque<std::function<void()>> m_tasks;
    bool m_isEnding = false, m_isWorking = false;
    std::optional<Clock::time_point> m_deadline; ///< of a stop
    RunState m_state;
    int m_unended = 0; ///< run that the process is in, which may be the one before m_state.run; 0: none
    std::shared_ptr<const OpenedModel> m_running;
    RunRequest m_request;
    bool m_mayStartAgain = false;      ///< the process may have been dead when the run was started
    std::vector<DebugCommand> m_asked; ///< and not answered yet
    std::unique_ptr<Link> m_link;      ///< made and ended by the thread that works

    // Of the thread that works:
    RunPermissions m_needed; ///< by the last run
    std::shared_ptr<const OpenedModel> m_model;
    bool m_isModelSent = false;
    std::thread m_thread;
};

} // namespace fx
