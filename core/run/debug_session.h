// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a model under a debugger's hand, on a thread of its own and on a copy of the graph whose tensors are
// shared. It takes commands and tells events; nobody waits for it but its destructor. What it keeps ends with
// it.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/interpret/graph_inputs.h"
#include "core/interpret/origin.h"
#include "core/interpret/rerun.h"
#include "core/interpret/run_settings.h"
#include "core/module/model.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace at {
class Tensor;
}

namespace fx {

class Value;

struct DebugOptions {
    uint64_t valueBudgetBytes = uint64_t(2) << 30;
    RunSettings run;
    bool pausesAtEntry = true;
    bool checksHealth = true; ///< look for NaN and Inf in every value
    /// The gradient of this loss is found for every value (gradients.h): an expression over the values, empty
    /// for the first floating output. The run is then in grad mode. None: no gradients.
    std::optional<std::string> loss = std::nullopt;
    /// Where to note which node runs (positionOf), for those who ask when the process is gone; null: nowhere.
    std::atomic<uint64_t>* position = nullptr;
    /// Writes a tensor to a file; what SaveValue does.
    std::function<void(const at::Tensor&, const std::string& path)> saveTensor;
    /// Reads a value from a file, of several in it that of the name; what SetValue does for "@file".
    std::function<Value(const std::string& path, const std::string& name)> readValue;
    /// Holds values against those of a run that a file has; what FindOrigin does for `reference`.
    FindDifference findDifference;
};

/// A node as a number that is written at once, and back. 0: no node.
constexpr uint64_t positionOf(NodeRef node) {
    return (uint64_t(uint32_t(node.module.value + 1)) << 32) | uint32_t(node.node.value + 1);
}
constexpr NodeRef nodeAt(uint64_t position) {
    return {ModuleId{int32_t(position >> 32) - 1}, NodeId{int32_t(position & 0xffffffff) - 1}};
}

class DebugSession {
public:
    /// Called on the session's thread.
    using Listener = std::function<void(const DebugEvent&)>;
    /// Makes the inputs, on the session's thread; may throw.
    using MakeInputs = std::function<GraphInputs(const Model&)>;

    /// `earlier`: what a run of the same model before an edit has left, with the same inputs and settings.
    /// Then only what is `changed` runs, and what depends on it; tells GoesOn.
    DebugSession(Model model, MakeInputs inputs, DebugOptions options, std::vector<Breakpoint> breakpoints,
                 Listener listener, std::optional<EarlierRun> earlier = std::nullopt,
                 std::set<NodeRef> changed = {});
    /// Stops the run, also in its middle, and waits until the thread has ended.
    ~DebugSession();
    DebugSession(const DebugSession&) = delete;
    DebugSession& operator=(const DebugSession&) = delete;

    /// Commands are taken when the run is paused or over, breakpoints before the next node. From any thread.
    void send(DebugCommand command);
    /// Breaks a run off before its next node.
    void stop();
    /// Stops before the next node, as a breakpoint there would.
    void pause();
    /// The copy that runs. Only names of its nodes change, by Rename.
    const Model& model() const;
    /// Ends the run as the destructor does, and gives what it leaves. Nothing may be asked of it afterwards.
    EarlierRun end();

private:
    class Run;
    std::unique_ptr<Run> m_run;
};

} // namespace fx
