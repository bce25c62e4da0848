// SPDX-License-Identifier: GPL-3.0-or-later
// A whole number as a formula of symbols: a sum of products, where a factor is a symbol or what is no
// polynomial, a division that rounds down, a minimum or a maximum. Equal polynomials are equal text, and
// the text is Python.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fx {

class Formula {
public:
    Formula() = default; ///< 0
    static Formula number(int64_t value);
    static Formula symbol(const std::string& name) { return atom(name); }
    /// Rounded down, as Python's //. By a product of symbols it is exact where each summand has them.
    static Formula quotient(const Formula& dividend, const Formula& divisor);
    static Formula least(const Formula& a, const Formula& b) { return chosen("min", a, b); }
    static Formula most(const Formula& a, const Formula& b) { return chosen("max", a, b); }

    Formula operator+(const Formula& other) const;
    Formula operator-(const Formula& other) const { return *this + other * number(-1); }
    Formula operator*(const Formula& other) const;
    bool operator==(const Formula&) const = default;

    std::optional<int64_t> constant() const;
    /// "2*H + 1", "((H + 1)//2)".
    std::string text() const;

private:
    using Factors = std::vector<std::string>; ///< in order

    static Formula atom(std::string text);
    static Formula chosen(const char* function, const Formula& a, const Formula& b);
    static Formula commonFactor(const Formula& dividend, const Formula& divisor);
    static std::optional<Formula> exactQuotient(const Formula& dividend, const Formula& divisor);
    std::string inside() const;

    std::map<Factors, int64_t> m_terms; ///< with their coefficients, of which none is 0
};

/// a // b of Python.
int64_t floorDivide(int64_t a, int64_t b);

} // namespace fx
