// SPDX-License-Identifier: GPL-3.0-or-later
// Messages are a length in decimal, a newline and that many bytes, both ways.
#include "core/layout/worker_client.h"

#include "core/base/error.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fx {

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void failLate() {
    throw Error("layout", "took longer than allowed");
}

} // namespace

LayoutWorker::LayoutWorker(std::string program) : m_program(std::move(program)) {
    // A worker that died must not take us with it when we write to it.
    std::signal(SIGPIPE, SIG_IGN);
}

LayoutWorker::~LayoutWorker() {
    stop();
}

std::string LayoutWorker::besideThisProgram() {
    std::error_code fault;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", fault);
    const auto worker = self.parent_path() / "fxscope-layout-worker";
    return !fault && std::filesystem::exists(worker) ? worker.string() : std::string();
}

void LayoutWorker::start() {
    int request[2], answer[2];
    if (::pipe2(request, O_CLOEXEC) != 0)
        throw Error("layout", "no pipe to be had for the worker");
    if (::pipe2(answer, O_CLOEXEC) != 0) {
        ::close(request[0]), ::close(request[1]);
        throw Error("layout", "no pipe to be had for the worker");
    }
    m_process = ::fork();
    if (m_process == 0) {
        ::dup2(request[0], STDIN_FILENO);
        ::dup2(answer[1], STDOUT_FILENO);
        char* arguments[] = {m_program.data(), nullptr};
        ::execv(m_program.c_str(), arguments);
        ::_exit(127);
    }
    ::close(request[0]), ::close(answer[1]);
    m_in = request[1];
    m_out = answer[0];
    ::fcntl(m_in, F_SETFL, O_NONBLOCK);
    ::fcntl(m_out, F_SETFL, O_NONBLOCK);
    if (m_process < 0) {
        stop();
        throw Error("layout", "the worker cannot be started");
    }
}

void LayoutWorker::stop() {
    for (int* end : {&m_in, &m_out}) {
        if (*end >= 0)
            ::close(*end);
        *end = -1;
    }
    if (m_process > 0) {
        ::kill(m_process, SIGKILL);
        ::waitpid(m_process, nullptr, 0);
    }
    m_process = -1;
}

std::string LayoutWorker::exchange(const std::string& request, Clock::time_point deadline,
                                   const std::function<bool()>& isCancelled) {
    const auto wait = [&](int descriptor, short events) {
        while (true) {
            if (isCancelled && isCancelled())
                throw Cancelled();
            if (Clock::now() >= deadline)
                failLate();
            pollfd one{descriptor, events, 0};
            if (::poll(&one, 1, 10) > 0)
                return;
        }
    };
    for (size_t sent = 0; sent < request.size();) {
        wait(m_in, POLLOUT);
        const ssize_t count = ::write(m_in, request.data() + sent, request.size() - sent);
        if (count < 0 && errno != EAGAIN && errno != EINTR)
            throw Error("layout", "the worker has ended");
        sent += count > 0 ? static_cast<size_t>(count) : 0;
    }
    std::string received;
    size_t wanted = std::string::npos;
    char buffer[1 << 16];
    while (wanted == std::string::npos || received.size() < wanted) {
        wait(m_out, POLLIN);
        const ssize_t count = ::read(m_out, buffer, sizeof buffer);
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
            throw Error("layout", "the worker has ended");
        received.append(buffer, count > 0 ? static_cast<size_t>(count) : 0);
        const size_t newline = received.find('\n');
        if (wanted == std::string::npos && newline != std::string::npos)
            wanted = newline + 1 + std::strtoull(received.c_str(), nullptr, 10);
    }
    return received.substr(received.find('\n') + 1);
}

LevelLayout LayoutWorker::layOut(const Level& level, std::chrono::milliseconds deadline,
                                 const std::function<bool()>& isCancelled) {
    const std::string text = levelText(level);
    if (const auto known = m_cache.find(text); known != m_cache.end())
        return known->second;
    if (m_program.empty())
        throw Error("layout", "there is no layout worker beside this program");
    if (m_process < 0)
        start();
    try {
        const std::string answer =
            exchange(std::to_string(text.size()) + '\n' + text, Clock::now() + deadline, isCancelled);
        LevelLayout layout = layoutFromText(answer, level.items.size(), level.edges.size());
        return m_cache.emplace(text, std::move(layout)).first->second;
    } catch (...) {
        stop();
        throw;
    }
}

} // namespace fx
