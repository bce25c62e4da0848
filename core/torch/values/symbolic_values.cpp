// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/operators.h"
#include "core/python/types/support.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/symbolic_tensors.h"

#include <c10/core/SymBool.h>
#include <c10/core/SymFloat.h>

namespace fx {

using c10::IValue;
using c10::SymNode;

namespace {

SymNode nodeOf(const Value& value) {
    if (!value.isData())
        return {};
    const IValue& data = value.data();
    return data.isSymInt()     ? data.toSymInt().toSymNode()
           : data.isSymFloat() ? data.toSymFloat().toSymNodeImpl()
           : data.isSymBool()  ? data.toSymBool().toSymNodeImpl()
                               : SymNode();
}

/// Of a plain number, too; null for what is none.
SymNode numberLike(SymbolicNumber& like, const Value& value) {
    if (const SymNode node = nodeOf(value))
        return node;
    if (value.isBool())
        return like.is_bool() ? like.wrap_bool(value.data().toBool()) : like.wrap_int(value.data().toBool());
    if (value.isInt())
        return like.wrap_int(value.data().toInt());
    return value.isDouble() ? like.wrap_float(value.data().toDouble()) : SymNode();
}

SymbolicNumber& requireNumber(const Values& args) {
    SymbolicNumber* number = args.empty() ? nullptr : symbolicNumber(args[0]);
    if (!number)
        raise("TypeError", "expected a symbolic number");
    return *number;
}

Value hintOf(const SymbolicNumber& number) {
    const std::optional<double> hint = number.hint();
    if (!hint)
        return {};
    return number.kind() == SymbolicNumber::Kind::Int    ? makeInt(static_cast<int64_t>(*hint))
           : number.kind() == SymbolicNumber::Kind::Bool ? Value(IValue(*hint != 0))
                                                         : makeFloat(*hint);
}

Value texts(const std::vector<std::string>& words) {
    Values out;
    for (const std::string& word : words)
        out.push_back(makeText(word));
    return makeList(std::move(out));
}

} // namespace

SymbolicNumber* symbolicNumber(const Value& value) {
    const SymNode node = nodeOf(value);
    return node ? symbolicNumber(node) : nullptr; // which the value keeps alive
}

Value symbolicValue(const SymNode& node) {
    if (node->is_int())
        return IValue(c10::SymInt(node));
    return node->is_float() ? Value(IValue(c10::SymFloat(node))) : Value(IValue(c10::SymBool(node)));
}

Value shapeValue(const at::Tensor& tensor) {
    Evaluator* evaluator = Evaluator::current();
    if (!hasSymbolicSizes(tensor) || !evaluator)
        return Object{SizeObject{tensor.sizes().vec()}};
    Values items;
    for (const c10::SymInt& size : tensor.sym_sizes())
        items.emplace_back(IValue(size));
    return Object{
        InstanceObject{evaluator->type("torch.Size"), Object{DictObject()}, makeTuple(std::move(items))}};
}

std::optional<Value> attributeOfNumber(Evaluator& evaluator, const Value& number, const std::string& name) {
    if (name != "node")
        return std::nullopt;
    return evaluator.call(*evaluator.modules().libraryClass("torch.fx.experimental.sym_node.SymNode"),
                          {number});
}

std::optional<Value> operateOnNumbers(Operator op, const Values& operands) {
    const bool isFirst = symbolicNumber(operands[0]) != nullptr;
    SymbolicNumber& any = *symbolicNumber(operands[isFirst ? 0 : 1]);
    if (operatorRow(op).isUnary()) {
        if (op == Operator::Pos)
            return operands[0];
        return op == Operator::Neg ? std::optional(symbolicValue(any.neg())) : std::nullopt;
    }
    const SymNode a = numberLike(any, operands[0]), b = numberLike(any, operands[1]);
    if (a && b) {
        const SymNode out = SymbolicNumber::operate(op, a, b);
        return out ? std::optional(symbolicValue(out)) : std::nullopt;
    }
    if (op == Operator::Eq || op == Operator::Ne)
        return Value(IValue(op == Operator::Ne));
    const Value number = makeInt(any.guard_int(__FILE__, __LINE__)); // of times that a list is repeated
    return operatePlain(Evaluator::current(), op, isFirst ? number : operands[0],
                        isFirst ? operands[1] : number);
}

void addSymbolicClasses(Evaluator& evaluator) {
    const auto whole = [](Evaluator&, Values& args, NamedValues&) {
        Value out;
        guarded([&] { out = makeInt(requireNumber(args).guard_int(__FILE__, __LINE__)); });
        return out;
    };
    const auto real = [](Evaluator&, Values& args, NamedValues&) {
        Value out;
        guarded([&] { out = makeFloat(requireNumber(args).guard_float(__FILE__, __LINE__)); });
        return out;
    };
    ClassData& integer = evaluator.classOf(evaluator.type("torch.SymInt"));
    integer.add("__int__", whole);
    integer.add("__index__", whole);
    integer.add("__float__", real);
    ClassData& fraction = evaluator.classOf(evaluator.type("torch.SymFloat"));
    fraction.add("__float__", real);
    fraction.add("__int__", [](Evaluator&, Values& args, NamedValues&) -> Value {
        raise("NotImplementedError", "not supported: a size that is " + requireNumber(args).str() +
                                         " cut to a whole number; give make_fx "
                                         "sizes that are numbers, by tracing_mode='fake'");
    });
    evaluator.classOf(evaluator.type("torch.Size"))
        .add("__repr__", [](Evaluator& e, Values& args, NamedValues&) {
            return makeText("torch.Size(" + e.repr(makeList(*itemsOf(args.at(0)))) + ')');
        });
    const auto native = [&](const char* name, NativeObject::Call call) {
        evaluator.builtins().set(name, makeNative(name, std::move(call)));
    };
    native("_symbolic_hint",
           [](Evaluator&, Values& args, NamedValues&) { return hintOf(requireNumber(args)); });
    native("_symbolic_known", [](Evaluator&, Values& args, NamedValues&) -> Value {
        const std::optional<int64_t> number = requireNumber(args).maybe_as_int();
        return number ? makeInt(*number) : Value();
    });
    native("_symbolic_guards", [](Evaluator&, Values& args, NamedValues&) {
        return texts(requireNumber(args).environment()->guards());
    });
    native("_symbolic_symbols", [](Evaluator&, Values& args, NamedValues&) {
        std::vector<std::string> names;
        if (SymbolicNumber& number = requireNumber(args); number.kind() == SymbolicNumber::Kind::Int)
            parseFormula(number.formula().text(), [&](const std::string& name) {
                names.push_back(name);
                return Formula::symbol(name);
            });
        return texts(names);
    });
    const auto chosen = [](SymNode (SymbolicNumber::*choose)(const SymNode&)) {
        return [choose](Evaluator&, Values& args, NamedValues&) -> Value {
            SymbolicNumber* any =
                symbolicNumber(args.at(0)) ? symbolicNumber(args[0]) : symbolicNumber(args.at(1));
            if (!any)
                raise("TypeError", "expected a symbolic number");
            const SymNode a = numberLike(*any, args[0]), b = numberLike(*any, args[1]);
            if (!a || !b)
                raise("TypeError", "expected two numbers");
            return symbolicValue((symbolicNumber(a)->*choose)(b));
        };
    };
    native("_symbolic_float", [](Evaluator&, Values& args, NamedValues&) {
        return symbolicValue(requireNumber(args).sym_float());
    });
    native("_symbolic_max", chosen(&SymbolicNumber::sym_max));
    native("_symbolic_min", chosen(&SymbolicNumber::sym_min));
}

} // namespace fx
