// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/size_fitter.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace fx {

namespace {

using Found = std::optional<Formula>;

constexpr int64_t kMostDivisor = 64;
/// The same where several times the size are divided: there is nearly always a fraction that fits.
constexpr int64_t kMostOfSeveral = 8;
/// Of the terms that are tried in pairs.
constexpr size_t kMostTerms = 48;

bool holds(const Samples& values, const std::function<int64_t(size_t)>& formula) {
    for (size_t i = 0; i < values.size(); ++i)
        if (formula(i) != values[i])
            return false;
    return true;
}

/// Where the term is least and where it is most.
std::pair<size_t, size_t> ends(const Samples& values) {
    const auto [low, high] = std::ranges::minmax_element(values);
    return {static_cast<size_t>(low - values.begin()), static_cast<size_t>(high - values.begin())};
}

/// a x + b
Found linear(const Samples& v, const Term& x) {
    const auto [low, high] = ends(x.values);
    const int64_t run = x.values[high] - x.values[low], rise = v[high] - v[low];
    if (run == 0 || rise == 0 || rise % run != 0)
        return std::nullopt;
    const int64_t a = rise / run, b = v[low] - a * x.values[low];
    if (!holds(v, [&](size_t i) { return a * x.values[i] + b; }))
        return std::nullopt;
    return x.formula * Formula::number(a) + Formula::number(b);
}

/// (a x + b)//c
Found divided(const Samples& v, const Term& x, int64_t c) {
    const auto [low, high] = ends(x.values);
    const int64_t run = x.values[high] - x.values[low];
    if (run == 0)
        return std::nullopt;
    const double slope = static_cast<double>((v[high] - v[low]) * c) / static_cast<double>(run);
    for (const auto a : {static_cast<int64_t>(std::floor(slope)), static_cast<int64_t>(std::ceil(slope))}) {
        if (a < 1 || std::gcd(a, c) != 1 || (a > 1 && c > kMostOfSeveral))
            continue;
        // What b may be.
        int64_t least = INT64_MIN, most = INT64_MAX;
        for (size_t i = 0; i < v.size(); ++i) {
            least = std::max(least, c * v[i] - a * x.values[i]);
            most = std::min(most, c * (v[i] + 1) - a * x.values[i] - 1);
        }
        const bool isZero = least <= 0 && most >= 0;
        if (least > most || (!isZero && most - least >= std::max<int64_t>(1, c / 2)))
            continue;
        const int64_t b = isZero ? 0 : least > 0 ? least : most;
        return Formula::quotient(x.formula * Formula::number(a) + Formula::number(b), Formula::number(c));
    }
    return std::nullopt;
}

/// The least or the most of x and a number.
Found clamped(const Samples& v, const Term& x) {
    const int64_t most = *std::ranges::max_element(v), least = *std::ranges::min_element(v);
    if (holds(v, [&](size_t i) { return std::min(x.values[i], most); }))
        return Formula::least(x.formula, Formula::number(most));
    if (holds(v, [&](size_t i) { return std::max(x.values[i], least); }))
        return Formula::most(x.formula, Formula::number(least));
    return std::nullopt;
}

/// a x y
Found product(const Samples& v, const Term& x, const Term& y) {
    const int64_t first = x.values[0] * y.values[0];
    if (first == 0 || v[0] % first != 0 ||
        !holds(v, [&, a = v[0] / first](size_t i) { return a * x.values[i] * y.values[i]; }))
        return std::nullopt;
    return x.formula * y.formula * Formula::number(v[0] / first);
}

/// a x / y
Found ratio(const Samples& v, const Term& x, const Term& y) {
    const int64_t all = v[0] * y.values[0], by = std::gcd(all, x.values[0]);
    if (by == 0 || x.values[0] == 0)
        return std::nullopt;
    const int64_t a = all / by, c = x.values[0] / by; // v = a x / (c y)
    for (size_t i = 0; i < v.size(); ++i)
        if (v[i] * y.values[i] * c != a * x.values[i])
            return std::nullopt;
    return Formula::quotient(x.formula * Formula::number(a), y.formula * Formula::number(c));
}

/// x + a y + b, min(x, y), max(x, y)
Found added(const Samples& v, const Term& x, const Term& y) {
    Samples rest(v.size());
    for (size_t i = 0; i < v.size(); ++i)
        rest[i] = v[i] - x.values[i];
    if (const Found other = linear(rest, y))
        return x.formula + *other;
    if (holds(v, [&](size_t i) { return std::min(x.values[i], y.values[i]); }))
        return Formula::least(x.formula, y.formula);
    if (holds(v, [&](size_t i) { return std::max(x.values[i], y.values[i]); }))
        return Formula::most(x.formula, y.formula);
    return std::nullopt;
}

/// (a (x + y) + b)//c and (a (x - y) + b)//c: what a convolution makes of a size and that of its kernel
Found dividedTogether(const Samples& v, const Term& x, const Term& y) {
    for (const int64_t sign : {1, -1}) {
        Term both{x.formula + y.formula * Formula::number(sign), x.values};
        for (size_t i = 0; i < both.values.size(); ++i)
            both.values[i] += sign * y.values[i];
        for (int64_t c = 2; c <= kMostOfSeveral; ++c)
            if (Found found = divided(v, both, c))
                return found;
    }
    return std::nullopt;
}

/// x // y, and one more where a rest is left
Found shared(const Samples& v, const Term& x, const Term& y) {
    if (std::ranges::find(y.values, 0) != y.values.end())
        return std::nullopt;
    if (holds(v, [&](size_t i) { return floorDivide(x.values[i], y.values[i]); }))
        return Formula::quotient(x.formula, y.formula);
    if (holds(v, [&](size_t i) { return -floorDivide(-x.values[i], y.values[i]); }))
        return Formula::quotient(x.formula + y.formula - Formula::number(1), y.formula);
    return std::nullopt;
}

Term times(const Term& a, const Term& b) {
    Term out{a.formula * b.formula, a.values};
    for (size_t i = 0; i < out.values.size(); ++i)
        out.values[i] *= b.values[i];
    return out;
}

Term plus(const Term& a, const Term& b) {
    Term out{a.formula + b.formula, a.values};
    for (size_t i = 0; i < out.values.size(); ++i)
        out.values[i] += b.values[i];
    return out;
}

/// Symbols first, then sizes, then the products of neighbours and the sums of the same size of all inputs.
std::vector<Term> termsOf(const std::vector<Term>& symbols, const std::vector<SizeFitter::Sizes>& inputs) {
    std::vector<Term> out;
    std::set<Samples> known;
    const auto add = [&](const Term& term) {
        const bool isConstant =
            std::ranges::all_of(term.values, [&](int64_t value) { return value == term.values[0]; });
        if (!isConstant && out.size() < kMostTerms && known.insert(term.values).second)
            out.push_back(term);
    };
    for (const Term& symbol : symbols)
        add(symbol);
    for (const auto& sizes : inputs)
        for (const Term& size : sizes)
            add(size);
    for (const auto& sizes : inputs)
        for (size_t first = 0; first < sizes.size(); ++first) {
            Term product = sizes[first];
            for (size_t i = first + 1; i < sizes.size(); ++i)
                add(product = times(product, sizes[i]));
        }
    if (inputs.size() > 1)
        for (size_t at = 0; at < inputs[0].size(); ++at) {
            Term sum = inputs[0][at];
            size_t count = 1;
            for (; count < inputs.size() && inputs[count].size() == inputs[0].size(); ++count)
                sum = plus(sum, inputs[count][at]);
            if (count == inputs.size())
                add(sum);
        }
    return out;
}

} // namespace

