// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/big_int.h"

#include <algorithm>
#include <cmath>

namespace fx {

BigInt BigInt::fromDouble(double value) {
    BigInt result;
    mpz_set_d(result.m_value, value);
    return result;
}

std::optional<BigInt> BigInt::parse(const std::string& digits, int base) {
    const auto isDigit = [base](char c) {
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'z' ? c - 'a' + 10
                          : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                                 : 36;
        return digit < base;
    };
    BigInt result;
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), isDigit))
        return std::nullopt;
    mpz_set_str(result.m_value, digits.c_str(), base);
    return result;
}

std::string BigInt::text(int base) const {
    std::string out(mpz_sizeinbase(m_value, base) + 2, '\0');
    mpz_get_str(out.data(), base, m_value);
    out.resize(out.find('\0'));
    return out;
}

double quotient(const BigInt& a, const BigInt& b, const char* overflow) {
    if (a.sign() == 0)
        return 0;
    const bool isNegative = (a.sign() < 0) != (b.sign() < 0);
    BigInt top, bottom, rest;
    mpz_abs(top.get(), a.get());
    mpz_abs(bottom.get(), b.get());
    // Scaled so that the quotient has at least 66 bits; one more below them stands for all that is cut off.
    const int64_t shift =
        66 - static_cast<int64_t>(top.bitLength()) + static_cast<int64_t>(bottom.bitLength());
    BigInt& scaled = shift > 0 ? top : bottom;
    mpz_mul_2exp(scaled.get(), scaled.get(), static_cast<mp_bitcnt_t>(std::abs(shift)));
    BigInt digits;
    mpz_tdiv_qr(digits.get(), rest.get(), top.get(), bottom.get());
    if (rest.sign() != 0)
        mpz_setbit(digits.get(), 0);
    const auto bits = static_cast<int64_t>(digits.bitLength());
    const int64_t exponent = bits - shift; // the result is below 2^exponent
    const int64_t precision = std::clamp<int64_t>(exponent + 1074, 0, 53);
    if (exponent + 1074 < 0)
        return isNegative ? -0.0 : 0.0;
    const auto dropped = static_cast<mp_bitcnt_t>(bits - precision);
    BigInt half;
    mpz_fdiv_r_2exp(rest.get(), digits.get(), dropped);
    mpz_fdiv_q_2exp(digits.get(), digits.get(), dropped);
    mpz_setbit(half.get(), dropped - 1);
    const int order = mpz_cmp(rest.get(), half.get());
    if (order > 0 || (order == 0 && mpz_odd_p(digits.get())))
        mpz_add_ui(digits.get(), digits.get(), 1);
    const double result =
        exponent > 1100 ? INFINITY
                        : std::ldexp(mpz_get_d(digits.get()), static_cast<int>(bits - precision - shift));
    if (std::isinf(result))
        raise("OverflowError", overflow);
    return isNegative ? -result : result;
}

double toDouble(const BigInt& value) {
    return quotient(value, BigInt(1), "int too large to convert to float");
}

int compare(const BigInt& a, double b) {
    return std::isinf(b) ? (b > 0 ? -1 : 1) : mpz_cmp_d(a.get(), b);
}

size_t hashInteger(const BigInt& value) {
    const uint64_t rest = mpz_tdiv_ui(value.get(), (1ull << 61) - 1);
    const auto hash = static_cast<int64_t>(rest) * (value.sign() < 0 ? -1 : 1);
    return static_cast<size_t>(hash == -1 ? -2 : hash);
}

Value makeInteger(BigInt value) {
    if (value.isSmall())
        return makeInt(value.small());
    return Object{BigIntObject{std::make_shared<const BigInt>(std::move(value))}};
}

BigInt bigIntOf(const Value& integer) {
    if (const auto* big = integer.as<BigIntObject>())
        return *big->value;
    return BigInt(integer.isBool() ? int64_t(integer.data().toBool()) : integer.data().toInt());
}

Value bigIntLiteral(std::string_view text) {
    std::string digits;
    std::copy_if(text.begin(), text.end(), std::back_inserter(digits), [](char c) { return c != '_'; });
    int base = 10;
    if (digits.size() > 2 && digits[0] == '0') {
        const char kind = static_cast<char>(digits[1] | 0x20);
        base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
        digits.erase(0, base == 10 ? 0 : 2);
    }
    std::optional<BigInt> value = BigInt::parse(digits, base);
    if (!value)
        raise("SyntaxError", "invalid number '" + std::string(text) + '\'');
    return makeInteger(std::move(*value));
}

} // namespace fx
