// SPDX-License-Identifier: GPL-3.0-or-later
// A model under the debugger, in this process (LocalDebuggee), in a worker (WorkerDebuggee) or on another
// machine (RemoteDebuggee): the same commands in, the same events out.
#pragma once

#include "core/interpret/debug_types.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fx {

struct ModelUpdate;
struct OpenedModel;

/// A run as a user asks for it: words, which are understood where it runs.
struct RunRequest {
    std::map<std::string, std::string> inputs; ///< InputSpecs::byName
    std::string inputsFile;
    std::string device;   ///< "cuda:0"; empty: all stays where it is
    std::string gradMode; ///< as parseGradMode takes it; empty: inference
    std::optional<uint64_t> seed;
    bool isOutsideAllowed = false;
    bool pausesAtEntry = true;
    uint64_t valueBudgetBytes = uint64_t(2) << 30;
    /// What a process of its own may take, beside what it shares; 0: four fifths of what the machine has.
    uint64_t memoryLimitBytes = 0;
    std::vector<std::string> libraries; ///< of operators, to be loaded before
    std::vector<Breakpoint> breakpoints;
    /// Goes on from the last run, where there is one: only these nodes are to run again, and what depends on
    /// them. All else is to be as it was for that. None: everything runs.
    std::optional<std::vector<NodeRef>> changed = std::nullopt;
    /// The run is differentiated at its end: an expression over its values, empty for its first output
    /// (DebugOptions::loss). None: it is not.
    std::optional<std::string> loss = std::nullopt;

    /// True if a run of the same graph with `other` gives the same values.
    bool computesAs(const RunRequest& other) const;
};

class Debuggee {
public:
    /// Called on a thread of the debuggee's. `run`: the number that start() was given.
    using Listener = std::function<void(int run, const DebugEvent& event)>;

    virtual ~Debuggee() = default;
    /// What is run from the next start on. A run under way keeps the model that it began with.
    virtual void setModel(std::shared_ptr<const OpenedModel> opened) = 0;
    /// The same for what it is after an edit.
    virtual void follow(const ModelUpdate& update) = 0;
    /// Starts a run, after stopping the one under way. What is wrong with the request is told as Failed.
    virtual void start(int run, const RunRequest& request) = 0;
    /// To the last run that was started. See DebugSession. What looks at a tensor of the model needs no run,
    /// and is answered at once.
    virtual void send(DebugCommand command) = 0;
    virtual void pause() = 0;
    /// Ends the run after the node that is at work; asked for again, at once where that can be done.
    virtual void stop() = 0;
    /// Ends the run, and lets go of its values. Nothing more is told of it.
    virtual void end() = 0;
    /// The node that is at work, as it was when this was last asked, or at that moment; does not wait.
    virtual NodeRef running() { return {}; }
};

/// Whether the command looks at a tensor of the model, for which no run is needed.
bool needsNoRun(const DebugCommand& command);
/// For debuggees in other processes, which may not answer any more. The number that a command is answered by;
/// 0: by none.
int requestOf(const DebugCommand& command);
/// Describes the first unanswered command, for the message about a debuggee that died: " while it evaluated x
/// + 1".
std::string describePending(const std::vector<DebugCommand>& asked);
/// Strikes out the commands that the event answers.
void settleAsked(std::vector<DebugCommand>& asked, const DebugEvent& event);
/// The answer to one that will not be answered, if it has one.
std::optional<DebugEvent> refusalOf(const DebugCommand& command, const std::string& why);

} // namespace fx
