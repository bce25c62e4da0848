// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/symbolic/formula.h"

#include "core/base/text.h"

#include <algorithm>
#include <numeric>

namespace fx {

int64_t floorDivide(int64_t a, int64_t b) {
    const int64_t out = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? out - 1 : out;
}

Formula Formula::number(int64_t value) {
    Formula out;
    if (value != 0)
        out.m_terms[{}] = value;
    return out;
}

Formula Formula::atom(std::string text) {
    Formula out;
    out.m_terms[{std::move(text)}] = 1;
    return out;
}

Formula Formula::operator+(const Formula& other) const {
    Formula out = *this;
    for (const auto& [factors, count] : other.m_terms)
        if ((out.m_terms[factors] += count) == 0)
            out.m_terms.erase(factors);
    return out;
}

Formula Formula::operator*(const Formula& other) const {
    Formula out;
    for (const auto& [left, a] : m_terms)
        for (const auto& [right, b] : other.m_terms) {
            Factors factors;
            std::ranges::merge(left, right, std::back_inserter(factors));
            if ((out.m_terms[factors] += a * b) == 0)
                out.m_terms.erase(factors);
        }
    return out;
}

std::optional<int64_t> Formula::constant() const {
    if (m_terms.empty())
        return 0;
    return m_terms.size() == 1 && m_terms.begin()->first.empty() ? std::optional(m_terms.begin()->second)
                                                                 : std::nullopt;
}

std::optional<Formula> Formula::exactQuotient(const Formula& dividend, const Formula& divisor) {
    if (divisor.m_terms.size() != 1)
        return std::nullopt;
    const auto& [by, count] = *divisor.m_terms.begin();
    Formula out;
    for (const auto& [factors, number] : dividend.m_terms) {
        if (number % count != 0 || !std::ranges::includes(factors, by))
            return std::nullopt;
        Factors left;
        std::ranges::set_difference(factors, by, std::back_inserter(left));
        out.m_terms[left] = number / count;
    }
    return out;
}

/// Of all summands of both, if the divisor is one.
Formula Formula::commonFactor(const Formula& dividend, const Formula& divisor) {
    if (divisor.m_terms.size() != 1)
        return number(1);
    Factors common = divisor.m_terms.begin()->first;
    int64_t count = divisor.m_terms.begin()->second;
    for (const auto& [factors, number] : dividend.m_terms) {
        Factors both;
        std::ranges::set_intersection(common, factors, std::back_inserter(both));
        common = std::move(both);
        count = std::gcd(count, number);
    }
    Formula out;
    out.m_terms[common] = count;
    return out;
}

Formula Formula::quotient(const Formula& dividend, const Formula& divisor) {
    if (const std::optional<Formula> exact = exactQuotient(dividend, divisor))
        return *exact;
    if (dividend == divisor)
        return number(1);
    if (const Formula common = commonFactor(dividend, divisor); !(common == number(1)))
        return quotient(*exactQuotient(dividend, common), *exactQuotient(divisor, common));
    Formula whole, rest = dividend;
    // (2*a + b)//2 is a + b//2.
    if (const std::optional<int64_t> by = divisor.constant())
        for (const auto& [factors, count] : dividend.m_terms)
            if (count % *by == 0) {
                whole.m_terms[factors] = count / *by;
                rest.m_terms.erase(factors);
            }
    if (const std::optional<int64_t> number = rest.constant(), by = divisor.constant(); number && by)
        return whole + Formula::number(floorDivide(*number, *by));
    return whole + atom('(' + rest.inside() + "//" + divisor.inside() + ')');
}

Formula Formula::chosen(const char* function, const Formula& a, const Formula& b) {
    if (a == b)
        return a;
    return atom(function + ('(' + a.text()) + ", " + b.text() + ')');
}

/// As an operand of what binds tighter than a product.
std::string Formula::inside() const {
    const bool isAtom =
        m_terms.empty() ||
        (m_terms.size() == 1 && ((m_terms.begin()->first.size() == 1 && m_terms.begin()->second == 1) ||
                                 (m_terms.begin()->first.empty() && m_terms.begin()->second >= 0)));
    return isAtom ? text() : '(' + text() + ')';
}

std::string Formula::text() const {
    if (m_terms.empty())
        return "0";
    std::vector<std::pair<Factors, int64_t>> terms(m_terms.begin(), m_terms.end());
    // What is added first, long products first, the number last.
    std::ranges::stable_sort(terms, [](const auto& a, const auto& b) {
        const bool isLess = a.second < 0, isOther = b.second < 0;
        return isLess != isOther ? isOther : a.first.size() > b.first.size();
    });
    std::string out;
    for (const auto& [factors, count] : terms) {
        const int64_t size = count < 0 ? -count : count;
        out += out.empty() ? (count < 0 ? "-" : "") : (count < 0 ? " - " : " + ");
        if (factors.empty())
            out += std::to_string(size);
        else
            out += (size == 1 ? "" : std::to_string(size) + '*') + join(factors, "*");
    }
    return out;
}

} // namespace fx
