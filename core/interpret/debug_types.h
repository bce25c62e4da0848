// SPDX-License-Identifier: GPL-3.0-or-later
// What a debug session is told and what it tells: plain values, so that the two ends may live in different
// threads, and later in different processes.
#pragma once

#include "core/base/error.h"
#include "core/ir/meta.h"
#include "core/torch/values/statistics.h"
#include "core/torch/values/tensor_picture.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fx {

/// A node of one of the model's graphs.
struct NodeRef {
    ModuleId module;
    NodeId node;
    auto operator<=>(const NodeRef&) const = default;
};

struct Breakpoint {
    enum class Kind {
        Node,      ///< before `node`
        Opcode,    ///< before any node of the opcode `text`
        Target,    ///< before any node whose target is `text`
        Scope,     ///< before the first node of the module scope `text`
        NonFinite, ///< after any node whose value holds NaN or Inf
    };
    int id = 0;
    Kind kind = Kind::Node;
    NodeRef node;
    std::string text;
    std::string condition; ///< an expression over the values so far; empty: always
    int ignoreCount = 0;   ///< so many hits are let pass
    int hits = 0;
    bool isEnabled = true;
    bool isTemporary = false; ///< goes with its first stop
    bool operator==(const Breakpoint&) const = default;
};

/// Memory that a value lies in; values that share it have the same id.
struct StorageUse {
    uint64_t id = 0, bytes = 0;
    bool operator==(const StorageUse&) const = default;
};

/// What is known of a node that ran. `value` has no data.
struct NodeRecord {
    NodeRef node;
    ValueMeta value;
    Health health;
    double milliseconds = 0;
    std::string setTo;    ///< the expression that a user put in place of what the node gave; empty: none
    double startedAt = 0; ///< milliseconds of the run, without the pauses
    std::vector<StorageUse> storages = {}; ///< of its tensors, each once
};

/// Where a session stands: the graphs that are running, outermost first, each at its node.
struct DebugFrame {
    NodeRef node;
    std::string graphPath; ///< path of the module whose graph runs; empty for the root
};

// --- Commands

struct Resume {
    enum class Mode {
        Continue,  ///< to the next breakpoint
        Step,      ///< one node, into nested graphs
        Next,      ///< one node of this graph
        NextScope, ///< until another module scope begins
        Out,       ///< until this nested graph, or this module scope, is left
        Until,     ///< to `node`; where it does not come any more, no further than out of this graph
    };
    Mode mode = Mode::Continue;
    NodeRef node;
};
/// The next node to run becomes this one of the innermost graph. Answered by Answer, and by Paused if it
/// worked.
struct Jump {
    int request = 0;
    NodeId node;
};
/// Goes back in the innermost graph. Answered by Answer, and by Paused if it worked.
struct GoBack {
    int request = 0;
    /// To the last enabled breakpoint before (not those for NaN or Inf), to the node that changes a value of
    /// `watched`, or to the first node. False: by one node.
    bool isToStop = false;
    std::vector<std::string> watched = {}; ///< expressions over the values of the innermost graph
};
struct SetBreakpoints {
    std::vector<Breakpoint> breakpoints;
};
/// Answered by Answer with the same number.
struct Evaluate {
    int request = 0;
    std::string expression;
    size_t level = 0;          ///< whose names: 0 the innermost graph's, 1 those of the one that called it
    bool wantsContent = false; ///< fill in Answer::content
};
/// How a value is looked at.
struct ValueView {
    std::string index;      ///< of the table: what stands between the brackets of a subscript
    std::string expression; ///< over `value`, what is shown in its place; empty: itself
    std::string other; ///< what it is held against: an expression, or the path of a tensor; empty: nothing
    TensorView picture;
    bool operator==(const ValueView&) const = default;
};
/// Answered by Inspection with the same number, unless a later one comes before it is begun. A tensor of the
/// model can be looked at without a run.
struct Inspect {
    int request = 0;
    NodeRef node; ///< whose value; none: `tensor` is looked at
    ValueView view = {};
    TensorId tensor = {};
    bool isGradient = false;          ///< of the run's loss for it, which is looked at instead
    std::vector<NodeRef> beside = {}; ///< whose values are wanted as small pictures, too
};
/// Puts what an expression gives in place of the value of a node that has run, for those that read it from
/// now on; "@file" is what a file holds. The node may be of any graph that is running, and the expression's
/// names are of that graph. Answered by Executed with the new value and by Answer.
struct SetValue {
    int request = 0;
    NodeRef node;
    std::string expression;
};
/// Looks back from a node's value that holds NaN, Inf, or what `trait` says (parseTrait) to the node that
/// gave the first such value. Answered by Answer, with the way there.
struct FindOrigin {
    int request = 0;
    NodeRef node;
    std::string trait;
    std::string reference = {}; ///< of a run, a file: looks for the first value that is another one there
};
/// The node has another name in the model that is edited, which changes no value.
struct Rename {
    NodeRef node;
    std::string name;
};
/// Writes a value's data as .npy. Answered by Answer. A tensor of the model can be saved without a run.
struct SaveValue {
    int request = 0;
    NodeRef node;
    std::string path;
    bool isGradient = false; ///< as in Inspect
    TensorId tensor = {};    ///< the same
};
using DebugCommand = std::variant<Resume, Jump, GoBack, SetBreakpoints, Evaluate, Inspect, SetValue,
                                  FindOrigin, Rename, SaveValue>;

