// SPDX-License-Identifier: GPL-3.0-or-later
// The builtin functions on numbers and characters.
#include "core/python/big_int.h"
#include "core/python/types/builtin_functions.h"
#include "core/python/types/number_methods.h"
#include "core/python/types/operations.h"
#include "core/python/types/text_units.h"

namespace fx {

namespace {

/// The value's own method of that name; none for builtin numbers, which are known here.
std::optional<Value> ownMethod(Evaluator& evaluator, const Value& value, const char* name) {
    if (!value.as<InstanceObject>() && !evaluator.hostOf(value))
        return std::nullopt;
    return evaluator.findAttribute(value, name);
}

Value rounded(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    const BoundArguments given("round", args, kwargs, {"number", "ndigits"}, 1, 0);
    const Value& number = *given[0];
    if (const std::optional<Value> own = ownMethod(evaluator, number, "__round__"))
        return evaluator.call(*own, given.known(1) ? Values{*given[1]} : Values());
    if (!isRealNumber(plainOf(number)))
        raise("TypeError", "type " + typeName(number) + " doesn't define __round__ method");
    std::optional<int64_t> digits;
    if (given.known(1))
        digits = clampedIndex(evaluator, *given[1]);
    return roundNumber(plainOf(number), digits);
}

Value divmodOf(Evaluator& evaluator, Values& args) {
    const Value &a = args[0], &b = args[1];
    if (isRealNumber(plainOf(a)) && isRealNumber(plainOf(b)) && !a.as<InstanceObject>() &&
        !b.as<InstanceObject>())
        return dividedWithRest(evaluator, a, b);
    if (const std::optional<Value> own = ownMethod(evaluator, a, "__divmod__")) {
        const Value result = evaluator.call(*own, {b});
        if (!isNotImplementedValue(result))
            return result;
    }
    if (const std::optional<Value> own = ownMethod(evaluator, b, "__rdivmod__")) {
        const Value result = evaluator.call(*own, {a});
        if (!isNotImplementedValue(result))
            return result;
    }
    raise("TypeError",
          "unsupported operand type(s) for divmod(): '" + typeName(a) + "' and '" + typeName(b) + '\'');
}

void addRadix(Evaluator& evaluator, const char* name, int base, const char* prefix) {
    addFunction(evaluator, name, 1, 1, [=](Evaluator& e, Values& args) {
        const Value& plain = plainOf(args[0]);
        std::string text = bigIntOf(isWhole(plain) ? plain : makeInt(e.index(args[0]))).text(base);
        text.insert(text.starts_with('-'), prefix);
        return makeText(std::move(text));
    });
}

Value character(Evaluator& evaluator, Values& args) {
    const int64_t code = indexArgument(evaluator, args[0]);
    if (code < 0 || code > 0x10FFFF)
        raise("ValueError", "chr() arg not in range(0x110000)");
    std::string out;
    appendCode(out, static_cast<char32_t>(code));
    return makeText(std::move(out));
}

Value ordinal(Evaluator&, Values& args) {
    const Value& plain = plainOf(args[0]);
    const auto* bytes = plain.as<BytesObject>();
    if (!plain.isString() && !bytes)
        raise("TypeError", "ord() expected string of length 1, but " + typeName(args[0]) + " found");
    const std::u32string text =
        bytes ? std::u32string(bytes->bytes.begin(), bytes->bytes.end()) : decodeText(plain.text());
    if (text.size() != 1)
        raise("TypeError",
              "ord() expected a character, but string of length " + std::to_string(text.size()) + " found");
    return makeInt(bytes ? static_cast<unsigned char>(bytes->bytes[0]) : static_cast<int64_t>(text[0]));
}

} // namespace

bool isNotImplementedValue(const Value& value) {
    const auto* leaf = value.as<Argument>();
    const auto* opaque = leaf ? leaf->as<OpaqueValue>() : nullptr;
    return opaque && opaque->text == "NotImplemented";
}

Value absolute(Evaluator& evaluator, const Value& value) {
    if (const std::optional<Value> own = ownMethod(evaluator, value, "__abs__"))
        return evaluator.call(*own);
    const Value& plain = plainOf(value);
    if (!isRealNumber(plain) && !isComplexNumber(plain))
        raise("TypeError", "bad operand type for abs(): '" + typeName(value) + '\'');
    return absoluteOf(plain);
}

Value power(Evaluator& evaluator, const Value& base, const Value& exponent, const Value* modulus) {
    if (!modulus || modulus->isNone())
        return evaluator.operate(Operator::Pow, base, exponent);
    if (const std::optional<Value> own = base.as<InstanceObject>() && &plainOf(base) == &base
                                             ? evaluator.findAttribute(base, "__pow__")
                                             : std::nullopt)
        return evaluator.call(*own, {exponent, *modulus});
    const Value &a = plainOf(base), &b = plainOf(exponent), &m = plainOf(*modulus);
    for (const Value* number : {&a, &b, &m})
        if (!isRealNumber(*number) && !isComplexNumber(*number))
            raise("TypeError", "unsupported operand type(s) for ** or pow(): '" + typeName(base) + "', '" +
                                   typeName(exponent) + "', '" + typeName(*modulus) + '\'');
    return powerModulo(a, b, m);
}

void addNumberFunctions(Evaluator& evaluator) {
    addFunction(evaluator, "abs", 1, 1, [](Evaluator& e, Values& args) { return absolute(e, args[0]); });
    evaluator.types().addBuiltin("round", rounded);
    evaluator.types().addBuiltin("pow", [](Evaluator& e, Values& args, NamedValues& kwargs) {
        const BoundArguments given("pow", args, kwargs, {"base", "exp", "mod"}, 2, 0);
        return power(e, *given[0], *given[1], given[2]);
    });
    addFunction(evaluator, "divmod", 2, 2, divmodOf);
    addRadix(evaluator, "hex", 16, "0x");
    addRadix(evaluator, "oct", 8, "0o");
    addRadix(evaluator, "bin", 2, "0b");
    addFunction(evaluator, "chr", 1, 1, character);
    addFunction(evaluator, "ord", 1, 1, ordinal);
}

} // namespace fx
