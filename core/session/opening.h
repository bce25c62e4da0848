// SPDX-License-Identifier: GPL-3.0-or-later
// Opens models, traces patterns that are typed, and loads libraries of operators to see what they hold. Where
// that means evaluating a stranger's code, a process of its own does it, which may touch nothing (confine.h),
// may take so much memory and time and no more, and may crash.
#pragma once

#include "core/open/open.h"
#include "core/passes/pass.h"
#include "core/process/host.h"

#include <mutex>
#include <string>
#include <vector>

namespace fx {

struct OpeningRequest {
    enum class Wanted {
        Model,
        Names,     ///< of the models that a source defines
        Pattern,   ///< what `pattern` is as a graph; `path`: what errors call it
        Operators, ///< schemas of what comes with the library `path`
        Passes,    ///< of a user's file, or the one that `path` names in it (user_pass_rows.h)
        Devices    ///< of this machine
    };
    std::string path; ///< as openModel takes it
    OpenOptions options;
    std::vector<std::string> libraries; ///< of operators, to be loaded first
    Wanted wanted = Wanted::Model;
    std::string pattern = {}; ///< as tracePatternText takes it

    std::string text() const;
    /// Throws an Error for what is no request.
    static OpeningRequest fromText(const std::string& text);
};

/// Opens in a child of this process, which must have no threads. Gives what modelFrom (model_message.h) and
/// namesFrom read.
/// Throws the Error of the opening, and one where the child crashed or took too much.
Message openInChild(const OpeningRequest& request);
std::vector<std::string> namesFrom(const Message& reply);

/// Opens as openModel does; throws what it throws, and an Error where the code crashed or took too much. Only
/// for a process without threads.
OpenedModel openConfined(const OpeningRequest& request, Progress& progress);

/// What userPassTexts gives for the word, from a child; for a process without threads, too. Throws what it
/// throws.
std::vector<Pass> passesConfined(const std::string& word);

/// fxscope-worker's: opens what it is asked for on that channel, until its other end is closed.
void serveOpenings(Channel& channel);

/// The same for a process with threads, by way of a worker.
class OpeningWorker {
public:
    /// `program`: the path of fxscope-worker.
    explicit OpeningWorker(std::string program);
    ~OpeningWorker();
    OpeningWorker(const OpeningWorker&) = delete;
    OpeningWorker& operator=(const OpeningWorker&) = delete;

    // From any thread, one after the other. The first starts the worker, which is ready then for the others.

    /// Throws Cancelled when `progress` is cancelled; the worker is started anew then.
    OpenedModel open(const OpeningRequest& request, Progress& progress);
    /// The models that a source defines, as expressions (core/trace/trace_source.h).
    std::vector<std::string> modelsIn(OpeningRequest request, Progress& progress);
    /// The passes that a user's file has.
    std::vector<Pass> passesIn(const std::string& path, Progress& progress);
    /// As tracePatternText does it (core/rewrite/pattern_source.h), with the libraries that are known here.
    Model tracePattern(const std::string& text, const std::string& place, Progress& progress);
    /// Has a library loaded there, and declares here what came with it (core/interpret/operator_libraries.h).
    /// Throws an Error where it does not load, or crashes while it does.
    void learnLibrary(const std::string& path, Progress& progress);
    /// What availableDevices gives there.
    std::vector<std::string> devices(Progress& progress);

private:
    Message ask(const OpeningRequest& request, Progress& progress);
    std::vector<std::string> askForNames(const OpeningRequest& request, Progress& progress);

    std::string m_program;
    std::timed_mutex m_mutex;
    std::unique_ptr<Host> m_host;
    int32_t m_lastAsked = 0;
};

} // namespace fx
