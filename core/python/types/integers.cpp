// SPDX-License-Identifier: GPL-3.0-or-later
// Python's operators on ints and bools: in 64 bits while the result fits, else by BigInt.
#include "core/python/big_int.h"
#include "core/python/types/operations.h"

#include <cmath>

namespace fx {

namespace {

constexpr uint64_t kReservedFrom = 4096; ///< bytes; smaller ints are not worth asking for

void reserveBits(Evaluator* evaluator, double bits) {
    // Multiplying huge numbers takes far longer than storing them: they count sixteenfold.
    const double bytes = bits / 8;
    if (bytes < kReservedFrom)
        return;
    if (evaluator)
        evaluator->reserve(bytes > 1e17 ? UINT64_MAX / 4
                                        : static_cast<uint64_t>(bytes * (bytes > 1e6 ? 16 : 1)));
    else if (bytes > 1e9)
        raise("MemoryError", "the int would be too large");
}

std::optional<int64_t> smallPower(int64_t base, int64_t exponent) {
    int64_t result = 1;
    while (true) {
        if ((exponent & 1) && __builtin_mul_overflow(result, base, &result))
            return std::nullopt;
        exponent >>= 1;
        if (exponent == 0)
            return result;
        if (__builtin_mul_overflow(base, base, &base))
            return std::nullopt;
    }
}

int64_t floorDiv(int64_t a, int64_t b) {
    const int64_t result = a / b;
    return result - ((a % b != 0) && ((a < 0) != (b < 0)));
}

/// None where the result does not fit 64 bits, or the operator is left to operateBig.
std::optional<Value> operateSmall(Operator op, int64_t a, int64_t b) {
    int64_t result = 0;
    switch (op) {
    case Operator::Add:
        return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(makeInt(result));
    case Operator::Sub:
        return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(makeInt(result));
    case Operator::Mul:
        return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(makeInt(result));
    case Operator::TrueDiv: {
        constexpr int64_t kExact = 1ll << 53;
        if (b == 0 || std::abs(b) > kExact || a > kExact || a < -kExact)
            return std::nullopt;
        return makeFloat(static_cast<double>(a) / static_cast<double>(b));
    }
    case Operator::FloorDiv:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return std::nullopt;
        return makeInt(floorDiv(a, b));
    case Operator::Mod:
        if (b == 0 || b == -1)
            return b == 0 ? std::nullopt : std::optional(makeInt(0));
        result = a % b;
        return makeInt(result != 0 && (result < 0) != (b < 0) ? result + b : result);
    case Operator::Pow:
        if (b >= 0)
            if (const std::optional<int64_t> power = smallPower(a, b))
                return makeInt(*power);
        return std::nullopt;
    case Operator::LShift:
        if (b < 0 || b > 62 || std::abs(a) > (INT64_MAX >> b) || a == INT64_MIN)
            return std::nullopt;
        return makeInt(a * (1ll << b));
    case Operator::RShift:
        return b < 0 ? std::nullopt : std::optional(makeInt(a >> std::min<int64_t>(b, 63)));
    case Operator::And:
        return makeInt(a & b);
    case Operator::Or:
        return makeInt(a | b);
    case Operator::Xor:
        return makeInt(a ^ b);
    case Operator::Is:
    case Operator::IsNot:
        return makeBool((a == b) == (op == Operator::Is));
    default:
        return isComparison(op) ? std::optional(makeBool(orderHolds(op, a < b ? -1 : a > b))) : std::nullopt;
    }
}

uint64_t shiftCount(Evaluator* evaluator, const BigInt& value, const BigInt& count) {
    if (count.sign() < 0)
        raise("ValueError", "negative shift count");
    if (value.sign() == 0)
        return 0;
    reserveBits(evaluator, mpz_get_d(count.get()));
    return static_cast<uint64_t>(count.small());
}

Value bigPower(Evaluator* evaluator, const BigInt& base, const BigInt& exponent) {
    if (exponent.sign() < 0) {
        const double root = toDouble(base);
        if (root == 0)
            raise("ZeroDivisionError", "0.0 cannot be raised to a negative power");
        return makeFloat(std::pow(root, toDouble(exponent)));
    }
    if (base.bitLength() <= 1) { // -1, 0, 1
        const bool isOdd = mpz_odd_p(exponent.get()) != 0;
        return makeInt(exponent.sign() == 0 ? 1 : base.sign() >= 0 || isOdd ? base.small() : 1);
    }
    reserveBits(evaluator, static_cast<double>(base.bitLength() - 1) * mpz_get_d(exponent.get()));
    BigInt result;
    mpz_pow_ui(result.get(), base.get(), mpz_get_ui(exponent.get()));
    return makeInteger(std::move(result));
}

std::optional<Value> operateBig(Evaluator* evaluator, Operator op, const BigInt& a, const BigInt& b) {
    BigInt result;
    switch (op) {
    case Operator::Add:
        mpz_add(result.get(), a.get(), b.get());
        break;
    case Operator::Sub:
        mpz_sub(result.get(), a.get(), b.get());
        break;
    case Operator::Mul:
        reserveBits(evaluator, static_cast<double>(a.bitLength() + b.bitLength()));
        mpz_mul(result.get(), a.get(), b.get());
        break;
    case Operator::TrueDiv:
        if (b.sign() == 0)
            raise("ZeroDivisionError", "division by zero");
        return makeFloat(quotient(a, b, "integer division result too large for a float"));
    case Operator::FloorDiv:
        if (b.sign() == 0)
            raise("ZeroDivisionError", "integer division or modulo by zero");
        mpz_fdiv_q(result.get(), a.get(), b.get());
        break;
    case Operator::Mod:
        if (b.sign() == 0)
            raise("ZeroDivisionError", "integer modulo by zero");
        mpz_fdiv_r(result.get(), a.get(), b.get());
        break;
    case Operator::Pow:
        return bigPower(evaluator, a, b);
    case Operator::LShift:
        mpz_mul_2exp(result.get(), a.get(), shiftCount(evaluator, a, b));
        break;
    case Operator::RShift:
        if (b.sign() < 0)
            raise("ValueError", "negative shift count");
        mpz_fdiv_q_2exp(result.get(), a.get(), b.isSmall() ? mpz_get_ui(b.get()) : UINT64_MAX);
        break;
    case Operator::And:
        mpz_and(result.get(), a.get(), b.get());
        break;
    case Operator::Or:
        mpz_ior(result.get(), a.get(), b.get());
        break;
    case Operator::Xor:
        mpz_xor(result.get(), a.get(), b.get());
        break;
    case Operator::Is:
    case Operator::IsNot:
        return makeBool(op == Operator::IsNot);
    default:
        if (isComparison(op))
            return makeBool(orderHolds(op, mpz_cmp(a.get(), b.get())));
        return std::nullopt;
    }
    return makeInteger(std::move(result));
}

} // namespace

std::optional<Value> operateIntegers(Evaluator* evaluator, Operator op, const Value& a, const Value& b) {
    if (isSmallInt(a) && isSmallInt(b)) {
        if (a.isBool() != b.isBool() && (op == Operator::Is || op == Operator::IsNot))
            return makeBool(op == Operator::IsNot);
        const std::optional<Value> result = operateSmall(op, smallInt(a), smallInt(b));
        const bool isBitwise = op == Operator::And || op == Operator::Or || op == Operator::Xor;
        if (result && isBitwise && a.isBool() && b.isBool())
            return makeBool(result->data().toInt() != 0);
        if (result)
            return result;
    }
    if (op == Operator::In || op == Operator::NotIn || op == Operator::MatMul)
        return std::nullopt;
    return operateBig(evaluator, op, bigIntOf(a), bigIntOf(b));
}

Value powerModulo(const Value& base, const Value& exponent, const Value& modulus) {
    if (!isWhole(base) || !isWhole(exponent) || !isWhole(modulus))
        raise("TypeError", "pow() 3rd argument not allowed unless all arguments are integers");
    const BigInt divisor = bigIntOf(modulus), power = bigIntOf(exponent);
    if (divisor.sign() == 0)
        raise("ValueError", "pow() 3rd argument cannot be 0");
    BigInt inverse, result;
    if (power.sign() < 0 && mpz_invert(inverse.get(), bigIntOf(base).get(), divisor.get()) == 0)
        raise("ValueError", "base is not invertible for the given modulus");
    mpz_powm(result.get(), bigIntOf(base).get(), power.get(), divisor.get());
    if (result.sign() != 0 && result.sign() != divisor.sign())
        mpz_fdiv_r(result.get(), result.get(), divisor.get());
    return makeInteger(std::move(result));
}

std::string integerText(const Value& integer) {
    const auto* big = integer.as<BigIntObject>();
    if (!big)
        return std::to_string(smallInt(integer));
    constexpr size_t kMostDigits = 4300;
    const char* const message = "Exceeds the limit (4300 digits) for integer string conversion; use "
                                "sys.set_int_max_str_digits() to increase the limit";
    if (big->value->bitLength() > kMostDigits * 10 / 3)
        raise("ValueError", message);
    std::string text = big->value->text();
    if (text.size() - (text[0] == '-') > kMostDigits)
        raise("ValueError", message);
    return text;
}

} // namespace fx
