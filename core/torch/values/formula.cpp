// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/formula.h"

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

namespace {

/// A factor that is a sum begins with this.
constexpr char kSum = '+';

bool isSum(const std::string& factor) {
    return factor.starts_with(kSum);
}

} // namespace

Formula::Terms Formula::sum(Terms a, const Terms& b) {
    for (const auto& [factors, count] : b)
        if ((a[factors] += count) == 0)
            a.erase(factors);
    return a;
}

Formula::Terms Formula::product(const Terms& a, const Terms& b) {
    Terms out;
    for (const auto& [left, count] : a)
        for (const auto& [right, other] : b) {
            Factors factors;
            std::ranges::merge(left, right, std::back_inserter(factors));
            out = sum(std::move(out), {{std::move(factors), count * other}});
        }
    return out;
}

void Formula::setWritten(Terms written) {
    const bool hasSums =
        std::ranges::any_of(written, [](const auto& term) { return std::ranges::any_of(term.first, isSum); });
    m_written = hasSums && !constant() ? std::move(written) : Terms();
}

Formula::Terms Formula::asOneTerm() const {
    return written().size() == 1 ? written() : Terms{{{kSum + sympyText()}, 1}};
}

Formula Formula::operator+(const Formula& other) const {
    Formula out;
    out.m_terms = sum(m_terms, other.m_terms);
    if (!m_written.empty() || !other.m_written.empty())
        out.setWritten(sum(written(), other.written()));
    return out;
}

Formula Formula::operator*(const Formula& other) const {
    Formula out;
    out.m_terms = product(m_terms, other.m_terms);
    if (constant() || other.constant()) // multiplied out
        out.setWritten(product(written(), other.written()));
    else
        out.setWritten(product(asOneTerm(), other.asOneTerm()));
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

Formula Formula::remainder(const Formula& dividend, const Formula& divisor) {
    const Formula whole = quotient(dividend, divisor), rest = dividend - whole * divisor;
    if (rest.constant())
        return rest;
    return atom("Mod(" + dividend.text() + ", " + divisor.text() + ')');
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

namespace {

bool isName(const std::string& factor) {
    return isIdentifier(factor);
}

/// Symbols by their names, before what is no polynomial; of that what is plain before what is not.
bool comesFirst(const std::string& a, const std::string& b) {
    if (isSum(a) && isSum(b))
        return a < b;
    if (isName(a) != isName(b))
        return isName(a);
    return isName(a) || a.size() == b.size() ? a < b : a.size() < b.size();
}

using Powers = std::vector<std::pair<std::string, size_t>>;

/// "a*b**2": in the order in which they come.
Powers powersOf(std::vector<std::string> factors) {
    std::ranges::stable_sort(factors, comesFirst);
    Powers out;
    for (std::string& factor : factors)
        if (!out.empty() && out.back().first == factor)
            ++out.back().second;
        else
            out.emplace_back(std::move(factor), 1);
    return out;
}

/// Whether a is printed before b: by the power of the first factor in which they differ.
bool isPrintedFirst(const Powers& a, const Powers& b) {
    for (size_t i = 0;; ++i) {
        if (i == a.size() || i == b.size())
            return i < a.size();
        if (a[i].first != b[i].first)
            return comesFirst(a[i].first, b[i].first);
        if (a[i].second != b[i].second)
            return a[i].second > b[i].second;
    }
}

std::string productText(const Powers& powers, std::string_view bracketed) {
    std::vector<std::string> out;
    for (const auto& [factor, power] : powers) {
        const bool hasBrackets = !bracketed.empty() && factor.starts_with(bracketed);
        out.push_back(isSum(factor) ? '(' + factor.substr(1) + ')'
                      : hasBrackets ? '(' + factor + ')'
                                    : factor);
        if (power != 1)
            out.back() += "**" + std::to_string(power);
    }
    return join(out, "*");
}

} // namespace

std::string Formula::text(const Terms& of, std::string_view bracketed) {
    if (of.empty())
        return "0";
    if (const auto& [factors, count] = *of.begin(); of.size() == 1 && factors.size() == 1 && count == 1)
        return factors[0];
    std::vector<std::pair<Powers, int64_t>> terms;
    for (const auto& [factors, count] : of)
        terms.emplace_back(powersOf(factors), count);
    std::ranges::sort(terms, isPrintedFirst, &std::pair<Powers, int64_t>::first);
    if (terms.size() == 2 && terms[1].first.empty() && terms[1].second > 0 && terms[0].second < 0 &&
        terms[0].first.size() == 1)
        std::swap(terms[0], terms[1]); // "1 - a"
    std::string out;
    for (const auto& [powers, count] : terms) {
        const int64_t size = count < 0 ? -count : count;
        out += out.empty() ? (count < 0 ? "-" : "") : (count < 0 ? " - " : " + ");
        if (powers.empty())
            out += std::to_string(size);
        else
            out += (size == 1 ? "" : std::to_string(size) + '*') + productText(powers, bracketed);
    }
    return out;
}

std::optional<std::string> Formula::symbolName() const {
    if (m_terms.size() != 1 || m_terms.begin()->second != 1 || m_terms.begin()->first.size() != 1 ||
        !isName(m_terms.begin()->first[0]))
        return std::nullopt;
    return m_terms.begin()->first[0];
}

bool Formula::isNeverZero() const {
    int64_t common = 0, number = 0;
    for (const auto& [factors, count] : m_terms)
        (factors.empty() ? number : common) = factors.empty() ? count : std::gcd(common, count);
    return common == 0 ? number != 0 : number % common != 0;
}

std::optional<int64_t> Formula::lowerBound() const {
    int64_t out = 0;
    for (const auto& [factors, count] : m_terms) {
        if (count < 0 && !factors.empty())
            return std::nullopt;
        int64_t least = count;
        for (const std::string& factor : factors)
            least *= isName(factor) ? 2 : 0;
        out += least;
    }
    return out;
}

void forEachFormula(const ValueMeta& value,
                    const std::function<void(const std::string&, std::optional<int64_t> hint)>& visit) {
    if (const auto* tensor = std::get_if<TensorMeta>(&value.value)) {
        for (const auto* sizes : {&tensor->shape, &tensor->stride})
            for (const Dimension& size : *sizes)
                if (const auto* formula = std::get_if<SymbolicInt>(&size))
                    visit(formula->formula, formula->hint);
    } else if (const auto* number = std::get_if<SymbolicScalar>(&value.value)) {
        if (number->kind == SymbolicScalar::Kind::Int)
            visit(number->formula, number->hint ? std::optional<int64_t>(*number->hint) : std::nullopt);
    } else if (const auto* items = std::get_if<std::vector<ValueMeta>>(&value.value)) {
        for (const ValueMeta& item : *items)
            forEachFormula(item, visit);
    }
}

} // namespace fx
