// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/bind_node.h"

#include "core/torch/bind/bind_ahead.h"
#include "core/torch/bind/binding.h"
#include "core/torch/bind/convert.h"
#include "core/torch/host/torch_names.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

void guard(std::vector<Guard>& guards, NodeId node, ArgumentKind kind) {
    const auto found = std::ranges::find(guards, node, &Guard::node);
    if (found == guards.end())
        guards.push_back({node, kind});
    else if (found->kind == ArgumentKind::Tensor)
        found->kind = kind;
}

/// A call of what PyTorch has in C, with values that stand for those of the nodes.
class GivenCall {
public:
    GivenCall(const Node& node, const std::function<ArgumentKind(NodeId)>& kindOf)
        : m_node(node), m_kindOf(kindOf) {}

    std::optional<BoundNode> bind() {
        bool isKnown = true;
        forEachNode(m_node.args, m_node.kwargs,
                    [&](NodeId node) { isKnown &= m_kindOf(node) != ArgumentKind::Other; });
        if (!isKnown || !chooseFunction())
            return std::nullopt;
        const AheadArguments arguments{m_selfWritten ? &m_self : nullptr, m_args, m_kwargs,
                                       [this](const Value* value) { return hasNodes(written(value)); }};
        const std::optional<AheadCall> bound = bindAhead(m_function, arguments);
        if (!bound)
            return std::nullopt;
        BoundNode out;
        if (bound->plan) {
            out.op = bound->plan->op;
            out.plan = bound->plan;
            for (const AheadSource& source : bound->sources)
                out.operands.push_back(operandFor(source, bound->isFirst, out.guards));
        } else if (out.hand = handCall(*bound); !out.hand) {
            return std::nullopt;
        }
        const auto keep = [&](NodeId node) {
            if (std::ranges::find(m_tensors, node) == m_tensors.end())
                guard(out.guards, node, m_kindOf(node));
        };
        forEachNode(m_node.args, m_node.kwargs, keep);
        return out;
    }

private:
    Value standIn(const Argument& argument) const {
        return makeValue(argument, [this](NodeId node) { return standInFor(m_kindOf(node)); });
    }
    bool isTensor(const Argument& argument) const {
        return argument.node() && isTensorKind(m_kindOf(argument.node()));
    }

    /// The function, its self and the rest; false for what is not in C.
    bool chooseFunction() {
        const std::string& name = m_node.target.name();
        const Arguments& args = m_node.args;
        m_function = name;
        bool isMethod = m_node.opcode == Opcode::CallMethod;
        std::vector<const Argument*> given;
        for (const Argument& argument : args)
            given.push_back(&argument);
        if (name.starts_with("operator.") && !isMethod) {
            const bool isLeftTensor = !args.empty() && isTensor(args[0]);
            const auto call = callOfOperator(name, isLeftTensor);
            if (!call || args.size() > 2 || (!isLeftTensor && (args.size() < 2 || !isTensor(args[1]))))
                return false;
            if (call->isSwapped)
                std::swap(given[0], given[1]);
            m_function = call->name;
            isMethod = !m_function.starts_with("torch.");
        }
        if (isMethod && (given.empty() || !isTensor(*given[0])))
            return false;
        if (isMethod) {
            m_selfWritten = given[0];
            m_self = standIn(*given[0]);
            given.erase(given.begin());
        }
        m_written = std::move(given);
        for (const Argument* argument : m_written)
            m_args.push_back(standIn(*argument));
        for (const auto& [key, argument] : m_node.kwargs)
            m_kwargs.emplace_back(key, standIn(argument));
        return true;
    }

    /// What the node wrote where the call has that value.
    const Argument& written(const Value* value) const {
        if (value == &m_self)
            return *m_selfWritten;
        if (value >= m_args.data() && value < m_args.data() + m_args.size())
            return *m_written[static_cast<size_t>(value - m_args.data())];
        size_t at = 0;
        while (&m_kwargs[at].second != value)
            ++at;
        return m_node.kwargs[at].second;
    }

