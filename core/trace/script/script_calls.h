// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of a TorchScript program as the Python calls that a person writes. script_recorder.cpp asks in
// this order: as they were written, where the archive keeps the source (script_written.cpp); operators for
// arithmetic (script_operators.cpp); torch's functions and methods of tensors (script_default.cpp).
#pragma once

#include "core/torch/host/function_table.h"
#include "core/trace/script/script_parameters.h"
#include "core/trace/script/script_state.h"

namespace fx {

struct ScriptCall {
    ScriptState& state;
    const torch::jit::Node& node;
    const std::string& name; ///< "add_", without the namespace
    const Values& args;      ///< one for each parameter of the schema

    Value record(Opcode opcode, Target target, const Values& values, const NamedValues& keywords = {}) const {
        return state.tracer.record(opcode, target, values, keywords);
    }
    const ScriptPlace& place() const { return state.tracer.placeOfNode(node); }
};

/// As the source has it: "x.view(-1, 4)", "torch.flatten(x, start_dim=1)", "x.shape"; none where the operator
/// is only a part of what stands there.
std::optional<Value> recordWritten(const ScriptCall& call);
/// As a function of torch or a method of tensors, whichever is written more often.
Value recordDefault(const ScriptCall& call);
/// A function that is Python in PyTorch, as the node that its body records.
Value recordRow(ScriptTracer& tracer, const FunctionRow& row, const ValuesByName& byName);
/// A function of torch.nn.functional that the program calls by its name; none where it is to be entered.
std::optional<Value> recordFunction(ScriptState& state, const torch::jit::Node& node,
                                    const torch::jit::Function& function, const Values& args);

/// `a + b`, and what PyTorch's helpers make of `1 / x` with two operators.
class ScriptOperators {
public:
    std::optional<Value> record(const ScriptCall& call);

private:
    std::unordered_map<const torch::jit::Value*, Value> m_reciprocals; ///< `1 / x` before the multiplication
};

/// x[:, 0, None], which TorchScript takes apart.
class ScriptSubscripts {
public:
    /// What the node gives; none where it is no part of a subscript.
    std::optional<Value> record(const ScriptCall& call);
    /// Whether the value is a subscript of which more is to come.
    bool isOpen(const torch::jit::Value* value) const { return m_open.contains(value); }

private:
    struct Subscript {
        Value base;
        Values items;
        int64_t dims = 0; ///< dimensions of the result that the items so far make
    };
    static Value finish(const ScriptCall& call, const Subscript& subscript);

    std::unordered_map<const torch::jit::Value*, Subscript> m_open;
};

} // namespace fx
