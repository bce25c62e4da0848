// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/remote_session.h"

#include "core/io/output_file.h"
#include "core/session/debug_wire.h"
#include "core/session/replica_message.h"
#include "core/session/value_wire.h"
#include "core/torch/bind/call.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace fx {

namespace {

/// Copies what a client sent into a file that is made.
void writeUploaded(int from, const std::string& path) {
    OutputFile to(path);
    std::vector<char> piece(size_t(1) << 20);
    for (off_t at = 0;;) {
        const ssize_t count = ::pread(from, piece.data(), piece.size(), at);
        if (count < 0)
            throw Error(path, "cannot be read from the client");
        if (count == 0)
            return to.finish();
        to.write({piece.data(), static_cast<size_t>(count)});
        to.requireWritten();
        at += count;
    }
}

/// Sends a message every few seconds while it lives, so that the client knows that this end is at work.
class SignsOfLife {
public:
    SignsOfLife(Channel& channel, std::chrono::milliseconds period)
        : m_thread([this, &channel, period] {
              std::unique_lock lock(m_mutex);
              while (!m_wake.wait_for(lock, period, [this] { return m_isOver; }))
                  channel.send({MessageKind::Progress, 0, {}});
          }) {}
    ~SignsOfLife() {
        {
            const std::lock_guard lock(m_mutex);
            m_isOver = true;
        }
        m_wake.notify_all();
        m_thread.join();
    }
    SignsOfLife(const SignsOfLife&) = delete;
    SignsOfLife& operator=(const SignsOfLife&) = delete;

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_isOver = false;
    std::thread m_thread; ///< last, as it reads the others
};

} // namespace

RemoteSession::~RemoteSession() {
    m_debuggee.reset();
    if (!m_folder.empty()) {
        std::error_code fault;
        std::filesystem::remove_all(m_folder, fault);
    }
}

bool RemoteSession::serve(const std::shared_ptr<Channel>& channel, Welcome welcome) {
    const std::lock_guard serving(m_serving);
    {
        const std::lock_guard lock(m_mutex);
        welcome.run = m_record.run();
        welcome.updates = m_updates;
    }
    channel->send(welcomeMessage(welcome));
    bool hasLeft = false;
    try {
        while (const std::optional<Message> message = channel->receive()) {
            if (message->kind == MessageKind::Leave) {
                hasLeft = true;
                break;
            }
            if (message->kind == MessageKind::Attach)
                attach(channel);
            else
                obey(*message, *channel);
        }
    } catch (const Error& error) {
        channel->send(faultMessage(0, error));
    }
    channel->shutDown();
    const std::lock_guard lock(m_mutex);
    if (m_client == channel)
        m_client.reset();
    return hasLeft;
}

void RemoteSession::obey(const Message& message, Channel& channel) {
    const bool isAsked = message.kind == MessageKind::Open || message.kind == MessageKind::Recall ||
                         message.kind == MessageKind::Fetch || message.kind == MessageKind::List ||
                         message.kind == MessageKind::Upload;
    try {
        std::optional<SignsOfLife> signs;
        if (isAsked)
            signs.emplace(channel, m_signs);
        guarded([&] {
            switch (message.kind) {
            case MessageKind::Open:
                return open(message, channel);
            case MessageKind::Recall:
                channel.send(describedModel(opened(), message.number));
                return;
            case MessageKind::Fetch:
                return fetch(message, channel);
            case MessageKind::List:
                channel.send(listingMessage(listFolder(message.body), message.number));
                return;
            case MessageKind::Upload:
                return upload(message, channel);
            case MessageKind::Update:
                return follow(message);
            case MessageKind::Run:
                return run(message);
            case MessageKind::Position:
                return tellPosition(message, channel);
            default:
                break;
            }
            if (!m_debuggee)
                throw Error("", "there is no model");
            if (message.kind == MessageKind::Command) {
                DebugCommand command = commandFrom(message.body);
                if (const auto* set = std::get_if<SetBreakpoints>(&command)) {
                    const std::lock_guard lock(m_mutex);
                    m_record.setBreakpoints(set->breakpoints);
                }
                renumber(command);
                m_debuggee->send(std::move(command));
            } else if (message.kind == MessageKind::Pause) {
                m_debuggee->pause();
            } else if (message.kind == MessageKind::Stop) {
                m_debuggee->stop();
            } else if (message.kind == MessageKind::End) {
                {
                    const std::lock_guard lock(m_mutex);
                    m_record.end();
                }
                m_debuggee->end();
            } else {
                throw Error("", "the client says what is no message of its");
            }
        });
    } catch (const Error& error) {
        if (!isAsked)
            throw; // the client is out of step, and told why it is left
        channel.send(faultMessage(message.number, error));
    }
}

