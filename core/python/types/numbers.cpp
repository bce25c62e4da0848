// SPDX-License-Identifier: GPL-3.0-or-later
// The types int, bool, float and complex: making them, and what they share. Methods of their own are in
// number_methods.cpp.
#include "core/base/text.h"
#include "core/python/big_int.h"
#include "core/python/types/format.h"
#include "core/python/types/number_methods.h"
#include "core/python/types/operations.h"

#include <cmath>

namespace fx {

namespace {

/// What the value's own __int__ or the like gives; none if it has none. Instances and hosts' values alone
/// have any.
std::optional<Value> converted(Evaluator& evaluator, const Value& value,
                               std::initializer_list<const char*> methods) {
    if (!value.as<InstanceObject>() && !evaluator.hostOf(value))
        return std::nullopt;
    for (const char* method : methods)
        if (const std::optional<Value> found = evaluator.findAttribute(value, method)) {
            const bool isInherited = found->as<BoundMethodObject>() && &plainOf(value) != &value &&
                                     found->as<BoundMethodObject>()->function.as<NativeObject>();
            if (!isInherited)
                return evaluator.call(*found);
        }
    return std::nullopt;
}

Value newInt(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    const BoundArguments given("int", args, kwargs, {"", "base"}, 0, 0);
    if (!given[0]) {
        if (given[1])
            raise("TypeError", "int() missing string argument");
        return makeInt(0);
    }
    const Value& value = plainOf(*given[0]);
    if (given[1]) {
        const int64_t base = clampedIndex(evaluator, *given[1]);
        const int limited = static_cast<int>(std::clamp<int64_t>(base, -1, 99));
        if (const auto* bytes = value.as<BytesObject>())
            return parseInteger(bytes->bytes, limited, evaluator.repr(value));
        if (!value.isString())
            raise("TypeError", "int() can't convert non-string with explicit base");
        return parseInteger(value.text(), limited, pythonRepr(value.text()));
    }
    if (const std::optional<Value> own =
            converted(evaluator, *given[0], {"__int__", "__index__", "__trunc__"})) {
        if (!isWhole(plainOf(*own)))
            raise("TypeError", "__int__ returned non-int (type " + typeName(*own) + ')');
        return plainOf(*own);
    }
    if (value.isBool())
        return makeInt(smallInt(value));
    if (isWhole(value))
        return value;
    if (value.isDouble())
        return truncated(value.data().toDouble());
    if (value.isString())
        return parseInteger(value.text(), 10, pythonRepr(value.text()));
    if (const auto* bytes = value.as<BytesObject>())
        return parseInteger(bytes->bytes, 10, evaluator.repr(value));
    raise("TypeError", "int() argument must be a string, a bytes-like object or a real number, not '" +
                           typeName(*given[0]) + '\'');
}

Value newFloat(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    refuseKeywords("float", kwargs);
    if (args.size() > 1)
        raise("TypeError", "float expected at most 1 argument, got " + std::to_string(args.size()));
    if (args.empty())
        return makeFloat(0);
    const Value& value = plainOf(args[0]);
    if (const std::optional<Value> own = converted(evaluator, args[0], {"__float__", "__index__"})) {
        if (!isRealNumber(plainOf(*own)))
            raise("TypeError",
                  typeName(args[0]) + ".__float__ returned non-float (type " + typeName(*own) + ')');
        return makeFloat(realNumber(plainOf(*own)));
    }
    if (isRealNumber(value))
        return makeFloat(realNumber(value));
    if (value.isString())
        return makeFloat(parseFloat(value.text()));
    if (const auto* bytes = value.as<BytesObject>())
        return makeFloat(parseFloat(bytes->bytes));
    raise("TypeError",
          "float() argument must be a string or a real number, not '" + typeName(args[0]) + '\'');
}

Value newComplex(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    const BoundArguments given("complex", args, kwargs, {"real", "imag"}, 0, 0);
    const auto part = [&](size_t i) -> std::complex<double> {
        if (!given[i])
            return 0;
        const Value own = converted(evaluator, *given[i], {"__complex__", "__float__", "__index__"})
                              .value_or(plainOf(*given[i]));
        if (isComplexNumber(own))
            return {own.data().toComplexDouble().real(), own.data().toComplexDouble().imag()};
        if (!isRealNumber(own))
            raise("TypeError",
                  i == 0 ? "complex() first argument must be a string or a number, not '" +
                               typeName(*given[i]) + '\''
                         : "complex() second argument must be a number, not '" + typeName(*given[i]) + '\'');
        return realNumber(own);
    };
    if (given[0] && plainOf(*given[0]).isString()) {
        if (given[1])
            raise("TypeError", "complex() can't take second arg if first is a string");
        return makeComplex(parseComplex(plainOf(*given[0]).text()));
    }
    if (given[1] && plainOf(*given[1]).isString())
        raise("TypeError", "complex() second arg can't be a string");
    const std::complex<double> real = part(0), imag = part(1);
    if (!given[1])
        return makeComplex(real);
    // A zero is added to nothing: its sign stays.
    const bool isReal = !given[0] || !isComplexNumber(plainOf(*given[0]));
    return makeComplex({real.real() - imag.imag(), isReal ? imag.real() : real.imag() + imag.real()});
}

Value newBool(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    refuseKeywords("bool", kwargs);
    if (args.size() > 1)
        raise("TypeError", "bool expected at most 1 argument, got " + std::to_string(args.size()));
    return makeBool(!args.empty() && evaluator.isTrue(args[0]));
}

void addUnary(ClassData& type, Operator op) {
    addMethod(type, std::string(operatorRow(op).method), 0, 0, [op](Evaluator&, Values& args) {
        const std::optional<Value> result = operatePlainUnary(op, plainOf(args[0]));
        return result ? *result : notImplemented();
    });
}

void addShared(ClassData& type, Accepts accepts) {
    addTextMethods(type);
    addComparisonMethods(type, true, accepts);
    addUnary(type, Operator::Neg);
    addUnary(type, Operator::Pos);
    addMethod(type, "__abs__", 0, 0, [](Evaluator&, Values& args) { return absoluteOf(plainOf(args[0])); });
    addMethod(type, "__bool__", 0, 0,
              [](Evaluator&, Values& args) { return makeBool(isTrue(plainOf(args[0]))); });
    addMethod(type, "__format__", 1, 1, [](Evaluator& e, Values& args) {
        const std::string& spec = textArgument("__format__() argument", args[1]);
        return makeText(spec.empty() ? e.str(args[0]) : formatPlain(e, plainOf(args[0]), spec));
    });
}

} // namespace

Value absoluteOf(const Value& number) {
    if (number.isDouble())
        return makeFloat(std::abs(number.data().toDouble()));
    if (isComplexNumber(number)) {
        const auto value = number.data().toComplexDouble();
        const double size = std::hypot(value.real(), value.imag());
        if (std::isinf(size) && std::isfinite(value.real()) && std::isfinite(value.imag()))
            raise("OverflowError", "absolute value too large");
        return makeFloat(size);
    }
    const bool isNegative = number.as<BigIntObject>() ? bigIntOf(number).sign() < 0 : smallInt(number) < 0;
    return *operatePlainUnary(isNegative ? Operator::Neg : Operator::Pos, number);
}

void addNumberTypes(Evaluator& evaluator) {
    using enum Operator;
    ClassData& integer = evaluator.types().add("int");
    setConstructor(integer, newInt);
    addShared(integer, isWhole);
    addUnary(integer, Invert);
    addOperatorMethods(integer, {Add, Sub, Mul, TrueDiv, FloorDiv, Mod, Pow, LShift, RShift, And, Or, Xor},
                       isWhole);
    addIntMethods(integer);

    ClassData& boolean = evaluator.types().add("bool", "int");
    setConstructor(boolean, newBool);
    addTextMethods(boolean);

    ClassData& real = evaluator.types().add("float");
    setConstructor(real, newFloat);
    addShared(real, isRealNumber);
    addOperatorMethods(real, {Add, Sub, Mul, TrueDiv, FloorDiv, Mod, Pow}, isRealNumber);
    addFloatMethods(real);

    ClassData& complex = evaluator.types().add("complex");
    setConstructor(complex, newComplex);
    addShared(complex, nullptr);
    addOperatorMethods(complex, {Add, Sub, Mul, TrueDiv, Pow});
    addComplexMethods(complex);
}

} // namespace fx
