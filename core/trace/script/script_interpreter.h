// SPDX-License-Identifier: GPL-3.0-or-later
// Walks the blocks of a TorchScript program on values that are live or proxies of a ScriptTracer. What is
// known is computed, calls are entered; what depends on the inputs becomes nodes. Here: blocks and calls,
// over the program's state (script_state.h). script_control.h: branches and loops; script_helpers.h: tuples,
// casts, containers (script_containers.h); script_knowledge.h: live operators and shapes; script_recorder.h:
// operators as Python calls (script_calls.h); script_leaves.h: leaf modules.
#pragma once

#include "core/trace/script/script_control.h"
#include "core/trace/script/script_leaves.h"
#include "core/trace/script/script_recorder.h"

namespace fx {

class ScriptInterpreter {
public:
    explicit ScriptInterpreter(ScriptTracer& tracer);
    ScriptInterpreter(const ScriptInterpreter&) = delete;
    ScriptInterpreter& operator=(const ScriptInterpreter&) = delete;

    /// Enters a function or method; gives what it returns.
    Value call(const torch::jit::Function& function, Values args);
    /// The same for the program's entry, whose results a caller gets.
    Value run(const torch::jit::Function& function, Values args) {
        return m_recorder.asTensors(function.getSchema().returns().at(0).type(),
                                    call(function, std::move(args)));
    }
    /// Says what type the program gives to a placeholder.
    void setType(const Value& proxy, c10::TypePtr type) {
        m_state.noteType(proxy, type);
        m_state.inputTypes[m_tracer.nodeOf(proxy)] = std::move(type);
    }
    /// Says what a tensor of the inputs looks like.
    void setExample(const Value& proxy, const Value& example) { m_knowledge.setExample(proxy, example); }

private:
    using JitNode = torch::jit::Node;
    using JitValue = torch::jit::Value;

    void runBlock(const torch::jit::Block& block);
    void runNode(const JitNode& node);
    /// False where the node is none of control flow, calls and attributes.
    bool runControl(const JitNode& node);
    Value constant(const JitNode& node);
    void runFork(const JitNode& node);
    void callMethod(const JitNode& node);
    void callFunction(const JitNode& node);
    Value callModule(const JitNode& node, const torch::jit::Module& module,
                     const torch::jit::Function& method, Values args);
    /// What a call gives, in shapes; none where that is not known.
    std::optional<Value> shapeOfCall(const torch::jit::Function& function, const Values& args);
    [[noreturn]] void raiseProgramError(const JitNode& node);

    ScriptState m_state;
    ScriptTracer& m_tracer;
    ScriptFrames& m_frames;
    ScriptKnowledge& m_knowledge;
    ScriptRecorder m_recorder;
    ScriptLeaves m_leaves;
    ScriptControl m_control;
};

} // namespace fx
