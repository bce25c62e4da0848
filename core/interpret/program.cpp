// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/program.h"

#include "core/interpret/random_draws.h"
#include "core/torch/convert.h"
#include "core/torch/live_host.h"

#include <ATen/ATen.h>
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
        out.tree = &argument;
    } else {
        out.kind = Operand::Kind::Tree;
        out.tree = &argument;
    }
    return out;
}

/// The arguments of a call, with a tensor that is not there for each node.
struct UnknownCall {
    Values args;
    NamedValues kwargs;

    explicit UnknownCall(const Node& node) {
        const auto unknown = [](NodeId) { return Value(c10::IValue(at::Tensor())); };
        for (const Argument& argument : node.args)
            args.push_back(makeValue(argument, unknown));
        for (const auto& [name, argument] : node.kwargs)
            kwargs.emplace_back(name, makeValue(argument, unknown));
    }

    /// What the node wrote where the call has that value.
    const Argument& written(const Node& node, const Value* value) const {
        if (value >= args.data() && value < args.data() + args.size())
            return node.args[static_cast<size_t>(value - args.data())];
        size_t at = 0;
        while (&kwargs[at].second != value)
            ++at;
        return node.kwargs[at].second;
    }

    std::optional<AheadCall> bind(const Node& node) const {
        const std::string& name = node.target.name();
        if (node.opcode == Opcode::CallMethod) {
            const FunctionRow* row = findTensorMember(name);
            const bool isPython = row && row->kind == FunctionKind::Python;
            return isPython ? std::nullopt : bindMethodAhead(name, args, kwargs);
        }
        if (node.opcode != Opcode::CallFunction || isPythonInTorch(node.target))
            return std::nullopt;
        if (const std::string_view method = methodOfOperator(name); !method.empty())
            return bindMethodAhead(std::string(method), args, kwargs);
        return name.starts_with("torch.") ? bindFunctionAhead(name, args, kwargs) : std::nullopt;
    }
};

bool isSoleTensor(const c10::FunctionSchema& schema) {
    return schema.returns().size() == 1 && schema.returns()[0].type()->kind() == c10::TypeKind::TensorType;
}

bool takesValuesAsTheyAre(const std::vector<Operand>& operands) {
    return std::ranges::all_of(operands, [](const Operand& operand) {
        return operand.kind == Operand::Kind::Constant ||
               (operand.kind == Operand::Kind::Value && operand.isTensor);
    });
}

} // namespace

Program::Program(const Model& model, ModuleId module, std::optional<c10::Device> device)
    : m_model(model), m_module(module), m_device(device) {
    std::unordered_map<NodeId, size_t> lastUse;
    std::vector<std::vector<Operand>> operands;
    for (const Node& node : graph()) {
        const size_t index = m_instructions.size();
        Instruction& instruction = m_instructions.emplace_back(Instruction{node.id, node.opcode});
        operands.push_back(bindAhead(instruction, node));
        instruction.mayDraw = mayDrawRandomNumbers(model, instruction, node);
        for (const InputUse& use : node.inputs)
            lastUse[use.node] = index;
        // A result that nobody reads goes at once; the output's is the result of the run.
        if (node.users.empty() && node.opcode != Opcode::Output)
            lastUse[node.id] = index;
    }
    std::vector<std::vector<NodeId>> releases(m_instructions.size());
    for (const auto& [node, index] : lastUse) {
        releases[index].push_back(node);
        const auto last =
            std::find_if(operands[index].rbegin(), operands[index].rend(),
                         [node = node](const Operand& operand) { return operand.node == node; });
        if (last != operands[index].rend())
            last->isLastUse = true;
    }
    const auto lineUp = [](auto& lists, auto& into, auto slot) {
        size_t total = 0;
        for (const auto& list : lists)
            total += list.size();
        into.reserve(total);
        for (size_t i = 0; i < lists.size(); ++i) {
            const size_t start = into.size();
            std::move(lists[i].begin(), lists[i].end(), std::back_inserter(into));
            slot(i) = {into.data() + start, into.size() - start};
        }
    };
    lineUp(
        operands, m_operands, [&](size_t i) -> auto& { return m_instructions[i].operands; });
    lineUp(
        releases, m_releases, [&](size_t i) -> auto& { return m_instructions[i].releases; });
}

std::vector<Operand> Program::bindAhead(Instruction& instruction, const Node& node) const {
    if (node.opcode == Opcode::CallFunction && node.target.isOperatorOverload())
        return bindOperator(instruction, node);
    const UnknownCall call(node);
    const std::optional<AheadCall> bound = call.bind(node);
    if (!bound)
        return {};
    std::vector<Operand> operands;
    for (const AheadSource& source : bound->sources) {
        Operand& operand = operands.emplace_back();
        operand.constant = source.constant;
        if (!source.value)
            continue;
        const Argument& written = call.written(node, source.value);
        operand.isTensor = bool(written.node());
        operand.isPlain = operand.isTensor && !bound->holdsForAnyTensor;
        operand.kind = operand.isTensor ? Operand::Kind::Value : Operand::Kind::Tensors;
        operand.node = written.node();
        operand.tree = &written;
    }
    instruction.op = bound->plan->op;
    instruction.plan = bound->plan;
    instruction.isPlain = isSoleTensor(*instruction.op->schema) && takesValuesAsTheyAre(operands);
    return operands;
}

std::vector<Operand> Program::bindOperator(Instruction& instruction, const Node& node) const {
    const TorchOperator* op = findOperator(node.target);
    if (!op)
        return {};
    std::vector<Operand> operands;
    size_t next = 0, keywords = 0;
    bool isBound = true;
    for (const c10::Argument& parameter : op->schema->arguments()) {
        const Argument* given = nullptr;
        if (next < node.args.size() && !parameter.kwarg_only())
            given = &node.args[next++];
        else if ((given = node.keyword(parameter.name())))
            ++keywords;
        if (given && m_device && given->as<c10::Device>())
            operands.emplace_back().constant = c10::IValue(*m_device);
        else if (given)
            operands.push_back(operandFor(*given, parameter, isBound));
        else if (parameter.default_value())
            operands.emplace_back().constant = *parameter.default_value();
        else
            isBound = false;
    }
    // A call that does not fit is left to the call by name, which says why.
    isBound &= next == node.args.size() && keywords == node.kwargs.size();
    if (!isBound)
        return {};
    instruction.op = op;
    instruction.isPlain = op->schema->returns().size() == 1 && takesValuesAsTheyAre(operands);
    return operands;
}

const Program& ProgramCache::program(ModuleId module) {
    std::unique_ptr<Program>& entry = m_programs[module];
    if (!entry)
        entry = std::make_unique<Program>(m_model, module, m_device);
    return *entry;
}

} // namespace fx