    static Operand::Item itemFor(const Argument& argument) {
        if (argument.node())
            return {argument.node()};
        const bool* isTrue = argument.as<bool>();
        return {NodeId(), isTrue ? *isTrue : *argument.as<int64_t>()};
    }

    /// `isFirst`: the call holds whatever the tensors are that it takes as such.
    Operand operandFor(const AheadSource& source, bool isFirst, std::vector<Guard>& guards) {
        Operand out;
        const auto takeTensor = [&](NodeId node) {
            m_tensors.push_back(node);
            guard(guards, node, isFirst ? ArgumentKind::Tensor : m_kindOf(node));
        };
        const Argument* argument = source.value ? &written(source.value) : nullptr;
        switch (source.kind) {
        case AheadSource::Kind::Constant:
            out.constant = source.constant;
            break;
        case AheadSource::Kind::AsItIs:
        case AheadSource::Kind::Unpacked: {
            const bool isAsItIs = source.kind == AheadSource::Kind::AsItIs;
            out.kind = isAsItIs ? Operand::Kind::Value : Operand::Kind::Unpacked;
            out.node = argument->node();
            out.parameter = source.parameter;
            if (isAsItIs && isTensor(*argument))
                takeTensor(out.node);
            break;
        }
        case AheadSource::Kind::Tensors:
            out.kind = Operand::Kind::Tensors;
            for (const Argument& item : *argument->items()) {
                out.items.push_back(itemFor(item));
                takeTensor(item.node());
            }
            break;
        case AheadSource::Kind::Ints:
            out.kind = Operand::Kind::Ints;
            std::ranges::transform(*argument->items(), std::back_inserter(out.items), itemFor);
            break;
        case AheadSource::Kind::Sizes:
            out.kind = Operand::Kind::Ints;
            for (const Argument* size : m_written)
                out.items.push_back(itemFor(*size));
            break;
        }
        return out;
    }

    /// None where a container is given, which the call could keep or write to.
    std::shared_ptr<const HandCall> handCall(const AheadCall& bound) const {
        auto out = std::make_shared<HandCall>();
        out->function = bound.function;
        out->signature = bound.parsed.signature;
        out->self = m_selfWritten ? m_selfWritten->node() : NodeId();
        for (const Value* value : bound.parsed.values) {
            HandCall::Given& given = out->given.emplace_back();
            given.isGiven = value;
            given.node = value ? written(value).node() : NodeId();
            if (!value || given.node)
                continue;
            if (kindOf(*value) == ArgumentKind::Other)
                return nullptr;
            given.constant = *value;
        }
        return out;
    }

    const Node& m_node;
    const std::function<ArgumentKind(NodeId)>& m_kindOf;
    std::string m_function;
    const Argument* m_selfWritten = nullptr;
    Value m_self;
    Values m_args;
    std::vector<const Argument*> m_written; ///< one for each of m_args
    NamedValues m_kwargs;
    std::vector<NodeId> m_tensors; ///< whose tensors are handed on as they are
};

/// A list whose items are all nodes, or numbers too where `takesInts`.
bool isListOf(const Argument& argument, bool takesInts) {
    const Arguments* list = argument.as<ListValue>() ? argument.items() : nullptr;
    return list && !list->empty() && std::ranges::all_of(*list, [&](const Argument& item) {
               return item.node() || (takesInts && item.as<int64_t>());
           });
}

c10::TypeKind listKind(const c10::Argument& parameter) {
    const auto* list = parameter.real_type()->castRaw<c10::ListType>();
    return list ? list->getElementType()->kind() : c10::TypeKind::NoneType;
}

