// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/worker_server.h"

#include "core/base/error.h"
#include "core/process/fault_message.h"
#include "core/process/wire.h"
#include "core/run/run_state.h"
#include "core/session/debug_wire.h"
#include "core/session/replica_message.h"
#include "core/session/service_host.h"
#include "core/torch/bind/call.h"

#include <chrono>
#include <mutex>
#include <utility>
#include <vector>

namespace fx {

namespace {

constexpr std::chrono::milliseconds kLongestWait(10);

/// Sends the events of runs. An event that others follow at once waits for them: each message wakes a thread
/// of the client, and a step has four events.
class Reports {
public:
    explicit Reports(Channel& channel) : m_channel(channel) {}

    void start(int run, const RunRequest& request) {
        const std::lock_guard lock(m_mutex);
        sendNow();
        setState(startedRun(run, request.pausesAtEntry));
    }
    /// Call this before the command reaches the session, which may answer at once.
    void expect(const DebugCommand& command) {
        const std::lock_guard lock(m_mutex);
        setState(next(std::move(m_state), command));
    }
    /// From any thread.
    void tell(int run, const DebugEvent& event) {
        const std::lock_guard lock(m_mutex);
        if (run != m_state.run) { // the run before it ends
            m_channel.send({MessageKind::Event, run, eventBytes({event})});
            return;
        }
        setState(next(std::move(m_state), event));
        m_events.push_back(event);
        const bool isFollowed = std::get_if<Resumed>(&event) || std::get_if<Executed>(&event) ||
                                std::get_if<MemoryReport>(&event) ||
                                std::get_if<BreakpointsChanged>(&event) ||
                                std::get_if<Differentiated>(&event);
        if (!isFollowed)
            sendNow();
    }
    /// True if the run may report events that wait.
    bool isBusy() const { return m_isBusy; }
    void send() {
        const std::lock_guard lock(m_mutex);
        sendNow();
    }

private:
    void setState(RunState state) {
        m_state = std::move(state);
        m_isBusy = m_state.isBusy();
    }
    void sendNow() {
        if (!m_events.empty())
            m_channel.send({MessageKind::Event, m_state.run, eventBytes(std::exchange(m_events, {}))});
    }

    Channel& m_channel;
    std::mutex m_mutex;
    RunState m_state;
    std::atomic<bool> m_isBusy = false; ///< of the state; read while another thread sends
    std::vector<DebugEvent> m_events;   ///< not sent yet
};

/// Tells how far the answer to a question has come; not more often than one can read it.
class ToldProgress : public Progress {
public:
    explicit ToldProgress(Channel& channel) : m_channel(channel) {}
    void report(double fraction, const std::string& what) override {
        const auto now = std::chrono::steady_clock::now();
        if (now - m_told < std::chrono::milliseconds(100))
            return;
        m_told = now;
        m_channel.send(progressMessage({fraction, what}));
    }

private:
    Channel& m_channel;
    std::chrono::steady_clock::time_point m_told;
};

class Server {
public:
    Server(Channel& channel, std::atomic<uint64_t>* position)
        : m_channel(channel), m_reports(channel),
          m_debuggee([this](int run, const DebugEvent& event) { m_reports.tell(run, event); }, position) {}

    /// Waits for the next message. Meanwhile nothing that a run tells waits for long.
    std::optional<Message> receive() {
        while (m_reports.isBusy() && !m_channel.hasNews(kLongestWait))
            m_reports.send();
        return m_channel.receive();
    }

    void obey(const Message& message) {
        switch (message.kind) {
        case MessageKind::Model:
            takeModel(message);
            break;
        case MessageKind::Update:
            takeUpdate(message);
            break;
        case MessageKind::Examples:
            if (m_opened)
                takeExamples(*m_opened, message);
            break;
        case MessageKind::Run:
            run(message.number, runFrom(message.body));
            break;
        case MessageKind::Command:
            command(commandFrom(message.body));
            break;
        case MessageKind::Pause:
            m_debuggee.pause();
            break;
        case MessageKind::Stop:
            m_debuggee.stop();
            break;
        case MessageKind::End:
            m_debuggee.end();
            break;
        case MessageKind::Reference:
            takeReference(message);
            break;
        case MessageKind::Ask:
            answer(message);
            break;
        default:
            break; // not for a worker
        }
    }

private:
    void takeModel(const Message& message) {
        m_fault.reset();
        try {
            m_opened = std::make_shared<OpenedModel>(replicaFrom(message));
            m_debuggee.setModel(m_opened);
        } catch (const Error& error) {
            m_opened.reset();
            m_fault = error; // told when it is to be run
        }
    }

    void takeReference(const Message& message) {
        try {
            m_reference = std::make_unique<OpenedModel>(replicaFrom(message));
        } catch (const Error& error) {
            m_fault = error;
            m_opened.reset();
        }
    }

    void takeUpdate(const Message& message) {
        if (!m_opened)
            return;
        m_debuggee.setModel(nullptr);
        if (m_opened.use_count() > 1) // a run has it
            m_opened = std::make_shared<OpenedModel>(*m_opened);
        try {
            followUpdate(m_opened->model, message);
            m_debuggee.setModel(m_opened);
        } catch (const Error& error) {
            m_opened.reset();
            m_fault = error;
        }
    }

    void run(int number, const RunRequest& request) {
        limitOwnMemory(memoryLimitOf(request));
        m_reports.start(number, request);
        if (m_opened)
            m_debuggee.start(number, request);
        else
            m_reports.tell(number, failureOf(m_fault.value_or(Error("", "there is no model"))));
    }

    void command(DebugCommand command) {
        m_reports.expect(command);
        m_debuggee.send(std::move(command));
    }

    void answer(const Message& question) {
        const auto reference = std::move(m_reference);
        try {
            guarded([&] {
                if (!m_opened)
                    throw m_fault.value_or(Error("", "there is no model"));
                const AnyService* service = findService(serviceNameIn(question));
                if (!service)
                    throw Error("", "the worker has no such service");
                ToldProgress progress(m_channel);
                m_channel.send(service->serve({*m_opened, reference.get()}, question, progress));
            });
        } catch (const Error& error) {
            m_channel.send(faultMessage(m_opened ? 0 : kHasNoModel, error));
        }
    }

    Channel& m_channel;
    Reports m_reports;
    std::shared_ptr<OpenedModel> m_opened;
    std::unique_ptr<const OpenedModel> m_reference; ///< what the next Ask holds it against
    std::optional<Error> m_fault;
    LocalDebuggee m_debuggee; ///< last: its thread tells by what is above
};

} // namespace

void serveRuns(Channel& channel, std::atomic<uint64_t>* position) {
    // Never destroyed: what it runs may not be done when nobody listens any more.
    auto* server = new Server(channel, position);
    while (const std::optional<Message> message = server->receive())
        server->obey(*message);
}

} // namespace fx
