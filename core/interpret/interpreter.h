// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a graph node by node. One loop over step() serves everybody: a plain run, ShapeProp, the debugger.
// As in torch.fx, a subclass may override what happens for a node or for an opcode; who only watches is an
// Observer.
#pragma once

#include "core/base/current_work.h"
#include "core/base/error.h"
#include "core/interpret/compiled_parts.h"
#include "core/interpret/graph_inputs.h"
#include "core/interpret/library_runner.h"
#include "core/interpret/packed_weights.h"
#include "core/interpret/program.h"
#include "core/interpret/run_modes.h"
#include "core/interpret/run_tensors.h"
#include "core/python/value.h"

#include <memory>
#include <optional>
#include <vector>

namespace fx {

class Interpreter;

/// Sees each node before and after it runs, in nested graphs too. May throw Cancelled to end the run.
class Observer {
public:
    virtual ~Observer() = default;
    /// The one place from which a run may be steered: by jumpTo and setValue.
    virtual void beforeNode(Interpreter&, const Node&) {}
    /// Whether the node need not run; then nothing more is told of it, and its value has been set, by
    /// setValue, where a node that runs reads it.
    virtual bool skips(Interpreter&, const Node&) { return false; }
    /// Whether it has to see the nodes within what could run compiled (compiled_parts.h).
    virtual bool seesWithin() const { return true; }
    virtual void afterNode(const Interpreter&, const Node&, const Value&) {}
    virtual void failed(const Interpreter&, const Node&, const std::string& message) { (void)message; }
};

/// What the interpreters of one run share: programs, tensors, watchers.
struct RunContext {
    explicit RunContext(const Model& model, RunSettings chosen = {})
        : settings(chosen), programs(model, chosen.device), state(model, chosen), modes(chosen),
          compiled(model), m_model(model) {}
    const RunSettings settings;
    ProgramCache programs;
    RunTensors state;
    RunModes modes;
    PackedWeights packed;
    CompiledParts compiled;
    std::vector<Observer*> observers;
    uint64_t activations = 0; ///< of graphs, so far
    /// Made when it is first needed.
    LibraryRunner& library();
    /// The model's state_dict as the run has made it, in the order of Module.state_dict().
    std::vector<std::pair<std::string, at::Tensor>> stateDict();

private:
    const Model& m_model;
    std::unique_ptr<LibraryRunner> m_library;
};

/// A node failed; the place names it.
class NodeError : public Error {
    using Error::Error;
};

class Interpreter {
public:
    /// Runs the root graph of the model with a context of its own.
    explicit Interpreter(const Model& model, RunSettings settings = {});
    Interpreter(std::shared_ptr<RunContext> context, ModuleId module, const Interpreter* parent = nullptr);
    virtual ~Interpreter() = default;
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    /// Runs from the first node to the output and gives its value. An error names the node, shows it with the
    /// source line and the module it is in, and keeps the original message first (FX rule I2).
    Value run(GraphInputs inputs);
    /// The same in single steps: begin, then step until it says false, then result.
    void begin(GraphInputs inputs);
    bool step();
    const Value& result() const { return m_result; }

    const Model& model() const { return m_program.model(); }
    ModuleId module() const { return m_program.module(); }
    const Graph& graph() const { return m_program.graph(); }
    /// The node that the next step runs; no node at the end.
    NodeId nextNode() const;
    /// Whether that node may draw random numbers.
    bool nextMayDraw() const { return m_program.instructions()[m_next].mayDraw; }
    /// The value of a node that has run and is not released.
    const Value* value(NodeId node) const;
    /// The interpreter of the graph that runs this one; null at the outermost.
    const Interpreter* parent() const { return m_parent; }
    /// The number of this run of the graph, counted over all graphs of the context.
    uint64_t activation() const { return m_activation; }
    RunContext& context() const { return *m_context; }
    /// Values are not released after their last use.
    void keepValues() { m_keepsValues = true; }
    /// The next node to run becomes this one, without running what lies between.
    void jumpTo(NodeId node);
    void setValue(NodeId node, Value value);

protected:
    /// One node about to run, with its arguments to be had as values.
    class Call {
    public:
        Call(Interpreter& interpreter, const Instruction& instruction)
            : m_interpreter(interpreter), m_instruction(instruction) {}
        const Node& node() const { return m_interpreter.graph().node(m_instruction.node); }
        Target target() const { return node().target; }
        /// `isForSource`: for a function or module in Python, which gets members of its own enums.
        Values args(bool isForSource = false) const;
        NamedValues kwargs(bool isForSource = false) const;
        const Instruction& instruction() const { return m_instruction; }

    private:
        Interpreter& m_interpreter;
        const Instruction& m_instruction;
    };

    /// Calls the one below that fits the opcode.
    virtual Value runNode(const Call& call);
    virtual Value placeholder(const Call& call);
    virtual Value getAttr(const Call& call);
    virtual Value callFunction(const Call& call);
    virtual Value callMethod(const Call& call);
    virtual Value callModule(const Call& call);
    virtual Value output(const Call& call);

    /// The value that an argument stands for, its nodes looked up.
    Value mapArgument(const Argument& argument, bool isForSource = false) const;
    Value withTensors(const Value& value) const;
    /// Runs a nested graph with these inputs.
    Value callGraph(ModuleId module, GraphInputs inputs);

private:
    friend class Call;
    /// The loop, in the modes of the run: so many steps, or as many as there are.
    void advance(size_t steps);
    /// Of the interpreter that `run` is, for a handler of signals.
    static CurrentNode currentNode(const void* run);
    bool skipNext();
    /// Of a marked module; none where its graph is to be interpreted, for those who watch its nodes, too.
    std::optional<Value> runCompiled(ModuleId module, const GraphInputs& inputs);
    void release(const Instruction& instruction);
    std::optional<Value> callBound(const Instruction& instruction);
    bool pushPlain(const Instruction& instruction, bool keepsValues);
    void pushMade(const Operand& operand);
    /// Whether all values are of the kinds that the call was bound for.
    bool holdGuards(const Instruction& instruction) const;
    Value callByHand(const HandCall& call);
    bool pushConverted(const Instruction& instruction);
    Value takeResults(const Instruction& instruction);
    const Value& valueOf(NodeId node) const;
    [[noreturn]] void fail(const Node& node, const std::string& message, ErrorCode code = ErrorCode::None);

    std::shared_ptr<RunContext> m_context;
    Program& m_program;
    const Interpreter* m_parent;
    InputReader m_inputs;
    size_t m_next = 0; ///< index of the next instruction
    uint64_t m_activation = 0;
    std::vector<Value> m_values;  ///< by node; empty where there is none
    std::vector<char> m_hasValue; ///< by node
    torch::jit::Stack m_stack;
    Value m_result;
    bool m_isPlain = false; ///< no subclass, so that nobody overrides a call
    bool m_keepsValues = false;
    bool m_hasJumped = false;
};

/// torch.fx's text of a failure: the message, the node, the stack trace of the user's source. Its advice to
/// look at the graph in another program is left out.
std::string interpreterErrorText(const Graph& graph, NodeId node, const std::string& message);
/// "node 'linear' (layer1.0, model.py:12)".
std::string nodePlace(const Graph& graph, NodeId node);

} // namespace fx
