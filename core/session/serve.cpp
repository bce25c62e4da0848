// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/serve.h"

#include "core/base/error.h"
#include "core/process/token_file.h"
#include "core/torch/values/devices.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace fx {

namespace {

/// Bytes of a greeting.
constexpr uint64_t kLongestGreeting = 4096;
/// Clients that have not shown the token. When there are as many, the oldest makes room for the next, once it
/// has had time to greet, through a tunnel, too; until then further ones wait where the kernel queues them.
constexpr size_t kMostStrangers = 128;
constexpr std::chrono::milliseconds kTimeToGreet{500};
constexpr size_t kMostSessions = 64;
/// What each wrong token makes the next answer wait, up to the longest.
constexpr std::chrono::milliseconds kPenalty{250}, kLongestPenalty{5000};
/// How long serve() waits at most before it looks after what has waited too long.
constexpr int kTurn = 250; // ms

/// Takes as long wherever they differ.
bool isSameSecret(const std::string& a, const std::string& b) {
    unsigned difference = a.size() != b.size();
    for (size_t i = 0; i < a.size(); ++i)
        difference |=
            static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b.empty() ? '\0' : b[i % b.size()]);
    return difference == 0;
}

std::string ownName() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "host";
}

} // namespace

RemoteServer::RemoteServer(ServeOptions options)
    : m_options(std::move(options)), m_socket(m_options.listen), m_stop(::eventfd(0, EFD_CLOEXEC)),
      m_opening(m_options.worker.program) {
    if (m_options.token.empty())
        throw Error("serve", "needs a token that is not empty");
}

RemoteServer::~RemoteServer() {
    {
        const std::lock_guard lock(m_mutex);
        for (Visitor& visitor : m_visitors)
            visitor.channel->shutDown();
    }
    for (Visitor& visitor : m_visitors)
        visitor.thread.join();
}

void RemoteServer::stop() {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t count = ::write(m_stop.number(), &one, sizeof one);
}

void RemoteServer::serve() {
    while (true) {
        std::vector<pollfd> ready{{m_stop.number(), POLLIN, 0}};
        const bool isOpen = mayLetIn(); // asked once: the answer changes with time
        if (isOpen)
            ready.push_back({m_socket.number(), POLLIN, 0});
        for (const Stranger& stranger : m_strangers)
            if (!stranger.refusal)
                ready.push_back({stranger.channel->number(), POLLIN, 0});
        if (::poll(ready.data(), ready.size(), kTurn) < 0 && errno != EINTR)
            return;
        if (ready[0].revents != 0)
            return;
        if (isOpen && ready[1].revents != 0)
            letIn();
        hearStrangers();
        tidy();
    }
}

// --- Strangers

bool RemoteServer::mayLetIn() const {
    return m_strangers.size() < kMostStrangers || Clock::now() - m_strangers.front().arrived > kTimeToGreet;
}

void RemoteServer::letIn() {
    const int socket = m_socket.accept();
    if (m_strangers.size() >= kMostStrangers || (socket < 0 && !m_strangers.empty()))
        m_strangers.pop_front(); // where there are no descriptors left, this gives one back
    if (socket >= 0)
        m_strangers.push_back({std::make_shared<Channel>(socket, false), Clock::now()});
}

void RemoteServer::hearStrangers() {
    for (auto at = m_strangers.begin(); at != m_strangers.end();) {
        const auto stranger = at++;
        if (!hear(*stranger))
            m_strangers.erase(stranger);
    }
}

