// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/worker_process.h"

#include "core/base/error.h"
#include "core/base/memory_use.h"
#include "core/base/text.h"
#include "core/process/lasting_thread.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace fx {

const int kWorkerOutputs = 5;

namespace {

/// The worker's descriptors beside its standard input, which is the socket.
constexpr int kWords = 3, kPage = 4, kOutputs = kWorkerOutputs;
/// Above these, so that moving one to its place does not tread on another.
constexpr int kFirstFree = 10;

int movedUp(int descriptor) {
    const int out = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstFree);
    ::close(descriptor);
    return out;
}

using Page = std::atomic<uint64_t>;

/// A file in memory for a Page; negative if there is none to be had. Its size is sealed: the worker holds it
/// open for writing, and a page that it has cut off would end the reader with SIGBUS.
int pageFile() {
    const int out = ::memfd_create("fxscope position", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (out < 0 || (::ftruncate(out, sizeof(Page)) == 0 &&
                    ::fcntl(out, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0))
        return out;
    ::close(out);
    return -1;
}

Page* mapped(int descriptor) {
    void* page = ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return page == MAP_FAILED ? nullptr : static_cast<Page*>(page);
}

[[noreturn]] void failToStart(const std::string& program) {
    throw Error("start", "another process of fxscope's cannot be started: " + program)
        .hint("install fxscope with its workers beside it");
}

} // namespace

std::string WorkerProcess::besideThisProgram() {
    std::error_code fault;
    return (std::filesystem::read_symlink("/proc/self/exe", fault).parent_path() / "fxscope-worker").string();
}

WorkerProcess::WorkerProcess(const std::string& program, const std::vector<std::string>& arguments) {
    int sockets[2], words[2], outputs[2];
    const int page = pageFile();
    if (!std::filesystem::exists(program) || page < 0 || !(m_page = mapped(page)) ||
        ::pipe2(words, O_CLOEXEC) != 0 ||
        ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 ||
        ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, outputs) != 0)
        failToStart(program);
    const int theirs = movedUp(sockets[1]), theirWords = movedUp(words[1]), theirPage = movedUp(page),
              theirOutputs = movedUp(outputs[1]);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, theirs, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, theirWords, kWords);
    ::posix_spawn_file_actions_adddup2(&actions, theirPage, kPage);
    ::posix_spawn_file_actions_adddup2(&actions, theirOutputs, kOutputs);
    std::vector<char*> texts{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
        texts.push_back(const_cast<char*>(argument.c_str()));
    texts.push_back(nullptr);
    const int fault = onLastingThread(
        [&] { return ::posix_spawn(&m_process, program.c_str(), &actions, nullptr, texts.data(), environ); });
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(theirs);
    ::close(theirWords);
    ::close(theirPage);
    ::close(theirOutputs);
    m_socket = sockets[0];
    m_words = words[0];
    m_outputs = outputs[0];
    m_id = m_process;
    if (fault != 0) {
        ::close(m_socket);
        ::close(m_words);
        ::close(m_outputs);
        failToStart(program);
    }
}

WorkerProcess::~WorkerProcess() {
    end();
    if (m_socket >= 0)
        ::close(m_socket);
    ::close(m_outputs);
    ::munmap(m_page, sizeof(Page));
}

bool WorkerProcess::isAlive() const {
    siginfo_t info{};
    return m_process > 0 &&
           ::waitid(P_PID, static_cast<id_t>(m_process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == 0;
}

int WorkerProcess::takeSocket() {
    return std::exchange(m_socket, -1);
}

void WorkerProcess::allowOutput(const std::string& path) {
    std::error_code fault;
    const std::string whole = std::filesystem::absolute(path, fault).string();
    ::send(m_outputs, whole.data(), whole.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void WorkerProcess::kill() {
    const std::lock_guard lock(m_mutex);
    if (m_process > 0)
        ::kill(m_process, SIGKILL);
}

ProcessEnd WorkerProcess::end() {
    // One that has died already keeps the way in which it did.
    kill();
    if (m_process <= 0)
        return {};
    siginfo_t info;
    // It keeps its number until it is reaped, which nobody may see in the middle.
    while (::waitid(P_PID, static_cast<id_t>(m_process), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    int status = 0;
    {
        const std::lock_guard lock(m_mutex);
        ::waitpid(m_process, &status, 0);
        m_process = -1;
    }
    const ProcessEnd out = processEnd(status, m_words);
    ::close(m_words);
    return out;
}

std::string endReason(const ProcessEnd& end, uint64_t memoryLimit) {
    if (end.isOverMemory)
        return "it took more memory than the " + byteText(memoryLimit) + " that it may";
    if (end.signal == SIGKILL)
        return "signal 9, as when it is killed or memory runs out";
    return end.signal != 0 ? "signal " + std::to_string(end.signal)
                           : "exit status " + std::to_string(end.exitStatus);
}

std::atomic<uint64_t>* beWorker() {
    // Programs that it may start inherit nothing of this. The page stays mapped.
    for (const int descriptor : {STDIN_FILENO, kWords, kPage, kOutputs})
        ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    reportCrashes(kWords);
    return mapped(kPage);
}

void limitOwnMemory(uint64_t bytes) {
    static std::atomic<uint64_t> limit;
    if (limit.exchange(bytes) == 0)
        std::thread([] {
            while (ownBytes() <= limit)
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            endOverMemory();
        }).detach();
}

} // namespace fx
