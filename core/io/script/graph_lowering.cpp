// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/script/graph_lowering.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/bind_node.h"
#include "core/interpret/interpreter.h"
#include "core/ir/argument_text.h"
#include "core/torch/bind/operator_bounds.h"

#include <torch/csrc/jit/frontend/schema_matching.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>

namespace fx {

namespace {

/// "aten::add" of a function or method of torch, whatever module of torch has it.
std::string operatorName(const Node& node) {
    const std::string& name = node.target.name();
    return "aten::" + name.substr(name.rfind('.') + 1);
}

/// TorchScript's errors are several lines, of which the first says it.
std::string firstLine(const std::exception& error) {
    const auto* torchError = dynamic_cast<const c10::Error*>(&error);
    const std::string text(
        trim(torchError ? std::string(torchError->what_without_backtrace()) : std::string(error.what())));
    return text.substr(0, text.find('\n'));
}

bool isWrappedNumber(const c10::IValue& value) {
    return value.isTensor() && value.toTensor().defined() &&
           value.toTensor().unsafeGetTensorImpl()->is_wrapped_number();
}

c10::IValue withoutSymbols(const c10::IValue& value) {
    return value.isSymInt() ? c10::IValue(value.toSymInt().expect_int()) : value;
}

} // namespace

Lowered GraphLowering::run(std::vector<Lowered> inputs) {
    size_t next = 0;
    for (const Node& node : m_from) {
        if (m_place.source)
            m_range = m_place.source(node.id);
        try {
            if (node.opcode == Opcode::Placeholder) {
                m_values[node.id] = inputs.at(next++);
                continue;
            }
            if (node.opcode == Opcode::Output)
                return lowered(node.args.at(0));
            torch::jit::Node* before = m_to.insertPoint()->prev();
            m_values[node.id] = lower(node);
            if (m_place.became)
                m_place.became(node, before);
        } catch (const Error& error) {
            fail(node, error);
        } catch (const std::exception& error) {
            fail(node, Error("", "is not to be had in TorchScript: " + firstLine(error)));
        }
    }
    return constant(c10::IValue());
}

void GraphLowering::fail(const Node& node, const Error& error) {
    if (m_place.missing) {
        m_values[node.id] = m_place.missing(node, error);
        return;
    }
    // A call of a module or a graph has named the node that is at fault.
    Error told = error;
    throw error.place().empty() ? std::move(told.within(nodePlace(m_from, node.id))) : told;
}

Lowered GraphLowering::lower(const Node& node) {
    if (node.opcode == Opcode::GetAttr)
        return m_place.attribute(*this, node);
    if (node.target.isHigherOrder())
        if (std::optional<Lowered> made = control(node))
            return std::move(*made);
    for (const auto attempt : {&GraphLowering::pythonFunction, &GraphLowering::pythonMethod})
        if (std::optional<Lowered> made = (this->*attempt)(node))
            return std::move(*made);
    if (std::optional<Lowered> made = m_place.call(*this, node))
        return std::move(*made);
    if (std::optional<Lowered> made = bound(node))
        return std::move(*made);
    if (std::optional<Lowered> made = byName(node))
        return std::move(*made);
    throw Error("", "calls " + node.target.name() + ", which TorchScript does not have in this form")
        .hint("the pass to-aten leaves operators alone");
}

// --- Values

Lowered GraphLowering::constant(const c10::IValue& value) {
    return loweredValue(m_to.insertConstant(withoutSymbols(value), m_range));
}

Lowered GraphLowering::lowered(const Argument& argument) {
    if (argument.node())
        return m_values.at(argument.node());
    if (const Arguments* items = argument.items()) {
        std::vector<Lowered> parts;
        for (const Argument& item : *items)
            parts.push_back(lowered(item));
        return loweredTuple(std::move(parts),
                            argument.as<ListValue>() ? Lowered::Form::List : Lowered::Form::Tuple);
    }
    if (const auto* dict = argument.as<DictValue>()) {
        Lowered out = loweredTuple({}, Lowered::Form::Dict);
        for (const auto& [key, value] : dict->items) {
            out.keys.push_back(key);
            out.parts.push_back(lowered(value));
        }
        return out;
    }
    const auto typed = [&](int64_t number, ArgumentKind kind) {
        Lowered out = constant(number);
        out.kind = kind;
        return out;
    };
    if (const auto* dtype = argument.as<c10::ScalarType>())
        return typed(static_cast<int64_t>(*dtype), ArgumentKind::DType);
    if (const auto* layout = argument.as<c10::Layout>())
        return typed(static_cast<int64_t>(*layout), ArgumentKind::Layout);
    if (const auto* format = argument.as<c10::MemoryFormat>())
        return typed(static_cast<int64_t>(*format), ArgumentKind::MemoryFormat);
    const Value value = makeValue(argument, nullptr);
    if (value.isData())
        return constant(value.data());
    throw Error("",
                "has the argument " + reprText(argument, nullptr) + ", which TorchScript has no value for");
}

JitValue* GraphLowering::single(const Lowered& value, const c10::Type* wanted) {
    if (!value.graph.empty())
        throw Error("", "hands on a module as a value, which TorchScript does not do");
    if (value.form == Lowered::Form::Single)
        return asNumber(value.value, wanted);
    const auto* list = wanted ? wanted->castRaw<c10::ListType>() : nullptr;
    const c10::TypePtr item = list ? list->getElementType() : nullptr;
    std::vector<JitValue*> parts;
    for (const Lowered& part : value.parts)
        parts.push_back(single(part, item.get()));
    const auto insert = [&](torch::jit::Node* node) {
        node->setSourceRange(m_range);
        return m_to.insertNode(node)->output();
    };
    const bool areOptional = item && item->kind() == c10::TypeKind::OptionalType;
    if (value.form == Lowered::Form::Tuple && !areOptional)
        return insert(m_to.createTuple(parts));
    // A list of tensors is none of tensors that may be missing.
    if (areOptional)
        return insert(m_to.createList(item, parts));
    c10::TypePtr element = parts.empty() ? c10::TypePtr(c10::TensorType::get()) : parts[0]->type();
    for (JitValue* part : parts) {
        const std::optional<c10::TypePtr> unified = c10::unifyTypes(element, part->type());
        if (!unified)
            throw Error("", std::string(value.form == Lowered::Form::Dict ? "a dict" : "a list") +
                                " has values of types " + element->repr_str() + " and " +
                                part->type()->repr_str() + "; TorchScript wants one type");
        element = *unified;
    }
    if (value.form == Lowered::Form::List)
        return insert(m_to.createList(element, parts));
    std::vector<JitValue*> keys;
    for (const Argument& key : value.keys)
        keys.push_back(single(key));
    const c10::TypePtr keyType = keys.empty() ? c10::TypePtr(c10::StringType::get()) : keys[0]->type();
    for (const JitValue* key : keys)
        if (*key->type() != *keyType)
            throw Error("", "a dict has keys of several types; TorchScript wants one type");
    return insert(m_to.createDict(keyType, element, keys, parts));
}

/// What x.item() gives is a number of some type; it is made one where an int or a float is wanted.
JitValue* GraphLowering::asNumber(JitValue* value, const c10::Type* wanted) {
    const bool isOpen = value->type()->kind() == c10::TypeKind::NumberType;
    if (isOpen && wanted && wanted->kind() == c10::TypeKind::IntType)
        return callNamed("aten::Int", {loweredValue(value)}).value;
    if (isOpen && wanted && wanted->kind() == c10::TypeKind::FloatType)
        return callNamed("aten::Float", {loweredValue(value)}).value;
    return value;
}

bool GraphLowering::isTensor(const Lowered& value) const {
    return value.form == Lowered::Form::Single && value.value && value.kind == ArgumentKind::PlainTensor;
}

std::optional<std::vector<Lowered>> GraphLowering::itemsOf(const Lowered& value) {
    if (value.form == Lowered::Form::Tuple || value.form == Lowered::Form::List)
        return value.parts;
    const auto tuple = value.value ? value.value->type()->cast<c10::TupleType>() : nullptr;
    if (!tuple)
        return std::nullopt;
    std::vector<Lowered> out;
    for (JitValue* item : torch::jit::createTupleUnpack(value.value))
        out.push_back(loweredValue(item));
    return out;
}

// --- Calls

Lowered GraphLowering::call(const c10::FunctionSchema& schema, const std::vector<Lowered>& args) {
    std::vector<torch::jit::NamedValue> positional, named;
    for (size_t i = 0; i < args.size(); ++i) {
        const c10::Argument& parameter = schema.arguments()[i];
        JitValue* value = single(args[i], parameter.type().get());
        if (parameter.kwarg_only())
            named.emplace_back(parameter.name(), value);
        else
            positional.emplace_back(value);
    }
    const torch::jit::MatchedSchema matched =
        torch::jit::matchSchema(schema, m_range, m_to, positional, named);
    torch::jit::Node* node =
        m_to.insertNode(m_to.create(c10::Symbol::fromQualString(schema.name()), matched.inputs, 0));
    node->setSourceRange(m_range);
    for (const c10::TypePtr& type : matched.return_types)
        node->addOutput()->setType(type);
    node->getOperation(); // throws where the program could not find the operator again
    if (node->outputs().empty())
        return constant(c10::IValue());
    if (node->outputs().size() == 1)
        return loweredValue(node->output());
    Lowered out = loweredTuple({});
    for (size_t i = 0; i < node->outputs().size(); ++i) {
        out.parts.push_back(loweredValue(node->outputs()[i]));
        out.names.push_back(schema.returns()[i].name());
    }
    return out;
}

Lowered GraphLowering::callNamed(const std::string& name, const std::vector<Lowered>& args,
                                 const std::vector<std::pair<std::string, Lowered>>& kwargs) {
    std::vector<torch::jit::NamedValue> positional, named;
    for (const Lowered& arg : args)
        positional.emplace_back(single(arg));
    for (const auto& [key, value] : kwargs)
        named.emplace_back(key, single(value));
    JitValue* made =
        torch::jit::emitBuiltinCall(m_range, m_to, c10::Symbol::fromQualString(name), positional, named);
    return loweredValue(made);
}

/// What computes the same with its operands exchanged, for a number on the left: TorchScript's overloads want
/// it on the right.
struct Turned {
    std::string_view name, other;
    bool keepsAlpha = false; ///< the others have none, or it is 1
};
constexpr Turned kTurned[] = {
    {"aten::sub", "aten::rsub", true}, {"aten::add", "aten::add"}, {"aten::mul", "aten::mul"}};

/// A number in the place of a tensor, which an eager call wraps in one, is TorchScript's overload for
/// numbers.
std::optional<Lowered> GraphLowering::bound(const Node& node) {
    const auto kindOf = [this](NodeId id) { return m_values.at(id).kind; };
    const std::optional<BoundNode> bound = bindNode(node, kindOf, std::nullopt);
    if (!bound || !bound->op)
        return std::nullopt;
    const c10::FunctionSchema& schema = *bound->op->schema;
    if (const std::string why = boundsRefusal(schema.name()); !why.empty())
        throw Error("", "calls " + schema.name() + ", which is not compiled: " + why);
    std::vector<Lowered> args;
    bool hasNumber = false;
    for (const Operand& operand : bound->operands) {
        const bool isWrapped = operand.kind == Operand::Kind::Constant && isWrappedNumber(operand.constant);
        args.push_back(isWrapped ? constant(operand.constant.toTensor().item()) : ofOperand(operand));
        const bool wantsTensor =
            schema.arguments()[args.size() - 1].type()->kind() == c10::TypeKind::TensorType;
        hasNumber |= wantsTensor && !isTensor(args.back());
    }
    if (!hasNumber)
        return call(schema, args);
    std::vector<std::pair<std::string, Lowered>> named;
    while (!args.empty() && schema.arguments()[args.size() - 1].kwarg_only()) {
        named.emplace_back(schema.arguments()[args.size() - 1].name(), std::move(args.back()));
        args.pop_back();
    }
    if (args.size() == 2 && !isTensor(args[0]) && isTensor(args[1]))
        if (const auto turned = std::ranges::find(kTurned, schema.name(), &Turned::name);
            turned != std::end(kTurned) && (turned->keepsAlpha || !node.keyword("alpha"))) {
            std::swap(args[0], args[1]);
            return callNamed(std::string(turned->other), args,
                             turned->keepsAlpha ? named : std::vector<std::pair<std::string, Lowered>>());
        }
    return callNamed(schema.name(), args, named);
}

Lowered GraphLowering::ofOperand(const Operand& operand) {
    switch (operand.kind) {
    case Operand::Kind::Value:
    case Operand::Kind::Unpacked:
        return m_values.at(operand.node);
    case Operand::Kind::Tensors:
    case Operand::Kind::Ints: {
        std::vector<Lowered> parts;
        for (const Operand::Item& item : operand.items)
            parts.push_back(item.node ? m_values.at(item.node) : constant(item.number));
        return loweredTuple(std::move(parts), Lowered::Form::List);
    }
    case Operand::Kind::Converted:
        return lowered(*operand.tree);
    case Operand::Kind::Constant:
        break;
    }
    return constant(operand.constant);
}

std::optional<Lowered> GraphLowering::byName(const Node& node) {
    const bool isOfTorch = node.opcode == Opcode::CallMethod || node.target.name().starts_with("torch.");
    const std::string name = operatorName(node);
    if (!isOfTorch || torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(name)).empty())
        return std::nullopt;
    std::vector<Lowered> args;
    std::vector<std::pair<std::string, Lowered>> kwargs;
    for (const Argument& argument : node.args)
        args.push_back(lowered(argument));
    for (const auto& [key, argument] : node.kwargs)
        if (key == "input" && args.empty())
            args.push_back(lowered(argument));
        else
            kwargs.emplace_back(key, lowered(argument));
    return callNamed(name, args, kwargs);
}

} // namespace fx
