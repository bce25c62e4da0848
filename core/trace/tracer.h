// SPDX-License-Identifier: GPL-3.0-or-later
// Symbolic tracing (torch.fx's Tracer): runs a module's forward, or a function, on proxies, and records what
// is done with them as a graph. As in torch.fx, a subclass may say which modules are leaves, how calls and
// arguments are recorded. What proxies answer is in tracing_host.h; how the model is read from source in
// trace_source.h.
#pragma once

#include "core/base/error.h"
#include "core/fxpython/program_graph.h"
#include "core/fxpython/python_names.h"
#include "core/module/edit.h"
#include "core/torch/host/nn_modules.h"
#include "core/trace/stack_traces.h"
#include "core/trace/wrapped_functions.h"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

/// What a tracer has recorded, with the modules and tensors that the graph refers to.
struct Traced {
    Model model;
    /// Why tracing ended before its end: the last node of the graph stands for what failed.
    std::optional<Error> fault;
    std::vector<std::string> notes; ///< what torch.fx specialises without a word
};

/// The text of torch.fx's TraceErrors.
namespace trace_text {
extern const char* const kControlFlow;
extern const char* const kIteration;
} // namespace trace_text

/// What torch.fx.Tracer takes as attributes and arguments.
struct TracerOptions {
    bool paramShapesConstant = false;    ///< shape, size() and the like of parameters are no nodes
    bool proxyBufferAttributes = false;  ///< a buffer is read once, as parameters are
    bool isEveryCallRecorded = false;    ///< also one of a function of torch without proxies
    bool entersPython = false;           ///< functions that are Python in PyTorch run, and are no nodes
    bool checkMutableOperations = false; ///< of functions whose one fitting overload writes into an argument
    std::string tracedFuncName = "forward"; ///< the method of the root that is traced
};

class Tracer : public std::enable_shared_from_this<Tracer> {
public:
    /// `evaluator` may be null where nothing of Python is traced.
    explicit Tracer(Evaluator* evaluator, std::string rootType = "GraphModule");
    virtual ~Tracer() = default;
    Tracer(const Tracer&) = delete;
    Tracer& operator=(const Tracer&) = delete;

    /// --- The virtual functions of torch.fx's Tracer.
    /// Leaves are what torch.nn and torch.ao.nn define, but for Sequential.
    virtual bool isLeafModule(const Value& module, const std::string& path);
    /// Throws NameError where the root does not hold the module.
    virtual std::string pathOfModule(const Value& module);
    /// A module is called: a call_module node for a leaf, else its forward runs.
    virtual Value callModule(const Value& module, const std::function<Value(Values, NamedValues)>& forward,
                             Values args, NamedValues kwargs);
    /// A value as an argument of a node; may create get_attr nodes. Throws NotImplementedError for what
    /// cannot be one.
    virtual Argument createArg(const Value& value);
    /// A parameter, buffer or submodule was read off a module: the value that the program sees.
    virtual Value moduleAttribute(const Value& module, const std::string& name, const Value& found);
    virtual Value createProxy(Opcode opcode, Target target, const Values& args, const NamedValues& kwargs,
                              std::optional<std::string_view> name = std::nullopt,
                              std::optional<std::string> type = std::nullopt);
    /// A proxy decides a branch; is iterated; is asked for its length. They throw, as nothing is known of it.
    virtual bool toBool(const Value& proxy);
    virtual Value iter(const Value& proxy);
    virtual int64_t length(const Value& proxy);
    virtual NodeId createOutput(const Argument& returned, std::optional<std::string> type);
    /// An attribute of a proxy that is no node; none: it becomes one.
    virtual std::optional<Value> proxyAttribute(const Value& proxy, const std::string& name);
    /// proxy[index] = value; false where that is refused.
    virtual bool setItem(const Value& proxy, const Value& index, const Value& value);
    /// What an argument of the traced function is instead of an input; none: it becomes one. `name`: "x",
    /// "*args".
    virtual std::optional<Value> argumentInstead(const std::string& name,
                                                 const std::optional<Value>& defaultValue);
    /// Calls the traced function with one value for each of its parameters (trace_arguments.h).
    virtual Value callRoot(const class TraceArguments& arguments, const Value& function, const Values& args);
    /// Makes the arguments, and calls the traced function with them.
    virtual Value callTraced(class TraceArguments& arguments, const Value& function, bool isModule,
                             const Value& concrete);
    /// A name for a constant that the root has not: "_tensor_constant0".
    virtual std::string freshName(const std::string& prefix);
    /// A node was recorded that has no proxy: it stands for a tensor of the source, or is the output.
    virtual void recorded(NodeId, const Value&) {}

