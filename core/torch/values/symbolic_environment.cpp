// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/torch/values/symbolic_number.h"

#include <algorithm>

namespace fx {

namespace {

/// What each sample is more than the known number, and how many times that number: some operators take only
/// what is divided as the known one is.
constexpr int64_t kSteps[8][8] = {{1, 2, 5, 3, 8, 7, 4, 11}, {3, 1, 4, 9, 2, 11, 6, 5},
                                  {2, 7, 1, 5, 3, 4, 10, 6}, {5, 2, 9, 1, 6, 3, 10, 4},
                                  {4, 10, 3, 7, 1, 9, 5, 2}, {6, 3, 2, 8, 9, 1, 4, 7},
                                  {1, 6, 10, 2, 7, 5, 3, 8}, {9, 4, 6, 10, 3, 2, 8, 1}};
constexpr int64_t kHintOfUnknown = 4;

} // namespace

c10::SymNode SymbolEnvironment::symbol(const std::string& name, std::optional<int64_t> hint) {
    const auto [entry, isNew] = m_symbols.try_emplace(name);
    Symbol& symbol = entry->second;
    if (isNew || (hint && !symbol.hasHint)) {
        const auto& steps = kSteps[(m_symbols.size() - 1) % std::size(kSteps)];
        const int64_t now = std::max<int64_t>(hint.value_or(kHintOfUnknown), 2);
        symbol = {{hint.value_or(now)}, hint.has_value()};
        for (const int64_t step : steps)
            symbol.samples.push_back(now + step);
        for (const int64_t step : steps)
            symbol.samples.push_back(now * (1 + step));
    }
    return number(Formula::symbol(name));
}

c10::SymNode SymbolEnvironment::unknownInt() {
    return symbol('u' + std::to_string(m_unknownInts++), std::nullopt);
}

c10::SymNode SymbolEnvironment::unknownFloat() {
    return SymbolicNumber::ofFloat(shared_from_this(), "zuf" + std::to_string(m_unknownFloats++),
                                   std::nullopt);
}

c10::SymNode SymbolEnvironment::number(const Formula& formula) {
    return SymbolicNumber::ofInt(shared_from_this(), formula);
}

c10::SymNode SymbolEnvironment::number(const std::string& text) {
    bool areKnown = true;
    const std::optional<Formula> formula = parseFormula(text, [&](const std::string& name) {
        areKnown &= m_symbols.contains(name);
        return Formula::symbol(name);
    });
    return formula && areKnown ? number(*formula) : c10::SymNode();
}

std::optional<int64_t> SymbolEnvironment::sample(const Formula& formula, size_t index,
                                                 const std::optional<std::string>& ofSymbol) const {
    std::map<std::string, int64_t> point;
    for (const auto& [name, symbol] : m_symbols)
        point[name] = symbol.samples[!ofSymbol || *ofSymbol == name ? index : 0];
    return evaluateFormula(formula.text(), point);
}

std::vector<int64_t> SymbolEnvironment::samples(const Formula& formula) const {
    if (const std::optional<int64_t> number = formula.constant())
        return std::vector<int64_t>(kSamples, *number);
    std::vector<int64_t> out;
    for (size_t i = 0; i < kSamples; ++i) {
        const std::optional<int64_t> value = sample(formula, i);
        if (!value)
            return {};
        out.push_back(*value);
    }
    return out;
}

bool SymbolEnvironment::hasHint(const Formula& formula) const {
    return parseFormula(formula.text(),
                        [&](const std::string& name) {
                            const auto known = m_symbols.find(name);
                            const bool isKnown = known != m_symbols.end() && known->second.hasHint;
                            return Formula::number(isKnown ? known->second.samples[0] : 0) +
                                   (isKnown ? Formula() : Formula::symbol(name));
                        })
        .value_or(Formula::symbol("x"))
        .constant()
        .has_value();
}

std::vector<std::string> SymbolEnvironment::symbols() const {
    std::vector<std::string> out;
    for (const auto& [name, symbol] : m_symbols)
        if (!m_replaced.contains(name))
            out.push_back(name);
    return out;
}

Formula SymbolEnvironment::current(const Formula& formula) const {
    if (m_replaced.empty())
        return formula;
    Formula out = formula;
    for (size_t i = 0; i <= m_replaced.size();
         ++i) { // what takes the place of one may have been replaced, too
        const auto next = parseFormula(out.sympyText(), [&](const std::string& name) {
            const auto other = m_replaced.find(name);
            return other == m_replaced.end() ? Formula::symbol(name) : other->second;
        });
        if (!next || *next == out)
            break;
        out = *next;
    }
    return out;
}

void SymbolEnvironment::equate(const Formula& left, const Formula& right) {
    const auto replace = [&](const Formula& one, const Formula& other) {
        const std::optional<std::string> name = one.symbolName();
        bool isWithin = false;
        parseFormula(other.text(), [&](const std::string& each) {
            isWithin |= each == name;
            return Formula::symbol(each);
        });
        if (!name || isWithin)
            return false;
        m_replaced[*name] = other;
        const std::vector<int64_t> now = samples(current(other));
        if (now.size() == kSamples)
            m_symbols[*name].samples = now;
        return true;
    };
    const Formula a = current(left), b = current(right);
    if (replace(a, b) || replace(b, a))
        return;
    // a*x + b == c
    for (const std::string& name : symbols()) {
        const Formula difference = a - b, symbol = Formula::symbol(name);
        const std::optional<int64_t> at0 = difference.at(name, 0), at1 = difference.at(name, 1);
        if (at0 && at1 && *at1 != *at0 && -*at0 % (*at1 - *at0) == 0 &&
            difference == symbol * Formula::number(*at1 - *at0) + Formula::number(*at0)) {
            replace(symbol, Formula::number(-*at0 / (*at1 - *at0)));
            return;
        }
    }
}

} // namespace fx
