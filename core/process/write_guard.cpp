// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/write_guard.h"

#ifdef FXSCOPE_HAS_SECCOMP

#include "core/process/guarded_call.h"
#include "core/process/passed_descriptor.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <seccomp.h>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fx {

namespace {

class GuardLoop {
public:
    GuardLoop(OutputRules rules, int furtherOutputs, int listener)
        : m_rules(std::move(rules)), m_furtherOutputs(furtherOutputs), m_listener(listener) {}

    /// Until no process has the filter any more.
    void serve() {
        while (true) {
            pollfd ready{m_listener, POLLIN, 0};
            if (::poll(&ready, 1, -1) < 0 && errno != EINTR)
                return;
            if (ready.revents & (POLLHUP | POLLERR | POLLNVAL))
                return;
            if (ready.revents & POLLIN)
                answerNext();
        }
    }

private:
    void takeFurtherOutputs() {
        std::string path(1 << 16, '\0');
        while (m_furtherOutputs >= 0) {
            const ssize_t count = ::recv(m_furtherOutputs, path.data(), path.size(), MSG_DONTWAIT);
            if (count <= 0)
                return;
            m_rules.addOutput(path.substr(0, static_cast<size_t>(count)));
        }
    }

    void answerNext() {
        seccomp_notif* request = nullptr; // fresh, as the kernel wants zeros
        seccomp_notif_resp* response = nullptr;
        if (seccomp_notify_alloc(&request, &response) != 0)
            ::_exit(1);
        if (seccomp_notify_receive(m_listener, request) == 0) {
            takeFurtherOutputs();
            GuardedCall call(m_rules, *request, m_listener);
            const GuardedCall::Result result = call.make();
            response->id = request->id;
            response->error = -result.error;
            response->val = result.value;
            seccomp_notify_respond(m_listener, response);
        }
        seccomp_notify_free(request, response);
    }

    OutputRules m_rules;
    const int m_furtherOutputs, m_listener;
};

/// A signal that the terminal sends to all of them is for the confined process.
void ignoreSignals() {
    for (int number = 1; number < NSIG; ++number)
        std::signal(number, SIG_DFL);
    for (const int number : {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE, SIGALRM})
        std::signal(number, SIG_IGN);
}

[[noreturn]] void guard(int owner, int socket, OutputRules rules, int furtherOutputs) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NAME, "fxscope-guard");
    ignoreSignals();
    char go = 0;
    if (::getppid() != owner || ::read(socket, &go, 1) != 1)
        ::_exit(1);
    const int memory = ::open(("/proc/" + std::to_string(owner) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
    const char isReady = memory >= 0;
    ::close(memory);
    int listener = -1;
    if (::write(socket, &isReady, 1) != 1 || receiveWithDescriptors(socket, &go, 1, {&listener, 1}) != 1 ||
        listener < 0 || ::write(socket, &go, 1) != 1)
        ::_exit(1);
    ::close(socket);
    GuardLoop(std::move(rules), furtherOutputs, listener).serve();
    ::_exit(0);
}

} // namespace

WriteGuard::WriteGuard(OutputRules rules, int furtherOutputs) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    const pid_t owner = ::getpid();
    m_guard = ::fork();
    if (m_guard == 0) {
        ::close(ends[0]);
        guard(owner, ends[1], std::move(rules), furtherOutputs);
    }
    ::close(ends[1]);
    m_socket = ends[0];
    if (m_guard < 0)
        return;
#ifdef PR_SET_PTRACER
    ::prctl(PR_SET_PTRACER, m_guard); // for the security module Yama, if the kernel has it
#endif
    char isReady = 0;
    m_isReady = ::write(m_socket, "g", 1) == 1 && ::read(m_socket, &isReady, 1) == 1 && isReady;
}

WriteGuard::~WriteGuard() {
    if (m_socket >= 0)
        ::close(m_socket); // a guard that has taken nothing ends by that
}

bool WriteGuard::take(int listener) {
    char isTaken = 0;
    const bool out =
        sendWithDescriptors(m_socket, "l", 1, {&listener, 1}) == 1 && ::read(m_socket, &isTaken, 1) == 1;
    ::close(listener);
    return out;
}

} // namespace fx

#endif