/// An argument of torch.ops, for a parameter of the schema; none where a constant does not fit.
std::optional<Operand> operandFor(const Argument& argument, const c10::FunctionSchema& schema, size_t at,
                                  std::vector<Guard>& guards) {
    Operand out;
    out.tree = &argument;
    const c10::Argument& parameter = schema.arguments()[at];
    if (!hasNodes(argument)) {
        std::optional<c10::IValue> constant = argumentOf(schema, at, makeValue(argument, nullptr));
        if (!constant)
            return std::nullopt;
        out.constant = std::move(*constant);
        return out;
    }
    const c10::TypeKind kind = parameter.real_type()->kind(), items = listKind(parameter);
    const bool isInts = items == c10::TypeKind::IntType || items == c10::TypeKind::SymIntType;
    const bool isInt = kind == c10::TypeKind::IntType || kind == c10::TypeKind::SymIntType;
    if (argument.node() && (takesTensorOnly(parameter) || isInt)) {
        out.kind = Operand::Kind::Value;
        out.node = argument.node();
        guard(guards, out.node, isInt ? ArgumentKind::Int : ArgumentKind::Tensor);
    } else if ((items == c10::TypeKind::TensorType || isInts) && isListOf(argument, isInts)) {
        out.kind = isInts ? Operand::Kind::Ints : Operand::Kind::Tensors;
        for (const Argument& item : *argument.items()) {
            const auto* number = item.as<int64_t>();
            out.items.push_back({item.node(), number ? *number : 0});
            if (item.node())
                guard(guards, item.node(), isInts ? ArgumentKind::Int : ArgumentKind::Tensor);
        }
    } else {
        out.kind = Operand::Kind::Converted;
    }
    return out;
}

std::optional<BoundNode> bindOperator(const Node& node, std::optional<c10::Device> device) {
    BoundNode out{findOperator(node.target), nullptr, {}, {}, nullptr};
    if (!out.op)
        return std::nullopt;
    size_t next = 0, keywords = 0;
    for (const c10::Argument& parameter : out.op->schema->arguments()) {
        const Argument* given = nullptr;
        if (next < node.args.size() && !parameter.kwarg_only())
            given = &node.args[next++];
        else if ((given = node.keyword(parameter.name())))
            ++keywords;
        std::optional<Operand> operand = Operand();
        if (given && device && given->as<c10::Device>())
            operand->constant = c10::IValue(*device);
        else if (given)
            operand = operandFor(*given, *out.op->schema, out.operands.size(), out.guards);
        else if (parameter.default_value())
            operand->constant = *parameter.default_value();
        else
            return std::nullopt;
        if (!operand)
            return std::nullopt;
        out.operands.push_back(std::move(*operand));
    }
    // A call that does not fit is left to the call by name, which says why.
    const bool isAllTaken = next == node.args.size() && keywords == node.kwargs.size();
    return isAllTaken ? std::optional(std::move(out)) : std::nullopt;
}

bool isInC(const Node& node) {
    const std::string& name = node.target.name();
    if (node.opcode == Opcode::CallMethod) {
        const FunctionRow* row = findTensorMember(name);
        return !row || row->kind != FunctionKind::Python;
    }
    return node.opcode == Opcode::CallFunction && !node.target.isOperatorOverload() &&
           !isPythonInTorch(node.target) && (name.starts_with("torch.") || name.starts_with("operator."));
}

} // namespace

bool argumentHoldsTensor(const Argument& argument) {
    bool found = false;
    forEachPart(argument, [&](const Argument& part) {
        const auto* opaque = part.as<OpaqueValue>();
        found = found || (opaque && !opaque->attribute.empty());
    });
    return found;
}

std::optional<BoundNode> bindNode(const Node& node, const std::function<ArgumentKind(NodeId)>& kindOf,
                                  std::optional<c10::Device> device) {
    const auto keywordHoldsTensor = [](const auto& item) { return argumentHoldsTensor(item.second); };
    if (std::ranges::any_of(node.args, argumentHoldsTensor) ||
        std::ranges::any_of(node.kwargs, keywordHoldsTensor))
        return std::nullopt; // it is read when the node runs
    if (node.opcode == Opcode::CallFunction && node.target.isOperatorOverload())
        return bindOperator(node, device);
    return isInC(node) ? GivenCall(node, kindOf).bind() : std::nullopt;
}

bool isBoundByKinds(const Node& node) {
    return !node.inputs.empty() && isInC(node);
}

} // namespace fx
