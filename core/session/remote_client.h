// SPDX-License-Identifier: GPL-3.0-or-later
// A debuggee on another machine. The run is there, and goes on there when the connection is lost; when it is
// back, all is told that gives the same view again.
#pragma once

#include "core/run/run_state.h"
#include "core/session/remote_host.h"

#include <chrono>
#include <condition_variable>
#include <deque>

namespace fx {

/// For how long programs try a lost connection again.
constexpr std::chrono::seconds kReconnecting{15};

struct RemoteOptions {
    /// For how long a lost connection is tried again by itself.
    std::chrono::milliseconds patience{0};
    // Told on a thread of the debuggee's:
    /// Before a lost connection is tried again.
    std::function<void(const std::string& fault)> retrying = {};
    /// What has become of it: empty when it is back.
    std::function<void(const std::string& fault)> connection = {};
};

class RemoteDebuggee : public Debuggee {
public:
    /// Of a host that has opened or recalled the model. Where a run is there, it is told of at once.
    RemoteDebuggee(std::shared_ptr<RemoteHost> host, RemoteOptions options, Listener listener);
    ~RemoteDebuggee() override;

    // None of these waits.
    /// It is the one that the host has opened: nothing has to be sent.
    void setModel(std::shared_ptr<const OpenedModel>) override {}
    void follow(const ModelUpdate& update) override;
    /// Connects again first, if the connection is lost.
    void start(int run, const RunRequest& request) override;
    void send(DebugCommand command) override;
    void pause() override { post({MessageKind::Pause, 0, {}}); }
    void stop() override { post({MessageKind::Stop, 0, {}}); }
    void end() override;
    NodeRef running() override;
    void reconnect();

private:
    using Clock = std::chrono::steady_clock;

    void post(std::function<void()> task);
    void post(Message message);
    void work();
    void take(int run, const DebugEvent& event);
    void takePosition(int run, NodeRef node);
    void refuseAsked(const std::string& why);

    // On the thread that works:
    void connectAgain();
    void sendStart();
    void lost(const std::string& why);
    /// Reports the failure of the run, unless another one was started. `areValuesLost`: the session is gone,
    /// too.
    void tellFailed(int run, const std::string& why, bool areValuesLost = false);

    const std::shared_ptr<RemoteHost> m_host;
    const RemoteOptions m_options;
    const Listener m_listener;

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_tasks;
    bool m_isEnding = false;
    RunState m_state;
    std::vector<DebugCommand> m_asked; ///< and not answered yet
    NodeRef m_position;                ///< of the run, as the host told it last
    bool m_isPositionAsked = false;    ///< and not answered yet

    // Of the thread that works:
    std::vector<ModelUpdate> m_updates; ///< those after the model was opened or recalled
    const size_t m_updatesBefore;
    std::optional<std::pair<int, RunRequest>> m_started; ///< the last run, unless it was ended
    Progress m_connecting;                               ///< cancelled at the end
    std::thread m_thread;
};

} // namespace fx
