// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/remote_client.h"

#include "core/base/error.h"
#include "core/session/debug_wire.h"
#include "core/session/replica_message.h"

#include <algorithm>

namespace fx {

namespace {

constexpr std::chrono::milliseconds kFirstPause{100}, kLongestPause{2000};

} // namespace

RemoteDebuggee::RemoteDebuggee(std::shared_ptr<RemoteHost> host, RemoteOptions options, Listener listener)
    : m_host(std::move(host)), m_options(std::move(options)), m_listener(std::move(listener)),
      m_state(attachedRun(m_host->run())), m_updatesBefore(m_host->updates()), m_thread([this] { work(); }) {
    m_host->listen([this](int run, const DebugEvent& event) { take(run, event); },
                   [this](int run, NodeRef node) { takePosition(run, node); },
                   [this](const std::string& why) { post([this, why] { lost(why); }); });
    m_host->attach();
}

RemoteDebuggee::~RemoteDebuggee() {
    m_host->listen({}, {}, {});
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_connecting.cancel();
    m_wake.notify_all();
    m_thread.join();
}

void RemoteDebuggee::post(std::function<void()> task) {
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
    }
    m_wake.notify_all();
}

void RemoteDebuggee::post(Message message) {
    post([this, message = std::move(message)] { m_host->send(message); });
}

void RemoteDebuggee::work() {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [this] { return m_isEnding || !m_tasks.empty(); });
        if (m_isEnding)
            return;
        const std::function<void()> task = std::move(m_tasks.front());
        m_tasks.pop_front();
        const int run = m_state.run;
        lock.unlock();
        try {
            task();
        } catch (const Error& error) {
            tellFailed(run, error.what());
        } catch (const Cancelled&) {
            return; // the end
        }
        lock.lock();
    }
}

// --- What is heard

void RemoteDebuggee::take(int run, const DebugEvent& event) {
    {
        const std::lock_guard lock(m_mutex);
        if (run == m_state.run) {
            m_state = next(std::move(m_state), event);
            settleAsked(m_asked, event);
        } else if (std::get_if<Inspection>(&event) || std::get_if<Answer>(&event)) {
            settleAsked(m_asked, event); // of a tensor of the model, which is about no run
        }
    }
    m_listener(run, event);
}

void RemoteDebuggee::takePosition(int run, NodeRef node) {
    const std::lock_guard lock(m_mutex);
    m_isPositionAsked = false;
    if (run == m_state.run)
        m_position = node;
}

void RemoteDebuggee::refuseAsked(const std::string& why) {
    std::vector<DebugCommand> asked;
    int run = 0;
    {
        const std::lock_guard lock(m_mutex);
        asked.swap(m_asked);
        run = m_state.run;
    }
    for (const DebugCommand& command : asked)
        if (const std::optional<DebugEvent> refusal = refusalOf(command, why))
            m_listener(run, *refusal);
}

void RemoteDebuggee::tellFailed(int run, const std::string& why, bool areValuesLost) {
    const DebugEvent failed = Failed{{}, "", why};
    std::vector<DebugEvent> told;
    {
        const std::lock_guard lock(m_mutex);
        if (run != m_state.run)
            return;
        told = areValuesLost ? deathEvents(m_state, failed, why) : std::vector{failed};
        for (const DebugEvent& event : told)
            m_state = next(std::move(m_state), event);
    }
    for (const DebugEvent& event : told)
        m_listener(run, event);
}

// --- The connection

void RemoteDebuggee::connectAgain() {
    Welcome there;
    try {
        there = m_host->reconnect(&m_connecting);
    } catch (const SessionGone& gone) {
        there = m_host->renew(&m_connecting);
        if (m_started) {
            tellFailed(m_started->first, std::string(gone.what()) + ", and the run is gone with it", true);
            m_started.reset();
        }
    }
    if (there.updates < m_updatesBefore || there.updates - m_updatesBefore > m_updates.size())
        throw Error(m_host->name(), "has another model by now").hint("open it again");
    if (m_options.connection)
        m_options.connection({});
    for (size_t i = there.updates - m_updatesBefore; i < m_updates.size(); ++i)
        m_host->send(updateMessage(m_updates[i], FileMemoryUse::Copied));
    m_host->attach();
    {
        const std::lock_guard lock(m_mutex);
        m_isPositionAsked = false; // the answer may have been on its way
    }
    if (m_started && m_started->first != there.run)
        sendStart(); // it was lost on its way
}

