// SPDX-License-Identifier: GPL-3.0-or-later
// A graph prepared to run: one instruction per node, its operator bound and its constants converted ahead,
// and the values that nobody reads afterwards listed for release. Calls are bound for tensors; one that meets
// other kinds of values is bound for those when it runs, and keeps that for the next time.
#pragma once

#include "core/interpret/bind_node.h"
#include "core/module/model.h"

#include <ATen/core/ivalue.h>

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace fx {

struct Instruction {
    NodeId node;
    Opcode opcode;
    bool isPlain = false;                   ///< bound, and nothing of it is converted when it runs
    bool givesOne = false;                  ///< value, which it leaves on the stack as it is
    bool isPacking = false;                 ///< see packed_weights.h
    bool mayDraw = true;                    ///< random numbers; see random_draws.h
    uint8_t bindingsLeft = 0;               ///< how often it may yet be bound for other kinds of values
    const TorchOperator* op = nullptr;      ///< bound ahead; null: the call goes by name
    NodeId rebound = {};                    ///< what `x @= y` assigns to: x is the result from then on
    const CallPlan* plan = nullptr;         ///< see BoundNode
    const HandCall* hand = nullptr;         ///< see BoundNode
    std::span<const Operand> operands = {}; ///< one for each parameter of `op`
    std::span<const Guard> guards = {};     ///< what must be so for the operands
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

    /// Binds a call anew for values of these kinds. False where it cannot be, or was bound anew too often.
    bool bindAgain(const Instruction& instruction, const std::function<ArgumentKind(NodeId)>& kindOf);

private:
    /// What is worked out of weights for packing calls alone is done once, as those are.
    void markLeadingToPacked();

    const Model& m_model;
    ModuleId m_module;
    std::optional<c10::Device> m_device;
    std::vector<Instruction> m_instructions;
    // Those of all instructions in the order in which a run meets them, so that it reads memory straight on.
    std::vector<Operand> m_operands;
    std::vector<Guard> m_guards;
    std::vector<NodeId> m_releases;
    std::vector<std::shared_ptr<const HandCall>> m_byHand;
    std::deque<BoundNode> m_again; ///< what was bound anew
};

/// The programs of a model's graphs, each compiled when it is first needed.
class ProgramCache {
public:
    explicit ProgramCache(const Model& model, std::optional<c10::Device> device = std::nullopt)
        : m_model(model), m_device(device) {}
    Program& program(ModuleId module);
    const Model& model() const { return m_model; }

private:
    const Model& m_model;
    std::optional<c10::Device> m_device;
    std::unordered_map<ModuleId, std::unique_ptr<Program>> m_programs;
};

} // namespace fx
