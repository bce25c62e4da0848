// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/crash_report.h"

#include "core/base/current_work.h"
#include "core/base/text.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <set>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fx {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
/// Of names that come from files; the report must fit a pipe.
constexpr size_t kLongestName = 300;
/// Exit status of a process that ended itself as it took too much memory.
constexpr int kOverMemory = 98;

int reportDescriptor = -1;

void put(const char* text) {
    const size_t size = text ? ::strnlen(text, kLongestName) : 0;
    if (size > 0 && ::write(reportDescriptor, text, size) < 0)
        return;
    if (::write(reportDescriptor, "\n", 1) < 0)
        return;
}

/// Only what a handler may do: reading memory and write(2).
void report() {
    put(currentWork.call.load());
    const void* run = currentWork.run.load();
    const auto nodeOf = currentWork.nodeOf.load();
    const CurrentNode node = run && nodeOf ? nodeOf(run) : CurrentNode();
    put(node.name);
    put(node.target);
    const void* evaluator = currentWork.evaluator.load();
    const auto lineOf = currentWork.lineOf.load();
    const CurrentLine line = evaluator && lineOf ? lineOf(evaluator) : CurrentLine();
    put(line.path);
    std::array<char, 12> digits{};
    size_t at = digits.size() - 1;
    for (int rest = line.line; rest > 0 && at > 0; rest /= 10)
        digits[--at] = static_cast<char>('0' + rest % 10);
    put(&digits[at]);
}

void onCrash(int number) {
    report();
    ::raise(number); // the handler is gone, so this ends the process
}

void onTimeOver(int) {
    report();
    ::_exit(0);
}

/// Of SIGBUS it is the one of core/base/file_memory.h, which goes on where it can and else asks the one
/// before it.
bool hasHandler(int number) {
    struct sigaction now {};
    ::sigaction(number, nullptr, &now);
    return now.sa_handler != SIG_DFL;
}

void handle(int number, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
    ::sigaction(number, &action, nullptr);
}

/// The processes that this one has forked, and those that were left to it.
std::set<pid_t> ownChildren() {
    std::set<pid_t> out;
    std::error_code fault;
    for (std::filesystem::directory_iterator at("/proc/self/task", fault), end; !fault && at != end;
         at.increment(fault)) {
        std::ifstream list(at->path() / "children");
        for (pid_t child = 0; list >> child;)
            out.insert(child);
    }
    return out;
}

/// Ends what a child has forked and left behind: it would go on, with descriptors that others wait for.
void endOrphans(const std::set<pid_t>& known) {
    constexpr int kMostRounds = 1000; // they may fork faster than they are ended
    for (int round = 0; round < kMostRounds; ++round) {
        std::set<pid_t> orphans = ownChildren();
        for (const pid_t child : known)
            orphans.erase(child);
        if (orphans.empty())
            return;
        for (const pid_t orphan : orphans)
            ::kill(orphan, SIGKILL);
        for (const pid_t orphan : orphans)
            ::waitpid(orphan, nullptr, 0);
    }
}

std::string readAll(int descriptor) {
    std::string out;
    std::array<char, 4096> buffer;
    while (true) {
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return out;
        out.append(buffer.data(), static_cast<size_t>(count));
    }
}

} // namespace

void reportCrashes(int descriptor, std::chrono::seconds limit) {
    reportDescriptor = descriptor;
    // A stack that has overflown cannot hold the handler.
    static std::array<char, 1 << 16> stack;
    stack_t alternate{};
    alternate.ss_sp = stack.data();
    alternate.ss_size = stack.size();
    ::sigaltstack(&alternate, nullptr);
    for (const int number : kCrashes)
        if (number != SIGBUS || !hasHandler(number))
            handle(number, onCrash);
    if (limit.count() <= 0)
        return;
    handle(SIGALRM, onTimeOver);
    itimerval timer{};
    timer.it_value.tv_sec = limit.count();
    ::setitimer(ITIMER_REAL, &timer, nullptr);
}

ProcessEnd runInChild(const std::function<int()>& work, std::chrono::seconds limit) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw Error("", "no pipe to be had for another process");
    const pid_t parent = ::getpid();
    const std::set<pid_t> known = ownChildren();
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent)
            ::_exit(1);
        ::close(ends[0]);
        reportCrashes(ends[1], limit);
        try {
            ::_exit(work());
        } catch (...) {
            ::_exit(1); // do not unwind into the parent's stack frames
        }
    }
    ::close(ends[1]);
    if (child < 0) {
        ::close(ends[0]);
        throw Error("", "another process cannot be started");
    }
    const auto deadline = Clock::now() + limit + std::chrono::seconds(2);
    const bool isLimited = limit.count() > 0;
    int status = 0;
    bool isKilled = false;
    while (true) {
        const pid_t ended = ::waitpid(child, &status, isLimited && !isKilled ? WNOHANG : 0);
        if (ended == child || (ended < 0 && errno != EINTR))
            break;
        if (!isLimited || isKilled)
            continue;
        if (Clock::now() > deadline) {
            isKilled = true;
            ::kill(child, SIGKILL);
            continue;
        }
        // The pipe closes when the child ends, so this waits no longer than it must.
        pollfd closed{ends[0], 0, 0};
        if (::poll(&closed, 1, 20) > 0)
            ::usleep(200);
    }
    endOrphans(known);
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    ProcessEnd out = processEnd(status, ends[0]);
    ::close(ends[0]);
    out.isLate |= isKilled;
    return out;
}

void endOverMemory() {
    report();
    ::_exit(kOverMemory);
}

ProcessEnd processEnd(int status, int descriptor) {
    // It has ended, but what it has forked may hold the other end.
    ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
    const std::string words = readAll(descriptor);
    ProcessEnd out;
    out.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    out.exitStatus = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    out.isOverMemory = out.exitStatus == kOverMemory && !words.empty();
    out.isLate = out.signal == 0 && !words.empty() && !out.isOverMemory;
    if (const std::vector<std::string_view> lines = split(words, '\n'); lines.size() >= 3) {
        out.call = lines[0];
        out.node = lines[1];
        if (!lines[2].empty())
            out.call = lines[2];
        if (lines.size() >= 5 && !lines[3].empty())
            out.line = std::string(lines[3]) + ':' + std::string(lines[4]);
    }
    return out;
}

std::string endText(const ProcessEnd& end, std::chrono::seconds limit) {
    std::string where;
    if (!end.node.empty())
        where = " in node " + end.node + (end.call.empty() ? "" : " (" + end.call + ")");
    else if (!end.call.empty())
        where = " in " + end.call;
    const std::string line = end.line.empty() ? "" : ", at " + end.line;
    if (end.isLate)
        return "took longer than " + std::to_string(limit.count()) + " s, and was stopped" + where + line;
    if (end.isOverMemory)
        return "took nearly all memory of the machine, and was stopped" + where + line;
    if (end.signal == SIGKILL)
        return "was killed" + where + " (signal 9), as happens when memory runs out";
    if (end.signal == 0)
        return "ended" + where + line;
    return "crashed" + where + " (signal " + std::to_string(end.signal) + ")" + line;
}

} // namespace fx