void RemoteDebuggee::sendStart() {
    m_host->send({MessageKind::Run, m_started->first, runBytes(m_started->second)});
}

void RemoteDebuggee::lost(const std::string& why) {
    if (!m_host->isLost())
        return; // it is back already
    refuseAsked(why);
    if (m_options.retrying && m_options.patience > std::chrono::milliseconds())
        m_options.retrying(why);
    std::string fault = why;
    bool isGone = false;
    const Clock::time_point end = Clock::now() + m_options.patience;
    for (auto pause = kFirstPause; !m_host->wasSilent() && Clock::now() < end;
         pause = std::min(pause * 2, kLongestPause)) {
        try {
            return connectAgain();
        } catch (const SessionGone& gone) {
            fault = gone.what();
            isGone = true;
            break;
        } catch (const Error& error) {
            fault = error.what();
        }
        std::unique_lock lock(m_mutex);
        m_wake.wait_for(lock, pause, [this] { return m_isEnding; });
        if (m_isEnding)
            return;
    }
    bool isLive = false;
    int run = 0;
    {
        const std::lock_guard lock(m_mutex);
        isLive = m_state.isLive();
        run = m_state.run;
    }
    refuseAsked(fault);
    if (isLive)
        tellFailed(run, isGone ? fault : fault + "; the run goes on there");
    if (m_options.connection)
        m_options.connection(fault);
}

NodeRef RemoteDebuggee::running() {
    const std::lock_guard lock(m_mutex);
    if (!m_state.isLive())
        return {};
    if (!std::exchange(m_isPositionAsked, true)) {
        m_tasks.push_back([this, run = m_state.run] { m_host->send({MessageKind::Position, run, {}}); });
        m_wake.notify_all();
    }
    return m_position;
}

void RemoteDebuggee::reconnect() {
    post([this] {
        if (!m_host->isLost())
            return;
        try {
            connectAgain();
        } catch (const Error& error) {
            if (m_options.connection)
                m_options.connection(error.what());
        }
    });
}

// --- What is asked

void RemoteDebuggee::follow(const ModelUpdate& update) {
    post([this, update] {
        m_updates.push_back(update);
        m_host->send(updateMessage(update, FileMemoryUse::Copied));
    });
}

void RemoteDebuggee::start(int run, const RunRequest& request) {
    {
        const std::lock_guard lock(m_mutex);
        m_state = startedRun(run, request.pausesAtEntry);
        m_asked.clear();
        m_position = {};
    }
    post([this, run, request] {
        m_started.reset();
        if (m_host->isLost())
            connectAgain();
        m_started.emplace(run, request);
        sendStart();
    });
}

void RemoteDebuggee::send(DebugCommand command) {
    {
        const std::lock_guard lock(m_mutex);
        if (requestOf(command) != 0)
            m_asked.push_back(command);
    }
    post([this, command = std::move(command)] {
        std::string whyGone;
        if (!needsNoRun(command)) {
            const std::lock_guard lock(m_mutex);
            whyGone = m_state.whyGone;
        }
        if (!whyGone.empty())
            refuseAsked(whyGone);
        else if (!m_host->send({MessageKind::Command, 0, commandBytes(command)}) && m_host->isLost())
            refuseAsked("the connection to " + m_host->name() + " is lost");
    });
}

void RemoteDebuggee::end() {
    {
        const std::lock_guard lock(m_mutex);
        m_state = released(std::move(m_state));
        m_asked.clear();
    }
    post([this] {
        m_started.reset();
        m_host->send({MessageKind::End, 0, {}});
    });
}

} // namespace fx
