// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/worker_client.h"

#include "core/base/error.h"
#include "core/session/debug_wire.h"
#include "core/session/replica_message.h"
#include "core/session/worker_link.h"

#include <algorithm>

namespace fx {

WorkerDebuggee::WorkerDebuggee(WorkerOptions options, Listener listener)
    : m_options(std::move(options)), m_listener(std::move(listener)), m_thread([this] { work(); }) {
    post([this] { link(); });
}

WorkerDebuggee::~WorkerDebuggee() {
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
        if (m_link)
            m_link->process.kill();
    }
    m_wake.notify_all();
    m_heard.notify_all();
    m_thread.join();
}

void WorkerDebuggee::post(std::function<void()> task) {
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
    }
    m_wake.notify_all();
}

void WorkerDebuggee::work() {
    std::unique_lock lock(m_mutex);
    while (!m_isEnding) {
        if (m_deadline && Clock::now() >= *m_deadline) {
            m_deadline.reset();
            if (m_link)
                m_link->process.kill(); // the reader tells of it
        }
        if (m_tasks.empty()) {
            if (m_deadline)
                m_wake.wait_until(lock, *m_deadline);
            else
                m_wake.wait(lock);
            continue;
        }
        const std::function<void()> task = std::move(m_tasks.front());
        m_tasks.pop_front();
        m_isWorking = true;
        lock.unlock();
        std::optional<Error> fault;
        try {
            task();
        } catch (const Error& error) {
            fault = error;
        }
        lock.lock();
        m_isWorking = false;
        if (!fault || m_state.phase != RunState::Phase::Running)
            continue; // whoever starts a run will be told
        const std::vector<DebugEvent> told = takeDeath(failureOf(*fault), fault->what());
        const int run = m_state.run;
        const std::vector<DebugCommand> asked = std::exchange(m_asked, {});
        lock.unlock();
        for (const DebugEvent& event : told)
            m_listener(run, event);
        for (const DebugCommand& command : asked)
            refuse(command, fault->what());
        lock.lock();
    }
    lock.unlock();
    endLink();
}

// --- The process

WorkerDebuggee::Link& WorkerDebuggee::link() {
    bool isDead = false;
    {
        const std::lock_guard lock(m_mutex);
        isDead = m_link && m_link->isDead;
    }
    if (isDead)
        endLink();
    if (!m_link) {
        auto fresh = std::make_unique<Link>(m_options.program, m_needed);
        fresh->reader = std::thread([this, link = fresh.get()] { readFrom(*link); });
        const std::lock_guard lock(m_mutex);
        m_link = std::move(fresh);
        m_isModelSent = false;
    }
    return *m_link;
}

void WorkerDebuggee::endLink() {
    if (!m_link)
        return;
    m_link->process.kill();
    m_link->reader.join();
    const std::lock_guard lock(m_mutex);
    m_link.reset();
}

void WorkerDebuggee::discardLink() {
    {
        const std::lock_guard lock(m_mutex);
        m_link->isDiscarded = true;
    }
    endLink();
}

void WorkerDebuggee::readFrom(Link& link) {
    std::string fault;
    try {
        while (const std::optional<Message> message = link.channel.receive())
            if (message->kind == MessageKind::Event)
                for (const DebugEvent& event : eventsFrom(message->body))
                    take(message->number, event);
    } catch (const Error& error) {
        // Who says what is no message has lost its mind, and is ended as one that has died.
        fault = error.what();
    }
    died(link, fault);
}

