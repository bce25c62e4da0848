// SPDX-License-Identifier: GPL-3.0-or-later
// Ints of any size, by GMP. What fits 64 bits is a plain int everywhere else: `makeInteger` sees to that.
// Python's operators over them are in types/integers.cpp.
#pragma once

#include "core/python/value.h"

#include <gmp.h>
#include <optional>
#include <string>
#include <string_view>

namespace fx {

class BigInt {
public:
    BigInt() { mpz_init(m_value); }
    explicit BigInt(int64_t value) { mpz_init_set_si(m_value, value); }
    BigInt(const BigInt& other) { mpz_init_set(m_value, other.m_value); }
    BigInt(BigInt&& other) noexcept : BigInt() { mpz_swap(m_value, other.m_value); }
    BigInt& operator=(BigInt other) noexcept {
        mpz_swap(m_value, other.m_value);
        return *this;
    }
    ~BigInt() { mpz_clear(m_value); }

    /// The whole part of a finite number.
    static BigInt fromDouble(double value);
    /// Digits of a base from 2 to 36, without sign, prefix or underscores; none for anything else.
    static std::optional<BigInt> parse(const std::string& digits, int base);

    mpz_srcptr get() const { return m_value; }
    mpz_ptr get() { return m_value; }
    int sign() const { return mpz_sgn(m_value); }
    bool isSmall() const { return mpz_fits_slong_p(m_value) != 0; }
    int64_t small() const { return mpz_get_si(m_value); }
    /// Python's bit_length().
    size_t bitLength() const { return sign() == 0 ? 0 : mpz_sizeinbase(m_value, 2); }
    std::string text(int base = 10) const;

private:
    mpz_t m_value;
};

/// a / b, rounded once; throws OverflowError with that message where no float is as large.
double quotient(const BigInt& a, const BigInt& b, const char* overflow);
double toDouble(const BigInt& value);
/// Less than, equal to or greater than 0, exactly; `b` is no NaN.
int compare(const BigInt& a, double b);
/// hash(int): the value modulo 2^61 - 1, as for floats.
size_t hashInteger(const BigInt& value);

/// A plain int where 64 bits suffice.
Value makeInteger(BigInt value);
/// Of an int or bool.
BigInt bigIntOf(const Value& integer);
/// The value of a literal that numberLiteral() has no int for: "0xFFFF_FFFF_FFFF_FFFF_FFFF".
Value bigIntLiteral(std::string_view text);

} // namespace fx
