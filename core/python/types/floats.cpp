// SPDX-License-Identifier: GPL-3.0-or-later
// Python's operators on floats and complex numbers, and between them and ints.
#include "core/python/big_int.h"
#include "core/python/types/operations.h"

#include <cmath>

namespace fx {

std::optional<int> compareReals(const Value& a, const Value& b) {
    if (a.isDouble() && b.isDouble()) {
        const double x = a.data().toDouble(), y = b.data().toDouble();
        if (std::isnan(x) || std::isnan(y))
            return std::nullopt;
        return x < y ? -1 : x > y;
    }
    if (isWhole(a) && isWhole(b)) {
        if (isSmallInt(a) && isSmallInt(b))
            return smallInt(a) < smallInt(b) ? -1 : smallInt(a) > smallInt(b);
        return mpz_cmp(bigIntOf(a).get(), bigIntOf(b).get());
    }
    if (a.isDouble()) {
        const std::optional<int> order = compareReals(b, a);
        return order ? std::optional(-*order) : std::nullopt;
    }
    const double y = b.data().toDouble();
    if (std::isnan(y))
        return std::nullopt;
    constexpr int64_t kExact = 1ll << 53;
    if (isSmallInt(a) && smallInt(a) <= kExact && smallInt(a) >= -kExact) {
        const auto x = static_cast<double>(smallInt(a));
        return x < y ? -1 : x > y;
    }
    return compare(bigIntOf(a), y);
}

std::pair<double, double> floatDivMod(double a, double b) {
    double rest = std::fmod(a, b);
    double whole = (a - rest) / b;
    if (rest != 0) {
        if ((b < 0) != (rest < 0)) {
            rest += b;
            whole -= 1;
        }
    } else {
        rest = std::copysign(0.0, b);
    }
    if (whole == 0)
        return {std::copysign(0.0, a / b), rest};
    const double floored = std::floor(whole);
    return {whole - floored > 0.5 ? floored + 1 : floored, rest};
}

namespace {

std::complex<double> complexOf(const Value& value) {
    if (!isComplexNumber(value))
        return {realNumber(value), 0};
    const auto number = value.data().toComplexDouble();
    return {number.real(), number.imag()};
}

Value powerOfFloats(Evaluator* evaluator, double a, double b);

/// Python's own way of dividing, which differs from the C library's for infinities.
std::complex<double> divided(std::complex<double> a, std::complex<double> b) {
    if (b == 0.0)
        raise("ZeroDivisionError", "complex division by zero");
    if (std::abs(b.real()) >= std::abs(b.imag())) {
        const double ratio = b.imag() / b.real(), scale = b.real() + b.imag() * ratio;
        return {(a.real() + a.imag() * ratio) / scale, (a.imag() - a.real() * ratio) / scale};
    }
    if (std::abs(b.imag()) >= std::abs(b.real())) {
        const double ratio = b.real() / b.imag(), scale = b.real() * ratio + b.imag();
        return {(a.real() * ratio + a.imag()) / scale, (a.imag() * ratio - a.real()) / scale};
    }
    return {NAN, NAN};
}

std::complex<double> multiplied(std::complex<double> a, std::complex<double> b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

std::complex<double> powerOfComplex(std::complex<double> a, std::complex<double> b) {
    if (b == 0.0)
        return 1;
    if (a == 0.0) {
        if (b.imag() != 0 || b.real() < 0)
            raise("ZeroDivisionError", "0.0 to a negative or complex power");
        return 0;
    }
    if (b.imag() == 0 && b.real() == std::floor(b.real()) && std::abs(b.real()) <= 100) {
        std::complex<double> result = 1, square = a;
        for (auto count = static_cast<unsigned>(std::abs(b.real())); count != 0; count >>= 1) {
            if (count & 1)
                result = multiplied(result, square);
            square = multiplied(square, square);
        }
        return b.real() < 0 ? divided(1, result) : result;
    }
    const double size = std::hypot(a.real(), a.imag()), angle = std::atan2(a.imag(), a.real());
    double length = std::pow(size, b.real()), turn = angle * b.real();
    if (b.imag() != 0) {
        length /= std::exp(angle * b.imag());
        turn += b.imag() * std::log(size);
    }
    return {length * std::cos(turn), length * std::sin(turn)};
}

std::optional<Value> operateComplex(Operator op, const Value& left, const Value& right) {
    if (isComparison(op)) {
        if (op != Operator::Eq && op != Operator::Ne)
            return std::nullopt;
        bool isEqual = false;
        if (isComplexNumber(left) && isComplexNumber(right)) {
            isEqual = complexOf(left) == complexOf(right);
        } else {
            const Value& real = isComplexNumber(left) ? right : left;
            const auto number = complexOf(isComplexNumber(left) ? left : right);
            isEqual = number.imag() == 0 && compareReals(real, makeFloat(number.real())) == 0;
        }
        return makeBool(isEqual == (op == Operator::Eq));
    }
    const std::complex<double> a = complexOf(left), b = complexOf(right);
    switch (op) {
    case Operator::Add:
        return makeComplex(a + b);
    case Operator::Sub:
        return makeComplex(a - b);
    case Operator::Mul:
        return makeComplex(multiplied(a, b));
    case Operator::TrueDiv:
        return makeComplex(divided(a, b));
    case Operator::Pow:
        return makeComplex(powerOfComplex(a, b));
    default:
        return std::nullopt;
    }
}

Value powerOfFloats(Evaluator* evaluator, double a, double b) {
    if (a == 0 && b < 0)
        raise("ZeroDivisionError", "0.0 cannot be raised to a negative power");
    if (a < 0 && std::isfinite(a) && std::isfinite(b) && b != std::floor(b))
        return makeComplex(powerOfComplex(a, b));
    const double result = std::pow(a, b);
    if (std::isinf(result) && std::isfinite(a) && std::isfinite(b))
        raiseOverflow(evaluator);
    return makeFloat(result);
}

} // namespace

std::optional<Value> operateNumbers(Evaluator* evaluator, Operator op, const Value& a, const Value& b) {
    const bool isRealA = isRealNumber(a), isRealB = isRealNumber(b);
    if ((!isRealA && !isComplexNumber(a)) || (!isRealB && !isComplexNumber(b)))
        return std::nullopt;
    if (!isRealA || !isRealB)
        return operateComplex(op, a, b);
    if (isWhole(a) && isWhole(b))
        return operateIntegers(evaluator, op, a, b);
    if (isComparison(op)) {
        const std::optional<int> order = compareReals(a, b);
        return makeBool(order ? orderHolds(op, *order) : op == Operator::Ne);
    }
    const auto requireNonzero = [&b](const char* message) {
        if (realNumber(b) == 0)
            raise("ZeroDivisionError", message);
    };
    switch (op) {
    case Operator::Add:
        return makeFloat(realNumber(a) + realNumber(b));
    case Operator::Sub:
        return makeFloat(realNumber(a) - realNumber(b));
    case Operator::Mul:
        return makeFloat(realNumber(a) * realNumber(b));
    case Operator::TrueDiv:
        requireNonzero("float division by zero");
        return makeFloat(realNumber(a) / realNumber(b));
    case Operator::FloorDiv:
        requireNonzero("float floor division by zero");
        return makeFloat(floatDivMod(realNumber(a), realNumber(b)).first);
    case Operator::Mod:
        requireNonzero("float modulo");
        return makeFloat(floatDivMod(realNumber(a), realNumber(b)).second);
    case Operator::Pow:
        return powerOfFloats(evaluator, realNumber(a), realNumber(b));
    default:
        return std::nullopt;
    }
}

Value truncated(double value) {
    if (std::isnan(value))
        raise("ValueError", "cannot convert float NaN to integer");
    if (std::isinf(value))
        raise("OverflowError", "cannot convert float infinity to integer");
    return std::abs(value) < 9e18 ? makeInt(static_cast<int64_t>(value))
                                  : makeInteger(BigInt::fromDouble(value));
}

size_t hashDouble(double value) {
    if (std::isinf(value))
        return static_cast<size_t>(value > 0 ? 314159 : -314159);
    if (std::isnan(value))
        return 0;
    if (value == std::trunc(value))
        return hashInteger(BigInt::fromDouble(value));
    // value = digits / 2^places: the inverse of a power of two modulo 2^61 - 1 is a rotation.
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    const auto digits = static_cast<uint64_t>(std::ldexp(std::abs(fraction), 53));
    constexpr uint64_t kModulus = (1ull << 61) - 1;
    const int shift = (((exponent - 53) % 61) + 61) % 61;
    const uint64_t rotated = shift == 0 ? digits : ((digits << shift) & kModulus) | (digits >> (61 - shift));
    const auto hash = static_cast<int64_t>(rotated) * (value < 0 ? -1 : 1);
    return static_cast<size_t>(hash == -1 ? -2 : hash);
}

namespace {

Value roundedInteger(const Value& number, int64_t digits) {
    if (digits >= 0)
        return number.isBool() ? makeInt(smallInt(number)) : number;
    const BigInt value = bigIntOf(number);
    if (-digits > static_cast<int64_t>(value.bitLength())) // 10^-digits is more than twice the value
        return makeInt(0);
    BigInt unit, half, rest, whole;
    mpz_ui_pow_ui(unit.get(), 10, static_cast<unsigned long>(-digits));
    mpz_fdiv_qr(whole.get(), rest.get(), value.get(), unit.get());
    mpz_mul_2exp(half.get(), rest.get(), 1);
    const int order = mpz_cmp(half.get(), unit.get());
    if (order > 0 || (order == 0 && mpz_odd_p(whole.get())))
        mpz_add_ui(whole.get(), whole.get(), 1);
    mpz_mul(whole.get(), whole.get(), unit.get());
    return makeInteger(std::move(whole));
}

double roundedToDigits(double value, int64_t digits) {
    if (digits > 323 || !std::isfinite(value))
        return value;
    if (digits < -308)
        return 0 * value;
    if (digits >= 0) { // the C library rounds the exact decimal value, halves to even
        std::string text(400 + static_cast<size_t>(digits), '\0');
        std::snprintf(text.data(), text.size(), "%.*f", static_cast<int>(digits), value);
        return std::strtod(text.c_str(), nullptr);
    }
    // A part below one only matters by being there.
    const double whole = std::trunc(value);
    BigInt twice = BigInt::fromDouble(whole);
    mpz_mul_2exp(twice.get(), twice.get(), 1);
    if (whole != value)
        value > 0 ? mpz_add_ui(twice.get(), twice.get(), 1) : mpz_sub_ui(twice.get(), twice.get(), 1);
    BigInt unit, rest, result;
    mpz_ui_pow_ui(unit.get(), 10, static_cast<unsigned long>(-digits));
    BigInt doubled = unit;
    mpz_mul_2exp(doubled.get(), doubled.get(), 1);
    mpz_fdiv_qr(result.get(), rest.get(), twice.get(), doubled.get());
    const int order = mpz_cmp(rest.get(), unit.get());
    if (order > 0 || (order == 0 && mpz_odd_p(result.get())))
        mpz_add_ui(result.get(), result.get(), 1);
    mpz_mul(result.get(), result.get(), unit.get());
    return std::copysign(quotient(result, BigInt(1), "rounded value too large to represent"), value);
}

} // namespace

Value roundNumber(const Value& number, std::optional<int64_t> digits) {
    if (!number.isDouble())
        return roundedInteger(number, digits.value_or(0));
    const double value = number.data().toDouble();
    return digits ? makeFloat(roundedToDigits(value, *digits)) : truncated(std::nearbyint(value));
}

} // namespace fx