    /// The graph that is recorded from now on has been made.
    virtual void began() {}
    /// They hold their tracer.
    virtual void forgetProxies();
    /// The Graph that the program's own trace() gives; none where it has none.
    virtual std::optional<Value> traceByProgram(const Value&, const Value&) { return std::nullopt; }
    /// The tracer of the program that this one is; None where there is none.
    virtual Value instance() const { return {}; }

    /// --- Recording.
    virtual NodeId createNode(Opcode opcode, Target target, Arguments args, Keywords kwargs,
                              std::optional<std::string_view> name = std::nullopt,
                              std::optional<std::string> type = std::nullopt);
    /// Tells the program's torch.fx.traceback of a node that was made, if it wants to know.
    void announce(NodeId node);
    /// The node of a proxy; an attribute that was not read yet is read now.
    NodeId nodeOf(const Value& proxy);
    Value proxyOf(NodeId node) const;
    Edit& edit() { return m_program->edit(); }
    const Graph& graph() const { return m_program->graph(); }
    /// The graph as programs see it.
    ProgramGraph& program() const { return *m_program; }
    Evaluator* evaluator() const { return m_evaluator; }
    void note(const std::string& text);
    /// Calls of these qualified or plain class names are recorded, whatever isLeafModule says.
    void setLeaves(std::vector<std::string> names) { m_leaves = std::move(names); }
    void setOptions(const TracerOptions& options) { m_options = options; }
    const TracerOptions& options() const { return m_options; }
    /// The functions of Python source whose calls are recorded.
    WrappedFunctions& wrapped() { return m_wrapped; }
    /// All modules are leaves, as when torch.fx loads a GraphModule's code.
    void setAllLeaves(bool areAll) { m_areAllLeaves = areAll; }
    /// The code says what its graph holds: `x += y`, `x[i] = y` and every call are recorded as they stand.
    /// torch.fx turns the first into an addition, and refuses the second and calls that no signature fits.
    void setReadsGeneratedCode(bool reads) { m_readsGeneratedCode = reads; }
    bool readsGeneratedCode() const { return m_readsGeneratedCode; }
    /// Where tracing fails, what was recorded is given with the fault, not thrown away.
    void setKeepsPartial(bool keeps) { m_keepsPartial = keeps; }

