// SPDX-License-Identifier: GPL-3.0-or-later
// A graph prepared to run: one instruction per node, its operator bound and its constants converted ahead,
// and the values that nobody reads afterwards listed for release. What cannot be bound ahead is bound when it
// runs.
#pragma once

#include "core/module/model.h"
#include "core/torch/bind_ahead.h"
#include "core/torch/operators.h"

#include <ATen/core/ivalue.h>

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace fx {

/// Where one argument of an operator comes from.
struct Operand {
    enum class Kind : uint8_t {
        Constant, ///< `constant`
        Value,    ///< the value of `node`
        Tensors,  ///< the node's argument `tree`, a list of nodes whose values are all tensors
        Tree,     ///< the node's argument `tree`, with its nodes looked up
    };
    Kind kind = Kind::Constant;
    bool isTensor = false; ///< the parameter takes a tensor, so that a tensor needs no conversion
    bool isPlain =
        false; ///< it must be a tensor that isPlainTensor() says is one, else the call goes by name
    bool isLastUse = false; ///< of `node`: nothing reads it afterwards
    NodeId node;
    c10::IValue constant;
    const Argument* tree = nullptr;
};

struct Instruction {
    NodeId node;
    Opcode opcode;
    bool isPlain = false;              ///< bound; constants and tensors in, one value out
    bool mayDraw = true;               ///< random numbers; see random_draws.h
    const TorchOperator* op = nullptr; ///< bound ahead; null: the call goes by name
    const CallPlan* plan = nullptr; ///< of a function that PyTorch does not call by schema: see bind_ahead.h
    std::span<const Operand> operands = {}; ///< one for each parameter of `op`
    std::span<const NodeId> releases = {};  ///< values that are not read after this
};

class Program {
public:
    /// `device`: where constants that name another device of the same kind of work are moved to.
    Program(const Model& model, ModuleId module, std::optional<c10::Device> device = std::nullopt);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    const Model& model() const { return m_model; }
    ModuleId module() const { return m_module; }
    const Graph& graph() const { return m_model.graph(m_module); }
    const std::vector<Instruction>& instructions() const { return m_instructions; }

private:
    std::vector<Operand> bindAhead(Instruction& instruction, const Node& node) const;
    std::vector<Operand> bindOperator(Instruction& instruction, const Node& node) const;

    const Model& m_model;
    ModuleId m_module;
    std::optional<c10::Device> m_device;
    std::vector<Instruction> m_instructions;
    // All operands and releases in the order in which a run meets them, so that it reads memory straight on.
    std::vector<Operand> m_operands;
    std::vector<NodeId> m_releases;
};

/// The programs of a model's graphs, each compiled when it is first needed.
class ProgramCache {
public:
    explicit ProgramCache(const Model& model, std::optional<c10::Device> device = std::nullopt)
        : m_model(model), m_device(device) {}
    const Program& program(ModuleId module);
    const Model& model() const { return m_model; }

private:
    const Model& m_model;
    std::optional<c10::Device> m_device;
    std::unordered_map<ModuleId, std::unique_ptr<Program>> m_programs;
};

} // namespace fx