void WorkerDebuggee::died(Link& link, const std::string& fault) {
    NodeRef running = nodeAt(link.process.position());
    const ProcessEnd end = link.process.end();
    std::unique_lock lock(m_mutex);
    link.isDead = true;
    m_heard.notify_all();
    if (m_isEnding || link.isDiscarded)
        return;
    if (m_state.isOver())
        running = {}; // a process that has just reported the end still notes its last node
    const bool isRunning = m_state.phase == RunState::Phase::Running;
    if (isRunning && m_unended != m_state.run) {
        m_unended = 0; // what is still to be sent goes to a fresh process
        return;
    }
    if (isRunning && !running.node && std::exchange(m_mayStartAgain, false)) {
        m_unended = 0;
        m_tasks.push_back([this, run = m_state.run] { startNow(run); });
        lock.unlock();
        m_wake.notify_all();
        return;
    }
    const std::vector<DebugCommand> asked = std::exchange(m_asked, {});
    m_deadline.reset();
    m_unended = 0;
    const NodeRef node = running.node ? running : m_state.at();
    std::string where = describePending(asked);
    if (where.empty() && node.node && m_running && m_running->model.graph(node.module).contains(node.node)) {
        const Node& at = m_running->model.graph(node.module).node(node.node);
        // What it said last may not have been sent any more; what it noted has.
        where = running.node ? " in node " + at.name + " (" + at.target.name() + ")"
                             : " while it stood before " + at.name;
    }
    if (where.empty() && !end.call.empty())
        where = " in " + end.call; // a library that was being loaded, a function that made an input
    const std::string why = "the model's process ended" + where + ": " +
                            (fault.empty() ? endReason(end, memoryLimitOf(m_request)) : fault);
    const int run = m_state.run;
    const bool isStopped = m_state.wish >= RunState::Wish::Stop;
    const std::vector<DebugEvent> told =
        takeDeath(isStopped ? DebugEvent(Stopped{}) : Failed{node, "", why}, why);
    // A fresh one is there when it is needed; but one that dies without a run would die again.
    if (link.hasRun)
        m_tasks.push_back([this] {
            this->link();
            sendModel();
        });
    lock.unlock();
    m_wake.notify_all();
    for (const DebugEvent& event : told)
        m_listener(run, event);
    for (const DebugCommand& command : asked)
        refuse(command, why);
}

std::vector<DebugEvent> WorkerDebuggee::takeDeath(const DebugEvent& last, const std::string& why) {
    std::vector<DebugEvent> out = deathEvents(m_state, last, why);
    for (const DebugEvent& event : out)
        m_state = next(std::move(m_state), event);
    return out;
}

// --- What is heard

void WorkerDebuggee::take(int run, const DebugEvent& event) {
    {
        const std::lock_guard lock(m_mutex);
        if (endsRun(event) && run == m_unended) {
            m_unended = 0;
            m_deadline.reset();
        }
        if (std::get_if<Inspection>(&event) || std::get_if<Answer>(&event))
            settleAsked(m_asked, event); // which may be about no run
        if (run == m_state.run && m_state.phase != RunState::Phase::Idle) {
            m_mayStartAgain = false;
            m_state = next(std::move(m_state), event);
            settleAsked(m_asked, event);
            if (std::get_if<Resumed>(&event) && m_state.wish != RunState::Wish::StopNow)
                m_deadline.reset();
            if (m_state.isOver() && m_asked.empty())
                m_deadline.reset();
        }
    }
    m_heard.notify_all();
    m_listener(run, event);
}

/// What nobody is there to answer.
void WorkerDebuggee::refuse(const DebugCommand& command, const std::string& why) {
    int run = 0;
    {
        const std::lock_guard lock(m_mutex);
        run = m_state.run;
    }
    if (const std::optional<DebugEvent> refusal = refusalOf(command, why))
        m_listener(run, *refusal);
}

// --- What is asked

void WorkerDebuggee::setModel(std::shared_ptr<const OpenedModel> opened) {
    post([this, opened = std::move(opened)] {
        m_model = opened;
        m_isModelSent = false;
        // Files were allowed to the model before, and are not to this one.
        if (m_link && m_link->permissions.areFilesAllowed) {
            m_needed.areFilesAllowed = false;
            endLink();
        }
        link();
        sendModel();
    });
}

void WorkerDebuggee::sendModel() {
    if (m_isModelSent || !m_model)
        return;
    m_isModelSent = true;
    link().channel.send(replicaMessage(*m_model));
    if (const std::optional<Message> examples = examplesMessage(*m_model))
        link().channel.send(*examples);
}

void WorkerDebuggee::follow(const ModelUpdate& update) {
    post([this, update] {
        m_model = followed(*m_model, update);
        link();
        if (m_isModelSent)
            m_link->channel.send(updateMessage(update));
        else
            sendModel();
    });
}