bool RemoteServer::hear(Stranger& stranger) {
    if (!stranger.refusal) {
        try {
            Message message;
            const Channel::Arrival arrival = stranger.channel->receiveArrived(message, kLongestGreeting);
            if (arrival == Channel::Arrival::Partly)
                return Clock::now() < stranger.arrived + m_options.patience;
            if (arrival == Channel::Arrival::Closed)
                return false;
            const Greeting greeting = greetingFrom(message);
            if (isSameSecret(greeting.token, m_options.token)) {
                m_wrongTokens = 0;
                welcome(stranger.channel, greeting);
                return false;
            }
            const auto penalty =
                std::min<std::chrono::milliseconds>(kPenalty * m_wrongTokens, kLongestPenalty);
            m_wrongTokens += penalty < kLongestPenalty;
            stranger.answered = Clock::now() + penalty;
            throw Error("", "the token is wrong")
                .hint("it is what fxscope serve printed, or in its --token-file");
        } catch (const Error& error) {
            stranger.refusal = error;
        }
    }
    if (Clock::now() < stranger.answered)
        return true;
    stranger.channel->send(faultMessage(0, *stranger.refusal));
    return false;
}

// --- Clients

void RemoteServer::welcome(const std::shared_ptr<Channel>& channel, const Greeting& greeting) {
    const std::lock_guard lock(m_mutex);
    Visitor& visitor = m_visitors.emplace_back();
    visitor.channel = channel;
    visitor.thread = std::thread([this, &visitor, greeting] { receive(visitor, greeting); });
}

void RemoteServer::receive(Visitor& visitor, const Greeting& greeting) {
    std::string name;
    std::shared_ptr<RemoteSession> session;
    try {
        std::tie(name, session) = sessionOf(visitor, greeting);
        if (!session)
            visitor.channel->send(welcomeMessage({remoteVersion(), {}, ownName(), {}}));
    } catch (const Error& error) {
        visitor.channel->send(faultMessage(0, error));
    }
    if (session) {
        const bool hasLeft =
            session->serve(visitor.channel, {remoteVersion(), name, ownName(), availableDevices()});
        const std::lock_guard lock(m_mutex);
        const auto found = m_sessions.find(name);
        if (found != m_sessions.end() && found->second.client == visitor.channel) {
            found->second.client.reset();
            found->second.left = Clock::now();
            if (hasLeft)
                m_sessions.erase(found);
        }
    }
    session.reset(); // it may end by that, which takes its time, so not under the mutex
    visitor.channel->shutDown();
    const std::lock_guard lock(m_mutex);
    visitor.isGone = true;
}

std::pair<std::string, std::shared_ptr<RemoteSession>> RemoteServer::sessionOf(const Visitor& visitor,
                                                                               const Greeting& greeting) {
    if (greeting.version != remoteVersion())
        throw Error("", "the host has " + remoteVersion() + ", and this is " + greeting.version)
            .hint("install the same version on both machines");
    std::string name = greeting.session;
    std::shared_ptr<Channel> before;
    std::shared_ptr<RemoteSession> session;
    {
        const std::lock_guard lock(m_mutex);
        if (name.empty()) {
            if (m_sessions.size() >= kMostSessions)
                throw Error("", "the host has as many sessions as it may").hint("end one of them");
            name = freshToken().substr(0, 16);
            m_sessions[name].session =
                std::make_shared<RemoteSession>(m_options.worker, m_opening, m_options.signs);
        }
        const auto found = m_sessions.find(name);
        if (found == m_sessions.end())
            return {};
        before = std::exchange(found->second.client, visitor.channel);
        session = found->second.session;
    }
    if (before)
        before->shutDown(); // the client has come back before its old connection was known to be lost
    return {std::move(name), std::move(session)};
}

void RemoteServer::tidy() {
    std::vector<std::shared_ptr<RemoteSession>> ended;
    std::list<Visitor> gone;
    {
        const std::lock_guard lock(m_mutex);
        const Clock::time_point now = Clock::now();
        for (auto at = m_visitors.begin(); at != m_visitors.end();) {
            const auto visitor = at++;
            if (visitor->isGone)
                gone.splice(gone.end(), m_visitors, visitor);
        }
        for (auto at = m_sessions.begin(); at != m_sessions.end();) {
            const auto session = at++;
            if (!session->second.client && now > session->second.left + m_options.keep) {
                ended.push_back(std::move(session->second.session));
                m_sessions.erase(session);
            }
        }
    }
    for (Visitor& visitor : gone)
        visitor.thread.join();
}

} // namespace fx
