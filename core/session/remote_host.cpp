// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/remote_host.h"

#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/process/remote_address.h"
#include "core/python/value.h"
#include "core/session/debug_wire.h"
#include "core/session/replica_message.h"
#include "core/session/value_wire.h"

#include <ATen/ATen.h>

#include <fcntl.h>
#include <filesystem>
#include <sys/socket.h>
#include <sys/stat.h>

namespace fx {

namespace {

/// Bytes of a host's greeting.
constexpr uint64_t kLongestWelcome = uint64_t(1) << 20;

/// The host's greeting; none: nothing came in time, or the other end was closed.
std::optional<Message> greetingOf(Channel& channel, std::chrono::milliseconds patience,
                                  const Progress* progress) {
    const auto end = std::chrono::steady_clock::now() + patience;
    Message answer;
    while (true) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        if (left.count() <= 0 || !waitForInput(channel.number(), left, progress))
            return std::nullopt;
        const Channel::Arrival arrival = channel.receiveArrived(answer, kLongestWelcome);
        if (arrival == Channel::Arrival::Whole)
            return answer;
        if (arrival == Channel::Arrival::Closed)
            return std::nullopt;
    }
}

} // namespace

std::shared_ptr<RemoteHost> RemoteHost::connect(std::string address, std::string token, std::string session,
                                                const Progress* progress, HostPatience patience) {
    const std::shared_ptr<RemoteHost> out(new RemoteHost(std::move(address), std::move(token), patience));
    const Welcome welcome = out->greet(session, progress);
    out->m_session = welcome.session;
    out->m_devices = welcome.devices;
    out->m_run = welcome.run;
    out->m_updates = welcome.updates;
    return out;
}

RemoteHost::~RemoteHost() {
    if (m_channel) {
        if (!m_isKept)
            m_channel->send({MessageKind::Leave, 0, {}});
        m_channel->shutDown();
    }
    if (m_reader.joinable())
        m_reader.join();
}

Welcome RemoteHost::greet(const std::string& session, const Progress* progress) {
    auto channel = std::make_shared<Channel>(connectTo(m_address, progress), false);
    Welcome welcome;
    try {
        channel->send(greetingMessage({remoteVersion(), m_token, session}));
        const std::optional<Message> answer = greetingOf(*channel, m_patience.greeting, progress);
        if (!answer)
            throw Error("", "nobody greets there")
                .hint("is fxscope serve running, and does the tunnel lead to its port?");
        welcome = welcomeFrom(*answer);
    } catch (const Error& error) {
        throw Error(m_address, error.what());
    }
    if (welcome.version != remoteVersion())
        throw Error(m_address, "the host has " + welcome.version + ", and this is " + remoteVersion())
            .hint("install the same version on both machines");
    if (welcome.session.empty())
        throw SessionGone(m_address, "the host has no session " + session + " any more");
    channel->setPatience(m_patience.silence);
    {
        const std::lock_guard lock(m_mutex);
        m_channel = channel;
        m_whyLost.clear();
        m_wasSilent = false;
    }
    if (m_name.empty())
        m_name = shownLine(welcome.host, kLabelLimits);
    m_reader = std::thread([this, channel] { receive(*channel); });
    return welcome;
}

Welcome RemoteHost::reconnect(const Progress* progress) {
    {
        const std::lock_guard lock(m_mutex);
        m_channel->shutDown();
    }
    if (m_reader.joinable())
        m_reader.join();
    return greet(session(), progress);
}

Welcome RemoteHost::renew(Progress* progress) {
    try {
        if (m_opening.path.empty())
            throw Error(m_address, "the host has no session " + session() + " any more");
        const std::shared_ptr<RemoteHost> fresh = connect(m_address, m_token, {}, progress, m_patience);
        fresh->open(m_opening, progress);
        if (fresh->m_digest != m_digest)
            throw Error(m_name, "has another model by now").hint("open it again");
        fresh->keepSession();
        {
            const std::lock_guard lock(m_mutex);
            m_session = fresh->m_session;
        }
        return greet(session(), progress);
    } catch (const Error& error) {
        throw SessionGone("", error.what());
    }
}

std::string RemoteHost::session() const {
    const std::lock_guard lock(m_mutex);
    return m_session;
}

// --- What is heard

void RemoteHost::listen(EventHeard events, PositionHeard position, LossHeard loss) {
    const std::lock_guard lock(m_hearing);
    m_events = std::move(events);
    m_position = std::move(position);
    m_loss = std::move(loss);
}

void RemoteHost::awaitNews(Channel& channel, bool hasAnswered) {
    const std::chrono::milliseconds turn = m_patience.silence / 3;
    while (!channel.hasNews(turn)) {
        if (std::chrono::steady_clock::now() - channel.lastHeard() > m_patience.silence) {
            const std::lock_guard lock(m_mutex);
            m_wasSilent = !hasAnswered;
            throw Error("", "nothing came from there for " +
                                std::to_string(m_patience.silence.count() / 1000) + " s");
        }
        channel.send({MessageKind::Position, 0, {}}); // which a host that lives answers
    }
}

