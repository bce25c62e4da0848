// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/remote_address.h"

#include "core/base/error.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace fx {

namespace {

/// How long what is sent may stay unconfirmed before the connection counts as lost.
constexpr int kSilenceSeconds = 30;
/// For whoever is asleep at the other end of a unix socket, likewise.
constexpr timeval kSendTimeout{kSilenceSeconds, 0};

/// How long a host may take to answer at all.
constexpr std::chrono::seconds kConnecting{20};

/// Connections that the kernel keeps until they are accepted.
constexpr int kBacklog = 512;

constexpr const char* kLoopback = "127.0.0.1";

struct SocketAddress {
    sockaddr_storage data{};
    socklen_t size = 0;
    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&data); }
};

/// In short turns, as a thread that waits for the network hears nothing else.
bool isReady(int socket, short events, std::chrono::milliseconds patience, const Progress* progress) {
    constexpr int kTurn = 20; // milliseconds
    const auto end = std::chrono::steady_clock::now() + patience;
    pollfd ready{socket, events, 0};
    while (::poll(&ready, 1, kTurn) <= 0) {
        if (progress && progress->isCancelled())
            throw Cancelled();
        if (std::chrono::steady_clock::now() >= end)
            return false;
    }
    return true;
}

[[noreturn]] void failAt(const std::string& address, const char* what) {
    throw Error(address, std::string(what) + ": " + std::strerror(errno));
}

/// The path of "unix:PATH"; else empty.
std::string unixPathOf(const std::string& address) {
    return address.starts_with("unix:") ? address.substr(5) : std::string();
}

SocketAddress unixAddress(const std::string& address) {
    SocketAddress out;
    auto* to = reinterpret_cast<sockaddr_un*>(&out.data);
    const std::string path = unixPathOf(address);
    if (path.size() >= sizeof to->sun_path)
        throw Error(address, "is too long for a socket's path");
    to->sun_family = AF_UNIX;
    std::memcpy(to->sun_path, path.c_str(), path.size() + 1);
    out.size = sizeof *to;
    return out;
}

SocketAddress resolved(const std::string& address) {
    if (!unixPathOf(address).empty())
        return unixAddress(address);
    const size_t colon = address.rfind(':');
    std::string host = colon == std::string::npos ? "" : address.substr(0, colon);
    const std::string port = address.substr(colon == std::string::npos ? 0 : colon + 1);
    if (host.size() > 1 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    const bool isPort =
        !port.empty() && port.size() < 6 && port.find_first_not_of("0123456789") == std::string::npos;
    if (!isPort || std::stoi(port) > 65535)
        throw Error(address, "is no address").hint("write HOST:PORT, as 127.0.0.1:9000, or unix:PATH");
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(host.empty() ? kLoopback : host.c_str(), port.c_str(), &hints, &found) != 0 || !found)
        throw Error(address, "there is no such host");
    SocketAddress out;
    std::memcpy(&out.data, found->ai_addr, found->ai_addrlen);
    out.size = found->ai_addrlen;
    ::freeaddrinfo(found);
    return out;
}

/// So that a step does not wait for more to send, and a machine that is gone is noticed.
int attentive(int socket) {
    const int yes = 1, idle = 10, interval = 5, count = 4, silence = kSilenceSeconds * 1000;
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &kSendTimeout, sizeof kSendTimeout);
    ::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence, sizeof silence);
    return socket;
}

std::string textOf(const SocketAddress& address) {
    char host[NI_MAXHOST], port[NI_MAXSERV];
    if (::getnameinfo(address.get(), address.size, host, sizeof host, port, sizeof port,
                      NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return {};
    const bool isSix = address.data.ss_family == AF_INET6;
    return (isSix ? '[' + std::string(host) + ']' : std::string(host)) + ':' + port;
}

bool isLoopback(const SocketAddress& address) {
    if (address.data.ss_family == AF_INET)
        return (ntohl(reinterpret_cast<const sockaddr_in*>(&address.data)->sin_addr.s_addr) >> 24) == 127;
    return address.data.ss_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(&address.data)->sin6_addr);
}

} // namespace

bool waitForInput(int socket, std::chrono::milliseconds patience, const Progress* progress) {
    return isReady(socket, POLLIN, patience, progress);
}

int connectTo(const std::string& address, const Progress* progress) {
    const SocketAddress to = resolved(address);
    const int socket = ::socket(to.data.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0)
        failAt(address, "cannot be connected to");
    try {
        if (::connect(socket, to.get(), to.size) != 0) {
            int fault = errno;
            socklen_t size = sizeof fault;
            if (fault == EINPROGRESS && !isReady(socket, POLLOUT, kConnecting, progress))
                fault = ETIMEDOUT;
            else if (fault == EINPROGRESS)
                ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &fault, &size);
            errno = fault;
            if (fault != 0)
                failAt(address, "cannot be connected to");
        }
    } catch (...) {
        ::close(socket);
        throw;
    }
    ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) & ~O_NONBLOCK);
    return attentive(socket);
}

ListeningSocket::ListeningSocket(const std::string& address) : m_address(address) {
    SocketAddress at = resolved(address);
    const int socket = ::socket(at.data.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0)
        failAt(address, "cannot be listened at");
    m_socket = std::make_shared<const Descriptor>(socket);
    const bool isUnix = at.data.ss_family == AF_UNIX;
    if (isUnix) {
        // One that a server left which is gone; a living one keeps its place.
        struct stat info {};
        const std::string path = unixPathOf(address);
        if (::stat(path.c_str(), &info) == 0 && S_ISSOCK(info.st_mode)) {
            const Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
            if (::connect(probe.number(), at.get(), at.size) != 0 && errno == ECONNREFUSED)
                ::unlink(path.c_str());
        }
    } else {
        const int yes = 1;
        ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    }
    const mode_t mask = ::umask(0077); // nobody else's
    const bool isBound = ::bind(socket, at.get(), at.size) == 0;
    const int why = errno;
    ::umask(mask);
    errno = why;
    if (!isBound || ::listen(socket, kBacklog) != 0)
        failAt(address, "cannot be listened at");
    if (isUnix) {
        m_path = unixPathOf(address);
        return;
    }
    at.size = sizeof at.data;
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&at.data), &at.size);
    m_address = textOf(at);
    m_isOpenToOthers = !isLoopback(at);
}

ListeningSocket::~ListeningSocket() {
    if (!m_path.empty())
        ::unlink(m_path.c_str());
}

int ListeningSocket::accept() const {
    const int socket = ::accept4(m_socket->number(), nullptr, nullptr, SOCK_CLOEXEC);
    return socket < 0 ? -1 : attentive(socket);
}

} // namespace fx