SizeFitter::SizeFitter(std::vector<Term> symbols) : m_symbols(std::move(symbols)) {
    for (const Term& symbol : m_symbols) {
        m_known.emplace(symbol.values, symbol.formula);
        m_names.insert(symbol.formula.text());
    }
}

std::optional<Formula> SizeFitter::search(const Samples& values, const std::vector<Sizes>& inputs) const {
    const std::vector<Term> terms = termsOf(m_symbols, inputs);
    for (const Term& x : terms)
        if (Found found = linear(values, x))
            return found;
    for (const Term& x : terms)
        for (const Term& y : terms)
            if (Found found = product(values, x, y))
                return found;
    // By symbols first, as what was divided twice can be divided once.
    for (const bool isSymbol : {true, false})
        for (int64_t c = 2; c <= kMostDivisor; ++c)
            for (size_t i = isSymbol ? 0 : m_symbols.size(); i < (isSymbol ? m_symbols.size() : terms.size());
                 ++i)
                if (Found found = divided(values, isSymbol ? m_symbols[i] : terms[i], c))
                    return found;
    for (const Term& x : terms)
        if (Found found = clamped(values, x))
            return found;
    for (const auto& attempt : {ratio, added, shared, dividedTogether})
        for (const Term& x : terms)
            for (const Term& y : terms)
                if (Found found = &x == &y ? std::nullopt : attempt(values, x, y))
                    return found;
    return std::nullopt;
}

std::optional<Formula> SizeFitter::known(const Samples& values, const std::vector<Sizes>& inputs) {
    if (std::ranges::all_of(values, [&](int64_t value) { return value == values[0]; }))
        return Formula::number(values[0]);
    if (const auto known = m_known.find(values); known != m_known.end())
        return known->second;
    const Found found = search(values, inputs);
    if (found)
        m_known.emplace(values, *found);
    return found;
}

Formula SizeFitter::fit(const Samples& values, const std::vector<Sizes>& inputs) {
    if (const Found found = known(values, inputs))
        return *found;
    const Formula symbol = symbolFor(values);
    m_symbols.push_back({symbol, values}); // later sizes may be made of it
    return symbol;
}

Formula SizeFitter::symbolFor(const Samples& values) {
    if (std::ranges::all_of(values, [&](int64_t value) { return value == values[0]; }))
        return Formula::number(values[0]);
    if (const auto known = m_known.find(values); known != m_known.end())
        return known->second;
    std::string name;
    for (size_t i = m_fresh.size(); name.empty() || m_names.contains(name); ++i)
        name = 'u' + std::to_string(i);
    m_names.insert(name);
    m_fresh.push_back({name, values});
    const Formula symbol = Formula::symbol(name);
    m_known.emplace(values, symbol);
    return symbol;
}

} // namespace fx
