// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/worker_server.h"

#include "core/base/error.h"
#include "core/io/torch_archive.h"
#include "core/session/debug_wire.h"
#include "core/session/model_message.h"

namespace fx {

namespace {

class Server {
public:
    Server(Channel& channel, std::atomic<uint64_t>* position)
        : m_channel(channel), m_debuggee([this](int run, const DebugEvent& event) { tell(run, event); }, position) {}

    void obey(const Message& message) {
        switch (message.kind) {
        case MessageKind::Model:
            takeModel(message);
            break;
        case MessageKind::Examples:
            takeExamples(message);
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
        case MessageKind::Greeting:
        case MessageKind::Event:
            break; // ours to say
        }
    }

private:
    void tell(int run, const DebugEvent& event) { m_channel.send({MessageKind::Event, run, eventBytes(event)}); }

    void takeModel(const Message& message) {
        m_fault.reset();
        try {
            if (!message.file)
                throw Error("", "a model came without its tensors");
            m_model = std::make_shared<OpenedModel>(modelFromText(message.body, message.file->number(), "the model"));
            m_debuggee.setModel(m_model);
        } catch (const Error& error) {
            m_model.reset();
            m_fault = error; // told when it is to be run
        }
    }

    void takeExamples(const Message& message) {
        if (m_model && message.file)
            m_model->examples = [file = message.file] {
                return itemsOf(readTorchFile("/proc/self/fd/" + std::to_string(file->number()))).value_or(Values());
            };
    }

    void run(int number, const RunRequest& request) {
        if (m_model)
            m_debuggee.start(number, request);
        else
            tell(number, Failed{{}, m_fault ? m_fault->place() : "", m_fault ? m_fault->message() : "there is no model"});
    }

    Channel& m_channel;
    std::shared_ptr<OpenedModel> m_model;
    std::optional<Error> m_fault;
    LocalDebuggee m_debuggee; ///< last: its thread tells by what is above
};

} // namespace

void serveRuns(Channel& channel, std::atomic<uint64_t>* position) {
    // Never destroyed: what it runs may not be done when nobody listens any more.
    auto* server = new Server(channel, position);
    while (const std::optional<Message> message = channel.receive())
        server->obey(*message);
}

} // namespace fx
