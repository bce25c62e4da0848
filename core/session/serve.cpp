// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/serve.h"

#include "core/base/error.h"
#include "core/torch/values/devices.h"

#include <algorithm>
#include <cstdio>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

namespace fx {

namespace {

/// Bytes of a greeting.
constexpr uint64_t kLongestGreeting = 4096;
/// Who has not greeted; further ones are turned away.
constexpr long kMostStrangers = 16;
constexpr size_t kMostSessions = 64;
/// What each wrong token makes the next answer wait, up to the longest.
constexpr std::chrono::milliseconds kPenalty{250}, kLongestPenalty{5000};

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

std::string freshToken() {
    unsigned char bytes[16];
    if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        throw Error("serve", "the system has no random numbers for a token");
    std::string out;
    for (const unsigned char byte : bytes) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", byte);
        out += digits;
    }
    return out;
}

RemoteServer::RemoteServer(ServeOptions options)
    : m_options(std::move(options)), m_socket(m_options.listen), m_stop(::eventfd(0, EFD_CLOEXEC)),
      m_opening(m_options.worker.program) {
    if (m_options.token.empty())
        throw Error("serve", "needs a token that is not empty");
}

RemoteServer::~RemoteServer() {
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
        for (Visitor& visitor : m_visitors)
            visitor.channel->shutDown();
    }
    m_wake.notify_all();
    for (Visitor& visitor : m_visitors)
        visitor.thread.join();
}

void RemoteServer::stop() {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t count = ::write(m_stop.number(), &one, sizeof one);
}

void RemoteServer::serve() {
    pollfd ready[2] = {{m_socket.number(), POLLIN, 0}, {m_stop.number(), POLLIN, 0}};
    while (ready[1].revents == 0) {
        if (::poll(ready, 2, 1000) > 0 && ready[0].revents != 0)
            if (const int socket = m_socket.accept(); socket >= 0)
                letIn(socket);
        tidy();
    }
}

void RemoteServer::letIn(int socket) {
    const auto channel = std::make_shared<Channel>(socket, false);
    const std::lock_guard lock(m_mutex);
    const auto isStranger = [](const Visitor& visitor) { return !visitor.hasGreeted && !visitor.isGone; };
    if (std::count_if(m_visitors.begin(), m_visitors.end(), isStranger) >= kMostStrangers)
        return;
    Visitor& visitor = m_visitors.emplace_back();
    visitor.channel = channel;
    visitor.deadline = Clock::now() + m_options.patience;
    visitor.thread = std::thread([this, &visitor] { receive(visitor); });
}

void RemoteServer::receive(Visitor& visitor) {
    std::string name;
    std::shared_ptr<RemoteSession> session;
    try {
        std::tie(name, session) = greet(visitor);
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

std::pair<std::string, std::shared_ptr<RemoteSession>> RemoteServer::greet(Visitor& visitor) {
    const std::optional<Message> message = visitor.channel->receive(kLongestGreeting);
    if (!message)
        throw Error("", "the client is gone");
    const Greeting greeting = greetingFrom(*message);
    requireToken(greeting.token);
    if (greeting.version != remoteVersion())
        throw Error("", "the host has " + remoteVersion() + ", and this is " + greeting.version)
            .hint("install the same version on both machines");
    std::string name = greeting.session;
    std::shared_ptr<Channel> before;
    std::shared_ptr<RemoteSession> session;
    {
        const std::lock_guard lock(m_mutex);
        visitor.hasGreeted = true;
        if (name.empty()) {
            if (m_sessions.size() >= kMostSessions)
                throw Error("", "the host has as many sessions as it may").hint("end one of them");
            name = freshToken().substr(0, 16);
            m_sessions[name].session = std::make_shared<RemoteSession>(m_options.worker, m_opening);
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

void RemoteServer::requireToken(const std::string& token) {
    std::unique_lock lock(m_mutex);
    if (isSameSecret(token, m_options.token)) {
        m_wrongTokens = 0;
        return;
    }
    const auto penalty = std::min<std::chrono::milliseconds>(kPenalty * m_wrongTokens++, kLongestPenalty);
    m_wake.wait_for(lock, penalty, [this] { return m_isEnding; });
    throw Error("", "the token is wrong").hint("it is what fxscope serve printed, or in its --token-file");
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
            else if (!visitor->hasGreeted && now > visitor->deadline)
                visitor->channel->shutDown();
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
