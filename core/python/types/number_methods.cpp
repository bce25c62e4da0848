// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/types/number_methods.h"

#include "core/base/text.h"
#include "core/python/big_int.h"
#include "core/python/types/operations.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fx {

namespace {

const Value& numberOf(const Value& self, const char* type, bool fits) {
    if (!fits)
        throw WrongSelf(type, self);
    return plainOf(self);
}
const Value& wholeOf(const Value& self) {
    return numberOf(self, "int", isWhole(plainOf(self)));
}
double doubleOf(const Value& self) {
    return numberOf(self, "float", plainOf(self).isDouble()).data().toDouble();
}

/// The int itself, also of a bool.
Value asInt(const Value& self) {
    const Value& whole = wholeOf(self);
    return whole.isBool() ? makeInt(smallInt(whole)) : whole;
}

bool isBigEndian(const std::string& order) {
    if (order != "big" && order != "little")
        raise("ValueError", "byteorder must be either 'little' or 'big'");
    return order == "big";
}

Value toBytes(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    const BoundArguments given("to_bytes", args, kwargs, {"length", "byteorder", "signed"});
    const int64_t length = given[0] ? indexArgument(evaluator, *given[0]) : 1;
    const bool isBig =
        isBigEndian(given[1] ? textArgument("to_bytes() argument 'byteorder'", *given[1]) : "big");
    const bool isSigned = given[2] && evaluator.isTrue(*given[2]);
    if (length < 0)
        raise("ValueError", "length argument must be non-negative");
    if (length > 65536)
        evaluator.reserve(static_cast<uint64_t>(length));
    BigInt value = bigIntOf(wholeOf(args[0]));
    if (value.sign() < 0 && !isSigned)
        raise("OverflowError", "can't convert negative int to unsigned");
    BigInt limit;
    mpz_setbit(limit.get(), static_cast<mp_bitcnt_t>(length * 8 - (isSigned && length > 0 ? 1 : 0)));
    BigInt negative = limit;
    mpz_neg(negative.get(), negative.get());
    if (mpz_cmp(value.get(), limit.get()) >= 0 || mpz_cmp(value.get(), negative.get()) < 0)
        raise("OverflowError", "int too big to convert");
    BigInt rest;
    mpz_fdiv_r_2exp(rest.get(), value.get(), static_cast<mp_bitcnt_t>(length * 8));
    std::string out(static_cast<size_t>(length), '\0');
    size_t count = 0;
    if (rest.sign() != 0)
        mpz_export(out.data(), &count, -1, 1, 0, 0, rest.get());
    if (isBig)
        std::reverse(out.begin(), out.end());
    return makeBytes(std::move(out));
}

Value fromBytes(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    const BoundArguments given("from_bytes", args, kwargs, {"bytes", "byteorder", "signed"}, 1);
    std::string bytes;
    if (const auto* content = plainOf(*given[0]).as<BytesObject>())
        bytes = content->bytes;
    else
        for (const Value& item : evaluator.items(*given[0]))
            bytes += static_cast<char>(evaluator.index(item));
    const bool isBig =
        isBigEndian(given[1] ? textArgument("from_bytes() argument 'byteorder'", *given[1]) : "big");
    const bool isSigned = given[2] && evaluator.isTrue(*given[2]);
    if (isBig)
        std::reverse(bytes.begin(), bytes.end());
    BigInt value;
    mpz_import(value.get(), bytes.size(), -1, 1, 0, 0, bytes.data());
    if (isSigned && !bytes.empty() && (bytes.back() & 0x80)) {
        BigInt whole;
        mpz_setbit(whole.get(), bytes.size() * 8);
        mpz_sub(value.get(), value.get(), whole.get());
    }
    return asInstanceOf(args[0], makeInteger(std::move(value)));
}

Value fraction(double value) {
    if (std::isnan(value))
        raise("ValueError", "cannot convert NaN to integer ratio");
    if (std::isinf(value))
        raise("OverflowError", "cannot convert Infinity to integer ratio");
    int exponent = 0;
    const double digits = std::frexp(value, &exponent);
    BigInt top = BigInt::fromDouble(std::ldexp(digits, 53)), bottom(1), common;
    exponent -= 53;
    BigInt& scaled = exponent > 0 ? top : bottom;
    mpz_mul_2exp(scaled.get(), scaled.get(), static_cast<mp_bitcnt_t>(std::abs(exponent)));
    mpz_gcd(common.get(), top.get(), bottom.get());
    mpz_divexact(top.get(), top.get(), common.get());
    mpz_divexact(bottom.get(), bottom.get(), common.get());
    return makeTuple({makeInteger(std::move(top)), makeInteger(std::move(bottom))});
}

std::string hexFloat(double value) {
    if (!std::isfinite(value))
        return pythonFloat(value);
    int exponent = 0;
    double digits = std::frexp(std::abs(value), &exponent);
    if (value == 0)
        return std::signbit(value) ? "-0x0.0p+0" : "0x0.0p+0";
    // Numbers below the normal ones keep the lowest exponent and begin with 0.
    const int shift = std::max(-1022 - (exponent - 1), 0);
    exponent = exponent - 1 + shift;
    digits = std::ldexp(digits, 1 - shift);
    const auto whole = static_cast<uint64_t>(std::ldexp(digits, 52));
    char out[64];
    std::snprintf(out, sizeof out, "%s0x%d.%013llxp%+d", value < 0 ? "-" : "", static_cast<int>(whole >> 52),
                  static_cast<unsigned long long>(whole & ((1ull << 52) - 1)), exponent);
    return out;
}

double fromHex(const std::string& given) {
    std::string text(trim(given));
    const size_t sign = text.starts_with('-') || text.starts_with('+');
    std::string lower = text.substr(sign);
    std::transform(lower.begin(), lower.end(), lower.begin(), ::tolower);
    const bool isWord = lower == "inf" || lower == "infinity" || lower == "nan";
    if (!isWord && !lower.starts_with("0x"))
        text.insert(sign, "0x");
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || lower.empty())
        raise("ValueError", "invalid hexadecimal floating-point string");
    if (std::isinf(value) && !isWord)
        raise("OverflowError", "hexadecimal value too large to represent as a float");
    return value;
}

