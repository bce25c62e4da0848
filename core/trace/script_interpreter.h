// SPDX-License-Identifier: GPL-3.0-or-later
// Walks the blocks of a TorchScript program on values that are live or proxies of a ScriptTracer. What is
// known is computed, static branches and loops are resolved, calls are entered; what depends on the inputs
// becomes nodes. Files: script_interpreter.cpp blocks and calls, script_helpers.cpp containers and prim::,
// script_fold.cpp live operators, script_record.cpp operators as Python calls (with script_written.cpp,
// script_operators.cpp, script_default.cpp), script_functions.cpp functions of torch.nn.functional,
// script_leaves.cpp leaf modules.
#pragma once

#include "core/torch/function_table.h"
#include "core/trace/script_parameters.h"
#include "core/trace/script_tracer.h"

#include <torch/csrc/jit/ir/ir.h>

#include <map>
#include <unordered_map>

namespace fx {

class ScriptInterpreter {
public:
    explicit ScriptInterpreter(ScriptTracer& tracer) : m_tracer(tracer) {}

    /// Enters a function or method; gives what it returns.
    Value call(const torch::jit::Function& function, Values args);
    /// Says what a placeholder's value looks like: a tensor on the meta device, or the value itself.
    void setShape(const Value& proxy, const Value& shape) { m_shapes[m_tracer.nodeOf(proxy)] = shape; }

private:
    using JitNode = torch::jit::Node;
    using JitValue = torch::jit::Value;
    struct Frame {
        std::unordered_map<const JitValue*, Value> values;
        std::string function;
        std::string module; ///< the Python module: "torch.nn.functional"
    };
    /// A subscript that is put together from several operators: x[:, 0, None].
    struct Subscript {
        Value base;
        Values items;
        int64_t dims = 0; ///< dimensions of the result that the items so far make
    };

    // script_interpreter.cpp
    void runBlock(const torch::jit::Block& block);
    void runNode(const JitNode& node);
    void runIf(const JitNode& node);
    void runLoop(const JitNode& node);
    void callMethod(const JitNode& node);
    void callFunction(const JitNode& node);
    Value callModule(const JitNode& node, const torch::jit::Module& module,
                     const torch::jit::Function& method, Values args);
    const Value& value(const JitValue* value) const;
    Values inputs(const JitNode& node) const;
    void set(const JitValue* key, Value value) { m_frames.back().values[key] = std::move(value); }
    void setOutput(const JitNode& node, Value value) { set(node.output(), std::move(value)); }
    void setOutputs(const JitNode& node, const Values& values);
    void countStep();
    static bool onlyRaises(const torch::jit::Block& block);
    /// Whether a value is read for nothing but to raise an exception.
    static bool isForChecks(const JitValue* value, int depth = 0);
    [[noreturn]] void raiseProgramError(const JitNode& node);
    Value attribute(const JitNode& node);
    void setAttribute(const JitNode& node);
    Value instanceOf(const c10::IValue& object);

    // script_helpers.cpp: true where the node was one of theirs.
    bool runHelper(const JitNode& node);
    bool runContainer(const JitNode& node, const std::string& name);
    bool runUnpack(const JitNode& node);
    bool runConversion(const JitNode& node, const std::string& name);
    bool runIsInstance(const JitNode& node);
    void require(const JitNode& node, bool isFine, const std::string& message);

    // script_fold.cpp
    /// What the node gives where all that it reads is known.
    std::optional<Values> fold(const JitNode& node, const Values& inputs);
    bool isKnown(const Value& value) const;
    /// The same on the meta device, where the shapes of all that it reads are known.
    std::optional<Values> foldShapes(const JitNode& node, const Values& inputs);
    std::optional<Value> shapeOf(const Value& value) const;
    /// What a call gives, in shapes; none where that is not known.
    std::optional<Value> shapeOfCall(const torch::jit::Function& function, const Values& args);
    void keepShapes(const Value& result, const Value& shapes);

    // script_record.cpp
    void record(const JitNode& node, Values inputs);
    Value recordCall(const JitNode& node, const std::string& name, const Values& args);
    std::optional<Value> recordConvolution(const std::string& name, const Values& args);
    Value recordRow(const FunctionRow& row, const ValuesByName& byName);
    // script_operators.cpp
    std::optional<Value> recordOperator(const JitNode& node, const std::string& name, const Values& args);
    // script_default.cpp
    Value recordDefault(const JitNode& node, const std::string& name, const Values& args);
    std::optional<Value> recordInPlaceFunction(const JitNode& node, const std::string& name,
                                               const Values& given);
    std::optional<Value> recordPlain(const JitNode& node, const std::string& name, const Values& given,
                                     const Values& positional, const NamedValues& keywords);
    // script_written.cpp
    std::optional<Value> recordWrittenAttribute(const std::string& text, const std::string& name,
                                                const Values& given);
    std::optional<Value> recordWritten(const JitNode& node, const std::string& name, const Values& args);
    // script_subscripts.cpp
    bool runSubscript(const JitNode& node, const std::string& name, const Values& inputs);
    Value finishSubscript(const Subscript& subscript);
    Values changeable(const JitNode& node, Values inputs);

    // script_numbers.cpp
    /// The number that a tensor without dimensions stands for: a size, or a constant of a traced program.
    std::optional<Value> numberOf(const Value& value) const;
    /// Whether the value is sure to be a tensor of floats.
    bool isFloating(const Value& value, int depth = 0) const;
    /// What tracing has turned into tensors becomes numbers again; true where all of them are numbers.
    bool restoreNumbers(const std::string& name, Values& args) const;

    // script_functions.cpp
    std::optional<Value> recordFunction(const JitNode& node, const torch::jit::Function& function,
                                        const Values& args);

    // script_leaves.cpp
    /// Whether the leaf can be run from what the model holds; adds what a traced program keeps in its code
    /// only.
    bool completeLeaf(const torch::jit::Module& module, const std::string& type, const std::string& path);
    Value recordLeaf(const JitNode& node, const std::string& path, const torch::jit::Function& method,
                     Values args);

    ScriptTracer& m_tracer;
    std::vector<Frame> m_frames;
    uint64_t m_steps = 0;
    uint64_t m_foldedBytes = 0;
    int m_shadows = 0; ///< > 0: everything is on the meta device, and nothing is recorded
    std::unordered_map<NodeId, Value> m_shapes;
    std::map<std::pair<const void*, std::string>, Value>
        m_attributes;                                   ///< of objects, where not plain: by reference
    std::map<const void*, Value> m_instances;           ///< by the object of the archive
    std::map<const void*, c10::ClassTypePtr> m_classes; ///< by the instance
    Values m_kept;                                      ///< values whose addresses are keys
    std::unordered_map<const JitValue*, Subscript> m_subscripts;
    std::unordered_map<const JitValue*, Value> m_reciprocals; ///< `1 / x` before the multiplication
    std::map<NodeId, bool> m_numbers;                         ///< nodes whose value is a number as a tensor
    std::map<std::string, bool> m_leaves;
};

} // namespace fx