void WorkerDebuggee::start(int run, const RunRequest& request) {
    {
        const std::lock_guard lock(m_mutex);
        m_state = startedRun(run, request.pausesAtEntry);
        m_deadline.reset();
        m_request = request;
        m_mayStartAgain = true;
    }
    post([this, run] { startNow(run); });
}

void WorkerDebuggee::startNow(int run) {
    std::unique_lock lock(m_mutex);
    m_needed = permissionsFor(m_request);
    if (m_link && !m_link->permissions.suit(m_needed)) { // a confined process never gets rights back
        m_unended = 0;
        m_asked.clear();
        lock.unlock();
        discardLink();
        lock.lock();
    }
    lock.unlock();
    Link* to = &link();
    lock.lock();
    // The run before it may be in the middle of something long.
    if (m_unended != 0 || !m_asked.empty()) {
        lock.unlock();
        to->channel.send({MessageKind::Stop, 0, {}});
        lock.lock();
        const bool hasEnded = m_heard.wait_for(lock, m_options.patience, [&] {
            return m_isEnding || m_link->isDead || (m_unended == 0 && m_asked.empty());
        });
        m_asked.clear();
        if (m_isEnding || m_state.run != run)
            return;
        if (!hasEnded || m_link->isDead) {
            lock.unlock();
            discardLink();
            to = &link();
            lock.lock();
        }
    }
    m_running = m_model;
    m_unended = run;
    to->hasRun = true;
    const std::string request = runBytes(m_request);
    lock.unlock();
    sendModel();
    to->channel.send({MessageKind::Run, run, request});
}

void WorkerDebuggee::send(DebugCommand command) {
    if (needsNoRun(command)) {
        post([this, command = std::move(command)] {
            Link& to = link();
            sendModel();
            {
                const std::lock_guard lock(m_mutex);
                m_asked.push_back(command);
            }
            to.send(command);
        });
        return;
    }
    std::string whyGone;
    {
        const std::lock_guard lock(m_mutex);
        whyGone = m_state.whyGone;
        if (whyGone.empty()) {
            m_state = next(std::move(m_state), command);
            if (requestOf(command) != 0)
                m_asked.push_back(command);
        }
        // Most often nothing waits to be done before it, and a step need not wake a thread.
        if (whyGone.empty() && m_tasks.empty() && !m_isWorking && m_link && !m_link->isDead) {
            m_link->send(command);
            return;
        }
    }
    post([this, command = std::move(command), whyGone] {
        if (!whyGone.empty())
            refuse(command, whyGone);
        else if (m_link)
            m_link->send(command);
    });
}

void WorkerDebuggee::sendSimple(MessageKind kind) {
    post([this, kind] {
        if (m_link)
            m_link->channel.send({kind, 0, {}});
    });
}

void WorkerDebuggee::stop() {
    {
        const std::lock_guard lock(m_mutex);
        if (m_state.phase == RunState::Phase::Idle || (m_state.isOver() && m_asked.empty()))
            return;
        m_state = wished(std::move(m_state), RunState::Wish::Stop);
        // A node that executes may finish, unless the user asks a second time. A resume waits for the end of
        // evaluations.
        const bool executes =
            m_state.phase == RunState::Phase::Running || (m_state.isResuming && m_asked.empty());
        if (!executes)
            m_deadline = Clock::now() + m_options.patience;
        else if (m_state.wish == RunState::Wish::StopNow)
            m_deadline = Clock::now();
    }
    sendSimple(MessageKind::Stop);
}

void WorkerDebuggee::end() {
    {
        const std::lock_guard lock(m_mutex);
        if (m_state.phase == RunState::Phase::Idle)
            return;
        m_state = released(std::move(m_state));
        m_asked.clear();
        if (m_unended != 0)
            m_deadline = Clock::now() + m_options.patience;
    }
    sendSimple(MessageKind::End);
}

NodeRef WorkerDebuggee::running() {
    const std::lock_guard lock(m_mutex);
    return m_link && m_state.phase == RunState::Phase::Running ? nodeAt(m_link->process.position())
                                                               : NodeRef();
}

int WorkerDebuggee::processId() const {
    const std::lock_guard lock(m_mutex);
    return m_link && !m_link->isDead ? m_link->process.id() : -1;
}

} // namespace fx