const OpenedModel& RemoteSession::opened() const {
    if (!m_opened)
        throw Error("", "the session has no model");
    return *m_opened;
}

void RemoteSession::open(const Message& message, Channel& channel) {
    Progress progress;
    const auto opened =
        std::make_shared<const OpenedModel>(m_opening.open(OpeningRequest::fromText(message.body), progress));
    if (!m_debuggee)
        m_debuggee = std::make_unique<WorkerDebuggee>(
            m_options, [this](int run, const DebugEvent& event) { tell(run, event); });
    m_debuggee->end();
    m_debuggee->setModel(opened);
    m_opened = opened;
    {
        const std::lock_guard lock(m_mutex);
        m_record.end();
        m_updates = 0;
    }
    channel.send(describedModel(*opened, message.number));
}

void RemoteSession::fetch(const Message& message, Channel& channel) {
    int32_t id = kExamplesId;
    if (message.body.size() != sizeof id)
        throw Error("", "the client says what is no message of its");
    std::memcpy(&id, message.body.data(), sizeof id);
    if (id != kExamplesId) {
        channel.send(fetchedMessage(opened().model, TensorId{id}, message.number));
        return;
    }
    std::optional<Message> examples = examplesMessage(opened());
    if (!examples)
        throw Error("", "the examples of the model cannot be sent");
    channel.send({MessageKind::Reply, message.number, std::move(examples->body)});
}

void RemoteSession::upload(const Message& message, Channel& channel) {
    const std::string name = std::filesystem::path(message.body).filename().string();
    if (name.empty() || name == "." || name == ".." || name.find('\0') != std::string::npos || !message.file)
        throw Error(message.body, "is no file that can be uploaded");
    if (m_folder.empty()) {
        std::string folder = (std::filesystem::temp_directory_path() / "fxscope-uploaded-XXXXXX").string();
        if (!::mkdtemp(folder.data()))
            throw Error(folder, "cannot be made");
        m_folder = folder;
    }
    const std::string path = m_folder + '/' + name;
    writeUploaded(message.file->number(), path);
    channel.send({MessageKind::Reply, message.number, path});
}

void RemoteSession::follow(const Message& message) {
    const ModelUpdate update = updateFrom(message, FileMemoryUse::Copied);
    m_opened = followed(opened(), update);
    m_debuggee->follow(update);
    const std::lock_guard lock(m_mutex);
    ++m_updates;
}

void RemoteSession::run(const Message& message) {
    const RunRequest request = runFrom(message.body);
    {
        const std::lock_guard lock(m_mutex);
        m_record.start(message.number, request);
    }
    if (m_debuggee)
        m_debuggee->start(message.number, request);
    else
        tell(message.number, Failed{{}, "", "there is no model"});
}

void RemoteSession::tellPosition(const Message& message, Channel& channel) {
    const NodeRef running = m_debuggee ? m_debuggee->running() : NodeRef();
    channel.send({MessageKind::Position, message.number, toWire(running)});
}

void RemoteSession::attach(const std::shared_ptr<Channel>& channel) {
    const std::lock_guard lock(m_mutex);
    if (const std::vector<DebugEvent> events = m_record.events(); !events.empty())
        channel->send({MessageKind::Event, m_record.run(), eventBytes(events)});
    m_client = channel;
    m_asked.clear(); // by the client before
}

void RemoteSession::renumber(DebugCommand& command) {
    const std::lock_guard lock(m_mutex);
    std::visit(
        [&](auto& kind) {
            if constexpr (requires { kind.request; }) {
                m_asked[++m_lastRequest] = {kind.request, std::get_if<Inspect>(&command) != nullptr};
                kind.request = m_lastRequest;
            }
        },
        command);
}

bool RemoteSession::takeBack(DebugEvent& event) {
    auto* answer = std::get_if<Answer>(&event);
    auto* inspection = std::get_if<Inspection>(&event);
    if (!answer && !inspection)
        return true;
    int& number = answer ? answer->request : inspection->request;
    const auto asked = m_asked.find(number);
    if (asked == m_asked.end())
        return false;
    if (inspection) // those before it that were not begun are not answered
        std::erase_if(
            m_asked, [&](const auto& each) { return each.second.isInspection && each.first < asked->first; });
    number = asked->second.request;
    m_asked.erase(asked);
    return true;
}

void RemoteSession::tell(int run, DebugEvent event) {
    const std::lock_guard lock(m_mutex);
    m_record.take(run, event);
    if (m_client && takeBack(event) && !m_client->send({MessageKind::Event, run, eventBytes({event})})) {
        m_client->shutDown(); // half of a message may have gone
        m_client.reset();
    }
}

} // namespace fx
