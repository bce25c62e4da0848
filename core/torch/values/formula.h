// SPDX-License-Identifier: GPL-3.0-or-later
// A whole number as a formula of symbols: a sum of products, where a factor is a symbol or what is no
// polynomial, a division that rounds down, a remainder, a minimum or a maximum. Equal polynomials are equal
// text. It is Python, and its order is sympy's. Beside it a formula knows how it was written, as sympy
// multiplies no sums out.
#pragma once

#include "core/ir/meta.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

struct Expression;

class Formula {
public:
    Formula() = default; ///< 0
    static Formula number(int64_t value);
    static Formula symbol(const std::string& name) { return atom(name); }
    /// Rounded down, as Python's //. By a product of symbols it is exact where each summand has them.
    static Formula quotient(const Formula& dividend, const Formula& divisor);
    static Formula remainder(const Formula& dividend, const Formula& divisor);
    static Formula least(const Formula& a, const Formula& b) { return chosen("min", a, b); }
    static Formula most(const Formula& a, const Formula& b) { return chosen("max", a, b); }

    Formula operator+(const Formula& other) const;
    Formula operator-(const Formula& other) const { return *this + other * number(-1); }
    Formula operator*(const Formula& other) const;
    bool operator==(const Formula& other) const { return m_terms == other.m_terms; }

    std::optional<int64_t> constant() const;
    /// The name, where it is one symbol and nothing else.
    std::optional<std::string> symbolName() const;
    /// Whether what is left of it without its number is divided by what that number is not.
    bool isNeverZero() const;
    /// What it is where that symbol is a number; none where there are others.
    std::optional<int64_t> at(const std::string& symbol, int64_t value) const;
    /// The least that it can be, where each symbol is at least 2 and what is no polynomial at least 0;
    /// none where it subtracts what may be large.
    std::optional<int64_t> lowerBound() const;
    /// "2*H + 1", "((H + 1)//2)", "H**2".
    std::string text() const { return text(m_terms, ""); }
    /// As sympy prints it: it puts a quotient within a sum or a product in brackets, "((H//2)) + 1", and
    /// leaves products of sums as they are, "(H + 1)*W".
    std::string sympyText() const { return text(written(), "("); }

private:
    using Factors = std::vector<std::string>; ///< in order
    using Terms = std::map<Factors, int64_t>; ///< with their coefficients, of which none is 0

    static Formula atom(std::string text);
    static Formula chosen(const char* function, const Formula& a, const Formula& b);
    static Formula commonFactor(const Formula& dividend, const Formula& divisor);
    static std::optional<Formula> exactQuotient(const Formula& dividend, const Formula& divisor);
    std::string inside() const;
    /// What begins with `bracketed`, and is not all of it, gets brackets; empty: nothing does.
    static std::string text(const Terms& terms, std::string_view bracketed);

    const Terms& written() const { return m_written.empty() ? m_terms : m_written; }
    /// Takes what is written, if it is another thing than the terms.
    void setWritten(Terms written);
    static Terms sum(Terms a, const Terms& b);
    static Terms product(const Terms& a, const Terms& b);
    /// As one factor, where it is a sum.
    Terms asOneTerm() const;

    Terms m_terms;
    Terms m_written; ///< with sums among the factors; empty where there is none
};

/// a // b of Python.
int64_t floorDivide(int64_t a, int64_t b);

/// What a name in a text stands for.
using FormulaOfName = std::function<Formula(const std::string& name)>;
/// The formula that a text is of, as text() writes it or torch.export does; none for another.
std::optional<Formula> parseFormula(const std::string& text, const FormulaOfName& symbols = Formula::symbol);
/// The number that such a text is where its names are these; none for a text of another kind, another name,
/// or where it has no value.
std::optional<int64_t> evaluateFormula(const std::string& text, const std::map<std::string, int64_t>& names);
std::optional<int64_t> evaluateFormula(const Expression& formula,
                                       const std::map<std::string, int64_t>& names);

/// Calls `visit` for each size and number of a value that is a formula.
void forEachFormula(const ValueMeta& value,
                    const std::function<void(const std::string&, std::optional<int64_t> hint)>& visit);

} // namespace fx
