// SPDX-License-Identifier: GPL-3.0-or-later
// The process fxscope-worker, seen from the program that starts it, and what both know of how it ends: it has
// its end of a socket as standard input, a pipe for its last words, and a page in which it notes which node
// runs.
#pragma once

#include "core/process/crash_report.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace fx {

class WorkerProcess {
public:
    /// The worker that was built beside this program.
    static std::string besideThisProgram();

    /// Starts it. Throws an Error where it cannot be started.
    WorkerProcess(const std::string& program, const std::vector<std::string>& arguments);
    /// Ends it.
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    int id() const { return m_id; }
    /// False once it has ended.
    bool isAlive() const;
    /// This program's end of the socket.
    int socket() const { return m_socket; }
    /// The same, for whoever closes it.
    int takeSocket();
    /// What it has noted (core/run/debug_session.h, positionOf); also when it is gone.
    uint64_t position() const { return m_page->load(); }
    /// Lets it write a file or folder from now on, if it is one that runs graphs (confine_run.h). From any
    /// thread.
    void allowOutput(const std::string& path);
    /// From any thread.
    void kill();
    /// Kills it if it is still there, waits, and says how it ended. Once.
    ProcessEnd end();

private:
    int m_socket = -1, m_words = -1;
    int m_outputs = -1; ///< the socket on which outputs are named
    int m_id = -1;
    std::atomic<uint64_t>* m_page;
    std::mutex m_mutex; ///< so that nobody kills whoever has the number next
    int m_process = -1; ///< not positive: it is gone, and kill() of that would be everybody
};

/// "signal 11": why it ended, where it may take so much memory.
std::string endReason(const ProcessEnd& end, uint64_t memoryLimit);

/// In the worker: takes the descriptors that WorkerProcess gave it, and reports crashes from now on. Gives
/// the page.
std::atomic<uint64_t>* beWorker();
/// The worker's end of the socket on which WorkerProcess::allowOutput names outputs.
extern const int kWorkerOutputs;
/// From now on: this process ends when it takes more memory of its own than so much, and says where it was.
void limitOwnMemory(uint64_t bytes);

} // namespace fx
