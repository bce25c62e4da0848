// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/program.h"

#include "core/torch/convert.h"

#include <ATen/core/function_schema.h>

#include <algorithm>

namespace fx {

namespace {

bool hasNodes(const Argument& argument) {
    bool found = false;
    forEachNode(argument, [&](NodeId) { found = true; });
    return found;
}

/// A list whose items are all nodes.
bool isNodeList(const Argument& argument) {
    const auto* list = argument.as<ListValue>();
    return list && !list->items.empty() &&
           std::all_of(list->items.begin(), list->items.end(),
                       [](const Argument& item) { return bool(item.node()); });
}

bool takesTensorList(const c10::Argument& parameter) {
    const auto* list = parameter.real_type()->castRaw<c10::ListType>();
    return list && list->getElementType()->kind() == c10::TypeKind::TensorType;
}

Operand operandFor(const Argument& argument, const c10::Argument& parameter, bool& isBound) {
    Operand out;
    out.parameter = &parameter;
    out.isTensor = takesTensorOnly(parameter);
    if (argument.node()) {
        out.kind = Operand::Kind::Value;
        out.node = argument.node();
    } else if (!hasNodes(argument)) {
        const auto constant = convert(makeValue(argument, nullptr), parameter);
        isBound &= constant.has_value();
        if (constant)
            out.constant = constant->value;
    } else if (isNodeList(argument) && takesTensorList(parameter)) {
        out.kind = Operand::Kind::Tensors;
        for (const Argument& item : *argument.items())
            out.nodes.push_back(item.node());
    } else {
        out.kind = Operand::Kind::Tree;
        out.tree = argument;
    }
    return out;
}

} // namespace

Program::Program(const Model& model, ModuleId module, std::optional<c10::Device> device)
    : m_model(model), m_module(module), m_device(device) {
    std::unordered_map<NodeId, size_t> lastUse;
    for (const Node& node : graph()) {
        Instruction instruction{node.id, node.opcode};
        if (node.opcode == Opcode::CallFunction)
            bindAhead(instruction, node);
        for (const InputUse& use : node.inputs)
            lastUse[use.node] = m_instructions.size();
        // A result that nobody reads goes at once; the output's is the result of the run.
        if (node.users.empty() && node.opcode != Opcode::Output)
            lastUse[node.id] = m_instructions.size();
        m_instructions.push_back(std::move(instruction));
    }
    for (const auto& [node, index] : lastUse) {
        m_instructions[index].releases.push_back(node);
        std::vector<Operand>& operands = m_instructions[index].operands;
        const auto last =
            std::find_if(operands.rbegin(), operands.rend(), [node = node](const Operand& operand) {
                return operand.kind == Operand::Kind::Value && operand.node == node;
            });
        if (last != operands.rend())
            last->isLastUse = true;
    }
}

void Program::bindAhead(Instruction& instruction, const Node& node) {
    const Operator* op = findOperator(node.target);
    if (!op)
        return;
    const std::vector<c10::Argument>& parameters = op->schema->arguments();
    size_t next = 0, keywords = 0;
    bool isBound = true;
    for (const c10::Argument& parameter : parameters) {
        const Argument* given = nullptr;
        if (next < node.args.size() && !parameter.kwarg_only())
            given = &node.args[next++];
        else if ((given = node.keyword(parameter.name())))
            ++keywords;
        if (given && m_device && given->as<c10::Device>()) {
            Operand moved;
            moved.constant = c10::IValue(*m_device);
            instruction.operands.push_back(std::move(moved));
        } else if (given) {
            instruction.operands.push_back(operandFor(*given, parameter, isBound));
        } else if (parameter.default_value()) {
            Operand standard;
            standard.constant = *parameter.default_value();
            instruction.operands.push_back(std::move(standard));
        } else {
            isBound = false;
        }
    }
    // A call that does not fit is left to the call by name, which says why.
    isBound &= next == node.args.size() && keywords == node.kwargs.size();
    if (!isBound) {
        instruction.operands.clear();
        return;
    }
    instruction.op = op;
    instruction.isPlain =
        std::all_of(instruction.operands.begin(), instruction.operands.end(), [](const Operand& operand) {
            return operand.kind == Operand::Kind::Constant ||
                   (operand.kind == Operand::Kind::Value && operand.isTensor);
        });
}

const Program& ProgramCache::program(ModuleId module) {
    std::unique_ptr<Program>& entry = m_programs[module];
    if (!entry)
        entry = std::make_unique<Program>(m_model, module, m_device);
    return *entry;
}

} // namespace fx