    /// --- Tracing.
    /// Traces a module instance or a function; `concrete` fixes arguments by name (a dict) or position (a
    /// tuple).
    Traced trace(const Value& root, const Value& concrete = {});
    /// The same for a program: its Graph. Constants are set on `owner`, as torch.fx sets them.
    Value traceProgram(const Value& root, const Value& concrete, const Value& owner);
    /// Records at the end of a graph that a program has, for proxies that it makes of nodes: torch.fx's
    /// GraphAppendingTracer. What is read off modules and becomes a constant is that of `root`, if it is one.
    void appendTo(std::shared_ptr<ProgramGraph> program, const Value& root);
    bool isAppending() const { return m_isAppending; }
    const Value& root() const { return m_root; }
    bool isActive() const { return m_isActive; }
    /// Ends the recording and gives what was recorded.
    Traced take();

protected:
    /// Reads the module tree: paths, parameters, buffers, plain tensors.
    void setRoot(const Value& root);
    std::string constantPath(const Value& value);
    /// Keeps the value for the root under a new name, which it gives: `base` and a number.
    std::string addConstant(const std::string& base, const Value& value);
    bool knowsModule(const Value& module) const;
    /// A module that was added to the root while tracing.
    void addModule(const Value& module, const std::string& path);
    /// While it is alive calls do what they do without a tracer.
    struct Inactive {
        Tracer& tracer;
        explicit Inactive(Tracer& given) : tracer(given) { tracer.m_isActive = false; }
        ~Inactive() { tracer.m_isActive = true; }
    };

private:
    /// Traces up to the output, and gives the fault that ended it before, where that is wanted.
    std::optional<Error> run(const Value& root, const Value& concrete);
    Argument tensorArg(const Value& tensor);
    Argument instanceArg(const Value& instance);
    /// What the traced function does, from its placeholders to the output.
    void record(const Value& function, bool isModule, const Value& concrete);
    /// Remembers where an error that is on its way came from; the innermost call counts.
    void noteFault();
    /// The fault with what could help.
    Error explained(Error fault) const;
    /// The last node of a graph that is not whole.
    void recordFault(const Error& fault);
    void collectTensors(const Value& root);
    /// What the root holds, or held before the source put a proxy in its place: `self.buffer += x`.
    std::vector<std::pair<std::string, Value>> constantsAndReplaced() const;
    /// Where the root has a tensor among its parameters or buffers; null if nowhere.
    const std::string* registeredPath(const Value& tensor, const TextKey& table);

    Evaluator* m_evaluator;
    std::shared_ptr<ProgramGraph> m_program;
    Value m_root;
    bool m_isActive = false;
    bool m_isAppending = false;
    bool m_isHeldByProxies = false; ///< a program may have them when the trace has ended
    bool m_areAllLeaves = false;
    bool m_readsGeneratedCode = false;
    bool m_keepsPartial = false;
    Value m_undecided;                     ///< the proxy that the last fault came of
    SharedMeta m_faultScope, m_faultTrace; ///< of the last fault
    std::vector<std::string> m_leaves;
    std::unordered_map<const Object*, std::string> m_modulePaths;
    std::unordered_map<const void*, std::string> m_parameters,
        m_buffers;                                          ///< by the tensor's identity; see registeredPath
    std::unordered_map<const void*, std::string> m_tensors; ///< by the tensor's identity
    std::vector<std::pair<std::string, Value>> m_constants; ///< set on the root while tracing
    std::vector<std::pair<std::string, Value>> m_readTensors; ///< as they were when the graph read them
    std::unordered_map<std::string, Value> m_parameterProxies;
    ModuleStack m_moduleStack;
    SharedMeta m_sharedStack; ///< m_moduleStack, once a node has it
    StackTraces m_stackTraces;
    std::unordered_map<std::string, int> m_callCounts;
    std::vector<std::string> m_notes;
    WrappedFunctions m_wrapped;
    TracerOptions m_options;
};

/// The type of the handle that a proxy has of a tracer of its own.
inline constexpr const char* kTracerHandle = "torch.fx.Tracer";
/// That tracer; null for the proxies of the one that is at work.
Tracer* ownTracer(const Value& proxy);

/// Whether the value is, or holds in lists, tuples, dicts and slices, a proxy.
bool holdsProxy(const Value& value);

/// Copies the modules and tensors that a graph refers to into the model, in the order of the graph
/// (GraphModule's constructor); `areAllKept`: and before them all that the root has, as when torch.fx loads a
/// GraphModule.
void copyReferenced(Evaluator& evaluator, Edit& edit, const Value& root,
                    const std::vector<std::pair<std::string, Value>>& constants, bool areAllKept);

} // namespace fx
