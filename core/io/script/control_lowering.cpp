// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that take graphs, as the branches and loops of a program.
#include "core/base/error.h"
#include "core/io/script/graph_lowering.h"

#include <limits>

namespace fx {

std::vector<Lowered> GraphLowering::spread(const Argument& argument) {
    if (std::optional<std::vector<Lowered>> items = itemsOf(lowered(argument)))
        return std::move(*items);
    throw Error("", "is given operands that are no list or tuple");
}

std::optional<Lowered> GraphLowering::control(const Node& node) {
    const std::string& name = node.target.name();
    if (name == "torch.ops.higher_order.cond" && node.args.size() >= 3)
        return branch(node);
    if (name == "torch.ops.higher_order.while_loop" && node.args.size() >= 3)
        return loop(node);
    if (name == "torch.ops.higher_order.invoke_subgraph" && node.args.size() >= 2) {
        std::vector<Lowered> operands;
        for (size_t i = 2; i < node.args.size(); ++i)
            operands.push_back(lowered(node.args[i]));
        return m_place.inlined(*this, lowered(node.args[0]), std::move(operands));
    }
    throw Error("", "calls " + name + ", which TorchScript has no form for");
}

/// The condition as a bool.
JitValue* GraphLowering::truth(const Lowered& value) {
    JitValue* held = single(value);
    return held->type()->kind() == c10::TypeKind::BoolType ? held : callNamed("aten::Bool", {value}).value;
}

Lowered GraphLowering::branch(const Node& node) {
    const std::vector<Lowered> operands =
        node.args.size() > 3 ? spread(node.args[3]) : std::vector<Lowered>();
    return branch(truth(lowered(node.args[0])), [&](bool isTaken) {
        return m_place.inlined(*this, lowered(node.args[isTaken ? 1 : 2]), operands);
    });
}

Lowered GraphLowering::branch(JitValue* condition, const std::function<Lowered(bool isTaken)>& body) {
    torch::jit::Node* test = m_to.insertNode(m_to.create(c10::prim::If, {condition}, 0));
    test->setSourceRange(m_range);
    bool isTuple = false;
    for (const bool isTaken : {true, false}) {
        torch::jit::Block* block = test->addBlock();
        const torch::jit::WithInsertPoint inside(block);
        const Lowered result = body(isTaken);
        const std::optional<std::vector<Lowered>> items = itemsOf(result);
        isTuple = items.has_value();
        for (const Lowered& item : items ? *items : std::vector<Lowered>{result})
            block->registerOutput(single(item));
    }
    const auto given = test->blocks()[0]->outputs(), otherwise = test->blocks()[1]->outputs();
    if (given.size() != otherwise.size())
        throw Error("", "has branches that give different numbers of values");
    std::vector<Lowered> results;
    for (size_t i = 0; i < given.size(); ++i) {
        const std::optional<c10::TypePtr> type = c10::unifyTypes(given[i]->type(), otherwise[i]->type());
        if (!type)
            throw Error("", "has branches that give values of different types");
        results.push_back(loweredValue(test->addOutput()->setType(*type)));
    }
    return isTuple ? loweredTuple(std::move(results)) : results.at(0);
}

Lowered GraphLowering::loop(const Node& node) {
    std::vector<Lowered> carried = spread(node.args[2]);
    const size_t count = carried.size();
    if (node.args.size() > 3)
        for (Lowered& other : spread(node.args[3]))
            carried.push_back(std::move(other));
    const auto goesOn = [&](const std::vector<Lowered>& values) {
        Lowered result = m_place.inlined(*this, lowered(node.args[0]), values);
        const std::optional<std::vector<Lowered>> items = itemsOf(result);
        return truth(items ? items->at(0) : result);
    };
    std::vector<JitValue*> inputs{m_to.insertConstant(std::numeric_limits<int64_t>::max()), goesOn(carried)};
    for (size_t i = 0; i < count; ++i)
        inputs.push_back(single(carried[i]));
    torch::jit::Node* made = m_to.insertNode(m_to.create(c10::prim::Loop, inputs, 0));
    made->setSourceRange(m_range);
    torch::jit::Block* block = made->addBlock();
    block->addInput()->setType(c10::IntType::get());
    std::vector<Lowered> results;
    {
        const torch::jit::WithInsertPoint inside(block);
        for (size_t i = 0; i < count; ++i)
            carried[i] = loweredValue(block->addInput()->setType(inputs[i + 2]->type()));
        const std::vector<Lowered> next =
            itemsOf(m_place.inlined(*this, lowered(node.args[1]), carried)).value_or(std::vector<Lowered>());
        if (next.size() != count)
            throw Error("", "has a body that gives another number of values than it takes");
        for (size_t i = 0; i < count; ++i)
            carried[i] = loweredValue(single(next[i]));
        block->registerOutput(goesOn(carried));
        for (size_t i = 0; i < count; ++i) {
            block->registerOutput(carried[i].value);
            results.push_back(loweredValue(made->addOutput()->setType(carried[i].value->type())));
        }
    }
    return loweredTuple(std::move(results));
}

} // namespace fx
