// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes of a TorchScript program that cannot be computed while it is traced become nodes of the graph.
#pragma once

#include "core/trace/script/script_calls.h"

namespace fx {

class ScriptRecorder {
public:
    explicit ScriptRecorder(ScriptState& state) : m_state(state) {}

    /// Sets the node's outputs.
    void record(const torch::jit::Node& node, Values inputs);
    /// The value with tensors in place of numbers that tracing has made of them, where the type says so.
    Value asTensors(const c10::TypePtr& type, const Value& given);
    bool isOpenSubscript(const torch::jit::Value* value) const { return m_subscripts.isOpen(value); }

private:
    Value recordCall(const ScriptCall& call);
    /// The inputs, with those that the operator writes into as values of the graph.
    Values changeable(const torch::jit::Node& node, Values inputs);
    void setResults(const ScriptCall& call, const Value& result);

    ScriptState& m_state;
    ScriptSubscripts m_subscripts;
    ScriptOperators m_operators;
};

} // namespace fx