std::optional<int64_t> digitsOf(Evaluator& evaluator, const Values& args) {
    if (args.size() < 2 || args[1].isNone())
        return std::nullopt;
    return clampedIndex(evaluator, args[1]);
}

} // namespace

Value dividedWithRest(Evaluator& evaluator, const Value& a, const Value& b) {
    if (isWhole(a) && isWhole(b)) {
        if (!isTrue(b))
            raise("ZeroDivisionError", "integer division or modulo by zero");
        return makeTuple({*operatePlain(&evaluator, Operator::FloorDiv, a, b),
                          *operatePlain(&evaluator, Operator::Mod, a, b)});
    }
    if (realNumber(b) == 0)
        raise("ZeroDivisionError", "float divmod()");
    const auto [whole, rest] = floatDivMod(realNumber(a), realNumber(b));
    return makeTuple({makeFloat(whole), makeFloat(rest)});
}

void addIntMethods(ClassData& type) {
    for (const char* name : {"__int__", "__index__", "__trunc__", "__floor__", "__ceil__", "conjugate"})
        addMethod(type, name, 0, 0, [](Evaluator&, Values& args) { return asInt(args[0]); });
    addMethod(type, "__float__", 0, 0,
              [](Evaluator&, Values& args) { return makeFloat(realNumber(wholeOf(args[0]))); });
    addMethod(type, "__round__", 0, 1,
              [](Evaluator& e, Values& args) { return roundNumber(wholeOf(args[0]), digitsOf(e, args)); });
    for (const bool isReflected : {false, true})
        addMethod(type, isReflected ? "__rdivmod__" : "__divmod__", 1, 1,
                  [isReflected](Evaluator& e, Values& args) {
                      const Value &a = plainOf(args[isReflected]), &b = plainOf(args[!isReflected]);
                      return isWhole(a) && isWhole(b) ? dividedWithRest(e, a, b) : notImplemented();
                  });
    addMethod(type, "bit_length", 0, 0, [](Evaluator&, Values& args) {
        return makeInt(static_cast<int64_t>(bigIntOf(wholeOf(args[0])).bitLength()));
    });
    addMethod(type, "bit_count", 0, 0, [](Evaluator&, Values& args) {
        const BigInt size = bigIntOf(absoluteOf(wholeOf(args[0])));
        return makeInt(static_cast<int64_t>(mpz_popcount(size.get())));
    });
    addMethod(type, "as_integer_ratio", 0, 0, [](Evaluator&, Values& args) {
        return makeTuple({asInt(args[0]), makeInt(1)});
    });
    type.add("to_bytes", toBytes);
    type.addClassMethod("from_bytes", fromBytes);
    for (const char* name : {"real", "numerator"})
        type.addProperty(name, [](Evaluator&, Values& args, NamedValues&) { return asInt(args[0]); });
    type.addProperty("imag", [](Evaluator&, Values&, NamedValues&) { return makeInt(0); });
    type.addProperty("denominator", [](Evaluator&, Values&, NamedValues&) { return makeInt(1); });
}

