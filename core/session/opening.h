// SPDX-License-Identifier: GPL-3.0-or-later
// Opens models. Where that means evaluating a stranger's code, a process of its own does it, which may touch
// nothing (confine.h), may take so much memory and time and no more, and may crash.
#pragma once

#include "core/open/open.h"
#include "core/session/crash_report.h"
#include "core/session/model_message.h"
#include "core/session/worker_process.h"

#include <mutex>
#include <string>
#include <vector>

namespace fx {

struct OpeningRequest {
    std::string path; ///< as openModel takes it
    OpenOptions options;
    std::vector<std::string> libraries; ///< of operators, to be loaded first
    bool isListing = false;             ///< of a source: only the names of its models are wanted

    std::string text() const;
    /// Throws an Error for what is no request.
    static OpeningRequest fromText(const std::string& text);
};

/// Opens in a child of this process, which must have no threads, and leaves the model or the error in
/// `answer`.
ProcessEnd openInChild(const OpeningRequest& request, const MessageFiles& answer);

/// Throws an Error where the process that opened ended before it had an answer.
void requireAnswer(const OpeningRequest& request, const ProcessEnd& end);

/// Opens as openModel does; throws what it throws, and an Error where the code crashed or took too much. Only
/// for a process without threads.
OpenedModel openConfined(const OpeningRequest& request, Progress& progress);

/// fxscope-worker's: opens what it is asked for on that socket, until its other end is closed.
void serveOpenings(int socket);

/// The same for a process with threads, by way of a worker.
class OpeningWorker {
public:
    /// `program`: the path of fxscope-worker.
    explicit OpeningWorker(std::string program) : m_program(std::move(program)) {}
    ~OpeningWorker();
    OpeningWorker(const OpeningWorker&) = delete;
    OpeningWorker& operator=(const OpeningWorker&) = delete;

    /// Starts the worker, so that it is ready when it is needed.
    void start();
    /// From any thread, one after the other. Throws Cancelled when `progress` is cancelled; the worker is
    /// started anew then.
    OpenedModel open(const OpeningRequest& request, Progress& progress);
    /// The models that a source defines, as expressions (core/trace/trace_source.h).
    std::vector<std::string> modelsIn(OpeningRequest request, Progress& progress);

private:
    void startNow();
    void stop();
    ProcessEnd ask(const OpeningRequest& request, const MessageFiles& answer, Progress& progress);

    std::string m_program;
    std::mutex m_mutex;
    std::unique_ptr<WorkerProcess> m_process;
};

} // namespace fx