// --- Events

struct Paused {
    enum class Reason {
        Entry,
        Step,
        Breakpoint,
        NonFinite,
        Changed, ///< GoBack found the node that changes `changed`
    };
    Reason reason = Reason::Step;
    int breakpoint = 0;             ///< which one
    std::vector<DebugFrame> frames; ///< the last is about to run its node
    std::string note; ///< such as a condition that could not be evaluated, or why the run has not gone on
    std::string changed = {}; ///< an expression of GoBack::watched
};
struct Resumed {};
/// The nodes that ran since the last event, in order. MemoryReport follows.
struct Executed {
    std::vector<NodeRecord> records;
    bool isRecalled = false; ///< repeated for a client that attached later
};
struct Finished {
    std::string result;                  ///< as Python shows it
    double milliseconds = 0;             ///< without the pauses
    std::vector<std::string> notes = {}; ///< such as values that were set and read by no node
};
/// What is known of the gradient of a node's value or of a parameter.
struct GradientRecord {
    NodeRef node;         ///< none: of `tensor`
    TensorId tensor = {}; ///< of the model
    ValueMeta value = {}; ///< without its data, as in NodeRecord
    Health health = {};
    std::string absence = {}; ///< why there is none; empty if there is one
};
/// The run was differentiated; Finished follows, or Failed where a gradient is not finite.
struct Differentiated {
    std::string loss; ///< in words, with its value: "the sum of output = 1.25"
    std::vector<GradientRecord> records;
};
struct Failed {
    NodeRef node;
    std::string place, message; ///< one line for people, and torch.fx's full text
    ErrorCode code = ErrorCode::None;
    /// The graphs that ran, as in Paused: their values can still be asked for. Empty where no node failed.
    std::vector<DebugFrame> frames = {};
};
inline Failed failureOf(const Error& error, NodeRef node = {}) {
    return {node, error.place(), error.explanation(), error.code(), {}};
}
struct Stopped {};
struct Answer {
    int request = 0;
    std::string text;
    bool isError = false;
    std::optional<ValueMeta> value = std::nullopt; ///< what is known of the value that was evaluated
    uint64_t content = 0;           ///< another number where any element of the value is another
    std::vector<NodeRef> path = {}; ///< Origin::path
};
/// A tensor at a glance.
struct Thumbnail {
    NodeRef node;
    TensorPicture picture;
};
struct Inspection {
    int request = 0;
    NodeRef node;
    std::string absence; ///< why there is no value; empty if there is one
    ValueMeta value;
    std::string text; ///< of a value that is no tensor
    std::optional<TensorStatistics> statistics;
    std::optional<TensorSample> sample; ///< of the slice that `index` gives
    std::optional<TensorPicture> picture;
    std::optional<TensorPicture> other, difference; ///< where it is held against something
    std::optional<TensorStatistics> differenceStatistics;
    std::string quantization;           ///< quantizationText()
    std::string fault;                  ///< what is wrong with the view
    std::string changedBy;              ///< a later node that wrote into the tensor
    std::string setTo;                  ///< as in NodeRecord
    TensorId tensor = {};               ///< as in Inspect
    std::vector<Thumbnail> beside = {}; ///< those of Inspect::beside that have a tensor
};
/// A run begins that was to go on from the values of the one before it.
struct GoesOn {
    size_t kept = 0;    ///< nodes of the root graph that need not run
    std::string whyAll; ///< why all run; empty: some need not
};
/// The values of a run that is over are lost, as its process died. Requests for them are refused with `why`,
/// and the next run executes all nodes.
struct ValuesGone {
    std::string why;
};
/// How much memory the kept values take, and what was dropped to stay within the budget.
struct MemoryReport {
    uint64_t keptBytes = 0, budgetBytes = 0;
    size_t droppedCount = 0;
};
/// Hits were counted, or a temporary breakpoint went.
struct BreakpointsChanged {
    std::vector<Breakpoint> breakpoints;
};
using DebugEvent = std::variant<Paused, Resumed, Executed, Finished, Failed, Stopped, Answer, Inspection,
                                MemoryReport, BreakpointsChanged, GoesOn, Differentiated, ValuesGone>;

} // namespace fx