void addFloatMethods(ClassData& type) {
    for (const char* name : {"__int__", "__trunc__"})
        addMethod(type, name, 0, 0, [](Evaluator&, Values& args) { return truncated(doubleOf(args[0])); });
    addMethod(type, "__floor__", 0, 0,
              [](Evaluator&, Values& args) { return truncated(std::floor(doubleOf(args[0]))); });
    addMethod(type, "__ceil__", 0, 0,
              [](Evaluator&, Values& args) { return truncated(std::ceil(doubleOf(args[0]))); });
    for (const char* name : {"__float__", "conjugate"})
        addMethod(type, name, 0, 0, [](Evaluator&, Values& args) { return makeFloat(doubleOf(args[0])); });
    addMethod(type, "__round__", 0, 1, [](Evaluator& e, Values& args) {
        return roundNumber(makeFloat(doubleOf(args[0])), digitsOf(e, args));
    });
    for (const bool isReflected : {false, true})
        addMethod(type, isReflected ? "__rdivmod__" : "__divmod__", 1, 1,
                  [isReflected](Evaluator& e, Values& args) {
                      const Value &a = plainOf(args[isReflected]), &b = plainOf(args[!isReflected]);
                      return isRealNumber(a) && isRealNumber(b) ? dividedWithRest(e, a, b) : notImplemented();
                  });
    addMethod(type, "is_integer", 0, 0, [](Evaluator&, Values& args) {
        const double value = doubleOf(args[0]);
        return makeBool(std::isfinite(value) && value == std::floor(value));
    });
    addMethod(type, "as_integer_ratio", 0, 0,
              [](Evaluator&, Values& args) { return fraction(doubleOf(args[0])); });
    addMethod(type, "hex", 0, 0,
              [](Evaluator&, Values& args) { return makeText(hexFloat(doubleOf(args[0]))); });
    type.addClassMethod("fromhex", [](Evaluator&, Values& args, NamedValues&) {
        requireArguments("fromhex", args, 2, 2);
        return asInstanceOf(args[0], makeFloat(fromHex(textArgument("fromhex() argument", args[1]))));
    });
    type.addProperty("real",
                     [](Evaluator&, Values& args, NamedValues&) { return makeFloat(doubleOf(args[0])); });
    type.addProperty("imag", [](Evaluator&, Values&, NamedValues&) { return makeFloat(0); });
}

void addComplexMethods(ClassData& type) {
    const auto of = [](const Value& self) {
        const auto value = numberOf(self, "complex", isComplexNumber(plainOf(self))).data().toComplexDouble();
        return std::complex<double>(value.real(), value.imag());
    };
    type.addProperty("real",
                     [of](Evaluator&, Values& args, NamedValues&) { return makeFloat(of(args[0]).real()); });
    type.addProperty("imag",
                     [of](Evaluator&, Values& args, NamedValues&) { return makeFloat(of(args[0]).imag()); });
    addMethod(type, "conjugate", 0, 0,
              [of](Evaluator&, Values& args) { return makeComplex(std::conj(of(args[0]))); });
    addMethod(type, "__complex__", 0, 0, [of](Evaluator&, Values& args) { return makeComplex(of(args[0])); });
}

} // namespace fx
