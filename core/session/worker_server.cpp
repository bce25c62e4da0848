// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/worker_server.h"

#include "core/base/error.h"
#include "core/session/debug_wire.h"
#include "core/session/replica_message.h"
#include "core/session/worker_jobs.h"
#include "core/torch/bind/call.h"

namespace fx {

namespace {

class Server {
public:
    Server(Channel& channel, std::atomic<uint64_t>* position)
        : m_channel(channel),
          m_debuggee([this](int run, const DebugEvent& event) { tell(run, event); }, position) {}

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
            m_debuggee.send(commandFrom(message.body));
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
        case MessageKind::Export:
            answer(exportRequestFrom(message.body), [&](const ExportRequest& request) {
                return Message{MessageKind::Exported, 0, exportBytes(exportAndCompare(*m_opened, request))};
            });
            break;
        case MessageKind::Apply:
            answer(passRequestFrom(message.body), [&](const PassRequest& request) {
                Progress progress;
                return passMessage(applyToCopy(*m_opened, request, progress));
            });
            break;
        default:
            break; // not for a worker
        }
    }

private:
    /// On the thread of the run, or where there is none on this one. What is followed by more waits for it:
    /// each message wakes a thread on the other end.
    void tell(int run, const DebugEvent& event) {
        m_events.push_back(event);
        if (!std::get_if<Executed>(&event))
            m_channel.send({MessageKind::Event, run, eventBytes(std::exchange(m_events, {}))});
    }

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
        if (m_opened)
            m_debuggee.start(number, request);
        else
            tell(number, failureOf(m_fault.value_or(Error("", "there is no model"))));
    }

    template <class Request, class Work>
    void answer(const Request& request, const Work& work) {
        limitOwnMemory(memoryLimitOf(request.run));
        try {
            guarded([&] {
                if (!m_opened)
                    throw m_fault.value_or(Error("", "there is no model"));
                m_channel.send(work(request));
            });
        } catch (const Error& error) {
            m_channel.send({MessageKind::Fault, 0, errorBytes(error)});
        }
    }

    Channel& m_channel;
    std::shared_ptr<OpenedModel> m_opened;
    std::optional<Error> m_fault;
    std::vector<DebugEvent> m_events; ///< not sent yet
    LocalDebuggee m_debuggee;         ///< last: its thread tells by what is above
};

} // namespace

void serveRuns(Channel& channel, std::atomic<uint64_t>* position) {
    // Never destroyed: what it runs may not be done when nobody listens any more.
    auto* server = new Server(channel, position);
    while (const std::optional<Message> message = channel.receive())
        server->obey(*message);
}

} // namespace fx
