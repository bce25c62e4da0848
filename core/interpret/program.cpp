// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/program.h"

#include "core/base/error.h"
#include "core/interpret/packed_weights.h"
#include "core/interpret/random_draws.h"
#include "core/ir/python_operators.h"

#include <ATen/core/function_schema.h>

#include <algorithm>
#include <ranges>
#include <unordered_set>

namespace fx {

namespace {

constexpr uint8_t kMostBindings = 4;

bool isSoleTensor(const c10::FunctionSchema& schema) {
    return schema.returns().size() == 1 && schema.returns()[0].type()->kind() == c10::TypeKind::TensorType;
}

void setBound(Instruction& instruction, const BoundNode& bound) {
    instruction.op = bound.op;
    instruction.plan = bound.plan;
    instruction.hand = bound.hand.get();
    instruction.isPlain = false;
    if (!bound.op)
        return;
    const c10::FunctionSchema& schema = *bound.op->schema;
    instruction.givesOne = bound.plan ? isSoleTensor(schema) : schema.returns().size() == 1;
    instruction.isPacking = PackedWeights::isPacking(*bound.op);
    instruction.isPlain =
        !instruction.isPacking && std::ranges::none_of(bound.operands, [](const Operand& operand) {
            return operand.kind == Operand::Kind::Converted;
        });
}

/// The last operand that reads a node which is released afterwards.
void markLastUses(std::vector<Operand>& operands, std::span<const NodeId> releases) {
    for (const NodeId node : releases) {
        const auto last = std::find_if(operands.rbegin(), operands.rend(),
                                       [=](const Operand& operand) { return operand.node == node; });
        const bool isInList = std::ranges::any_of(operands, [=](const Operand& operand) {
            return std::ranges::find(operand.items, node, &Operand::Item::node) != operand.items.end();
        });
        if (last != operands.rend() && !isInList)
            last->isLastUse = true;
    }
}

/// Whether code has it as `x += y`, which assigns to x whatever comes of it. Of tensors that is x itself, but
/// for `@=`, which they lack.
bool isAugmented(const Node& node) {
    constexpr std::string_view kModule = "operator.";
    const std::string& name = node.target.name();
    return node.opcode == Opcode::CallFunction && name.starts_with(kModule) &&
           operatorByInPlaceFunction(std::string_view(name).substr(kModule.size()));
}

} // namespace

Program::Program(const Model& model, ModuleId module, std::optional<c10::Device> device)
    : m_model(model), m_module(module), m_device(device) {
    if (!model.module(module).graph)
        throw Error("", "is given a module that has no graph, where it calls one");
    std::unordered_map<NodeId, size_t> lastUse;
    std::vector<BoundNode> bound;
    const auto tensor = [](NodeId) { return ArgumentKind::PlainTensor; };
    for (const Node& node : graph()) {
        const size_t index = m_instructions.size();
        Instruction& instruction = m_instructions.emplace_back(Instruction{node.id, node.opcode});
        bound.push_back(bindNode(node, tensor, m_device).value_or(BoundNode()));
        setBound(instruction, bound.back());
        if (bound.back().hand)
            m_byHand.push_back(bound.back().hand);
        if (isBoundByKinds(node))
            instruction.bindingsLeft = kMostBindings;
        instruction.mayDraw = mayDrawRandomNumbers(model, module, instruction, node);
        if (isAugmented(node) && !node.args.empty())
            instruction.rebound = node.args[0].node();
        for (const InputUse& use : node.inputs)
            lastUse[use.node] = index;
        // A result that nobody reads goes at once; the output's is the result of the run.
        if (node.users.empty() && node.opcode != Opcode::Output)
            lastUse[node.id] = index;
    }
    std::vector<std::vector<NodeId>> releases(m_instructions.size());
    for (const auto& [node, index] : lastUse)
        releases[index].push_back(node);
    for (size_t i = 0; i < bound.size(); ++i)
        markLastUses(bound[i].operands, releases[i]);
    const auto lineUp = [&](auto& into, auto list, auto slot) {
        size_t total = 0;
        for (size_t i = 0; i < bound.size(); ++i)
            total += list(i).size();
        into.reserve(total);
        for (size_t i = 0; i < bound.size(); ++i) {
            const size_t start = into.size();
            std::move(list(i).begin(), list(i).end(), std::back_inserter(into));
            slot(m_instructions[i]) = {into.data() + start, into.size() - start};
        }
    };
    lineUp(
        m_operands, [&](size_t i) -> auto& { return bound[i].operands; },
        [](Instruction & instruction) -> auto& { return instruction.operands; });
    lineUp(
        m_guards, [&](size_t i) -> auto& { return bound[i].guards; },
        [](Instruction & instruction) -> auto& { return instruction.guards; });
    lineUp(
        m_releases, [&](size_t i) -> auto& { return releases[i]; },
        [](Instruction & instruction) -> auto& { return instruction.releases; });
    markLeadingToPacked();
}

/// Whether a call of the overload does nothing but give its result.
static bool givesOnly(const TorchOperator& op) {
    return op.effect == OperatorEffect::Pure ||
           (op.effect == OperatorEffect::Writes && !op.schema->is_mutable()); // another overload does
}

void Program::markLeadingToPacked() {
    if (std::ranges::none_of(m_instructions, &Instruction::isPacking))
        return;
    std::unordered_set<NodeId> ofWeights, once;
    for (const Node& node : graph())
        if (node.opcode == Opcode::GetAttr || (node.opcode == Opcode::CallFunction && !node.inputs.empty() &&
                                               std::ranges::all_of(node.inputs, [&](const InputUse& input) {
                                                   return ofWeights.contains(input.node);
                                               })))
            ofWeights.insert(node.id);
    for (Instruction& instruction : std::views::reverse(m_instructions)) {
        const UserList& users = graph().node(instruction.node).users;
        const bool isLeading =
            instruction.opcode == Opcode::CallFunction && instruction.op && !instruction.plan &&
            !instruction.hand && instruction.givesOne && givesOnly(*instruction.op) &&
            ofWeights.contains(instruction.node) && !users.empty() &&
            std::ranges::all_of(users.toVector(), [&](NodeId user) { return once.contains(user); });
        if (isLeading) {
            instruction.isPacking = true;
            instruction.isPlain = false;
        }
        if (instruction.isPacking)
            once.insert(instruction.node);
    }
}

bool Program::bindAgain(const Instruction& given, const std::function<ArgumentKind(NodeId)>& kindOf) {
    Instruction& instruction = m_instructions[static_cast<size_t>(&given - m_instructions.data())];
    if (instruction.bindingsLeft == 0)
        return false;
    --instruction.bindingsLeft;
    std::optional<BoundNode> bound = bindNode(graph().node(instruction.node), kindOf, m_device);
    if (!bound)
        return false;
    markLastUses(bound->operands, instruction.releases);
    setBound(instruction, *bound);
    const BoundNode& kept = m_again.emplace_back(std::move(*bound));
    instruction.operands = kept.operands;
    instruction.guards = kept.guards;
    return true;
}

Program& ProgramCache::program(ModuleId module) {
    std::unique_ptr<Program>& entry = m_programs[module];
    if (!entry)
        entry = std::make_unique<Program>(m_model, module, m_device);
    return *entry;
}

} // namespace fx