void RemoteHost::receive(Channel& channel) {
    std::string why = "the connection to " + m_name + " (" + m_address + ") is lost";
    try {
        bool hasAnswered = false;
        const auto next = [&] {
            awaitNews(channel, std::exchange(hasAnswered, true));
            return channel.receive();
        };
        while (std::optional<Message> message = next()) {
            if (message->kind == MessageKind::Event) {
                const std::vector<DebugEvent> events = eventsFrom(message->body);
                const std::lock_guard lock(m_hearing);
                for (const DebugEvent& event : events)
                    if (m_events)
                        m_events(message->number, event);
                continue;
            }
            if (message->kind == MessageKind::Position) {
                const auto node = fromWire<NodeRef>(message->body);
                const std::lock_guard lock(m_hearing);
                if (m_position)
                    m_position(message->number, node);
                continue;
            }
            const std::lock_guard lock(m_mutex);
            const auto asked = m_asked.find(message->number);
            if (asked != m_asked.end()) {
                asked->second.set_value(std::move(*message));
                m_asked.erase(asked);
            } else if (message->kind == MessageKind::Fault && message->number == 0) {
                throw faultFrom(*message);
            }
        }
    } catch (const Error& error) {
        why += std::string(": ") + error.what();
        channel.shutDown();
    }
    lose(why);
}

void RemoteHost::lose(const std::string& why) {
    std::map<int32_t, std::promise<Message>> asked;
    {
        const std::lock_guard lock(m_mutex);
        m_whyLost = why;
        asked.swap(m_asked);
    }
    for (auto& [number, promise] : asked)
        promise.set_value(faultMessage(number, Error("", why)));
    const std::lock_guard lock(m_hearing);
    if (m_loss)
        m_loss(why);
}

bool RemoteHost::wasSilent() const {
    const std::lock_guard lock(m_mutex);
    return m_wasSilent;
}

bool RemoteHost::isLost() const {
    const std::lock_guard lock(m_mutex);
    return !m_whyLost.empty();
}

// --- What is asked

bool RemoteHost::send(const Message& message, Progress* progress) {
    std::shared_ptr<Channel> channel;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_whyLost.empty())
            return false;
        channel = m_channel;
    }
    try {
        if (channel->send(message, progress))
            return true;
    } catch (const Cancelled&) {
        channel->shutDown();
        throw;
    }
    channel->shutDown(); // half of it may have gone
    return false;
}

Message RemoteHost::ask(Message message, Progress* progress) {
    constexpr std::chrono::milliseconds kTurn{20};
    std::future<Message> answer;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_whyLost.empty())
            throw Error("", m_whyLost);
        message.number = ++m_lastAsked;
        answer = m_asked[message.number].get_future();
    }
    send(message, progress); // if it cannot, the reader ends, and says so
    while (answer.wait_for(kTurn) != std::future_status::ready)
        if (progress && progress->isCancelled()) {
            const std::lock_guard lock(m_mutex);
            m_asked.erase(message.number);
            throw Cancelled();
        }
    Message out = answer.get();
    if (out.kind == MessageKind::Fault)
        throw faultFrom(out);
    return out;
}

OpenedModel RemoteHost::modelFrom(const Message& message) {
    {
        const std::lock_guard lock(m_mutex);
        m_fetched.clear();
    }
    // The model may be there for longer than whoever opened it.
    const auto self = shared_from_this();
    return describedFrom(
        message, {[self](TensorId id) { return self->fetch(id); }, [self] { return self->examples(); }});
}

OpenedModel RemoteHost::open(const OpeningRequest& request, Progress* progress) {
    const Message answer = ask({MessageKind::Open, 0, request.text()}, progress);
    OpenedModel out = modelFrom(answer);
    m_opening = request;
    m_digest = std::hash<std::string>()(answer.body);
    m_run = 0;
    m_updates = 0;
    return out;
}

OpenedModel RemoteHost::recall(Progress* progress) {
    return modelFrom(ask({MessageKind::Recall, 0, {}}, progress));
}

FolderListing RemoteHost::list(const std::string& folder) {
    return listingFrom(ask({MessageKind::List, 0, folder}));
}

std::string RemoteHost::upload(const std::string& path, Progress* progress) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        throw Error(path, "cannot be read");
    Message message{MessageKind::Upload, 0, std::filesystem::path(path).filename().string(),
                    std::make_shared<const Descriptor>(file)};
    struct stat info {};
    if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode))
        throw Error(path, "is no file, and only files can be uploaded");
    return ask(std::move(message), progress).body;
}

at::Tensor RemoteHost::fetch(TensorId id) {
    {
        const std::lock_guard lock(m_mutex);
        if (const auto found = m_fetched.find(id.value); found != m_fetched.end())
            return m_fetched.extract(found).mapped();
    }
    const std::string number(reinterpret_cast<const char*>(&id.value), sizeof id.value);
    at::Tensor out;
    FetchedTensors fetched = fetchedFrom(ask({MessageKind::Fetch, 0, number}));
    const std::lock_guard lock(m_mutex);
    for (auto& [which, tensor] : fetched)
        if (which == id)
            out = std::move(tensor);
        else
            m_fetched.try_emplace(which.value, std::move(tensor));
    if (!out.defined())
        throw Error("", "the host did not send the tensor that was asked for");
    return out;
}

std::vector<Value> RemoteHost::examples() {
    const int32_t id = kExamplesId;
    OpenedModel out;
    takeExamples(out,
                 ask({MessageKind::Fetch, 0, std::string(reinterpret_cast<const char*>(&id), sizeof id)}));
    return out.examples();
}

} // namespace fx
