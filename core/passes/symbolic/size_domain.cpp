// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/symbolic/size_domain.h"

#include "core/base/error.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace fx {

/// The runs in which one symbol has some numbers and the others are as they were found.
class SizeDomain::Probes {
public:
    Probes(SizeDomain& domain, std::string symbol) : m_domain(domain), m_symbol(std::move(symbol)) {}

    const SizeRun& at(int64_t value) {
        const auto known = m_runs.find(value);
        if (known != m_runs.end())
            return known->second;
        SizeRun run = m_domain.m_runs.run(m_domain.pointAt(m_symbol, value));
        run.values.clear();
        return m_runs.emplace(value, std::move(run)).first->second;
    }
    bool runs(int64_t value) { return !at(value).hasFailed; }
    std::vector<int64_t> passed() const {
        std::vector<int64_t> out;
        for (const auto& [value, run] : m_runs)
            if (!run.hasFailed)
                out.push_back(value);
        return out;
    }
    std::vector<int64_t> failed() const {
        std::vector<int64_t> out;
        for (const auto& [value, run] : m_runs)
            if (run.hasFailed)
                out.push_back(value);
        return out;
    }

private:
    SizeDomain& m_domain;
    std::string m_symbol;
    std::map<int64_t, SizeRun> m_runs;
};

SizeDomain::SizeDomain(SizeRuns& runs, const SymbolicInputs& inputs, std::map<std::string, KnownRange> ranges)
    : m_runs(runs), m_symbols(inputs.symbols) {
    for (const std::string& symbol : inputs.symbols) {
        Values& values = m_values[symbol];
        values.least = std::max<int64_t>(2, ranges[symbol].least.value_or(2));
        values.most = ranges[symbol].most.value_or(INT64_MAX);
    }
    findBase(inputs);
    for (const std::string& symbol : inputs.symbols)
        if (!m_ties.contains(symbol) && !m_learned.contains(symbol))
            learn(symbol);
}

/// Numbers that many models take; all symbols are the same, as they may have to be.
void SizeDomain::findBase(const SymbolicInputs& inputs) {
    SizeRun best;
    for (const int64_t usual : {16, 64, 224, 32, 8, 4, 128, 12, 10, 6, 3, 2, 512}) {
        for (const std::string& symbol : inputs.symbols) {
            const auto hint = inputs.hints.find(symbol);
            m_base[symbol] = std::clamp(hint == inputs.hints.end() ? usual : hint->second,
                                        m_values[symbol].least, m_values[symbol].most);
        }
        SizeRun run = m_runs.run(m_base);
        if (!run.hasFailed)
            return;
        if (best.point.empty() || run.steps > best.steps)
            best = std::move(run);
    }
    std::string tried;
    for (const auto& [symbol, value] : best.point)
        tried += (tried.empty() ? "" : ", ") + symbol + " = " + std::to_string(value);
    throw Error("symbolic shapes", "the model does not run for " + tried + ": " + best.fault)
        .hint("say for which sizes it does: x=[N,3,H=224,W=224]");
}

std::vector<std::string> SizeDomain::freeSymbols() const {
    std::vector<std::string> out;
    std::ranges::copy_if(m_symbols, std::back_inserter(out),
                         [&](const std::string& symbol) { return !m_ties.contains(symbol); });
    return out;
}

void SizeDomain::complete(SizePoint& point) const {
    for (const auto& [symbol, tie] : m_ties)
        point[symbol] = tie.offset + (tie.other.empty() ? 0 : tie.factor * point.at(tie.other));
}

SizePoint SizeDomain::pointAt(const std::string& symbol, int64_t value) const {
    SizePoint out = m_base;
    out[symbol] = value;
    complete(out);
    return out;
}

void SizeDomain::note(const std::string& text, const SizeRun& failed) {
    if (std::ranges::find(m_constraints, text, &SizeConstraint::text) == m_constraints.end())
        m_constraints.push_back({text, failed.failedAt});
}

void SizeDomain::pin(const std::string& symbol, const SizeRun& failed) {
    const int64_t value = m_base.at(symbol);
    note(symbol + " == " + std::to_string(value), failed);
    m_ties[symbol] = {"", 0, value};
}

bool SizeDomain::holdsTie(const std::string& symbol, const Tie& tie, const SizeRun& failed) {
    size_t held = 0;
    const int64_t base = m_base.at(tie.other);
    // Multiples, as one that asks for a multiple may come later.
    for (const int64_t other : {2 * base, 3 * base, 4 * base, base / 2}) {
        SizePoint point = pointAt(tie.other, other);
        point[symbol] = tie.factor * other + tie.offset;
        if (other == base || other < 2 || point[symbol] < 2)
            continue;
        const bool isFurther = m_runs.run(point).passes(failed);
        held += isFurther;
        if (!isFurther && other > base)
            return false;
    }
    return held >= 2;
}

/// The symbol that has to change along, if there is one: of the two the later goes by the other.
std::string SizeDomain::tie(const std::string& symbol, const SizeRun& failed) {
    const int64_t value = m_base.at(symbol);
    for (const std::string& other : freeSymbols()) {
        if (other == symbol)
            continue;
        const int64_t base = m_base.at(other);
        std::vector<std::pair<std::string, Tie>> candidates{{symbol, {other, 1, value - base}},
                                                            {symbol, {other, value / base, 0}},
                                                            {other, {symbol, base / value, 0}}};
        if (std::ranges::find(m_symbols, symbol) < std::ranges::find(m_symbols, other))
            candidates[0] = {other, {symbol, 1, base - value}};
        for (const auto& [tied, by] : candidates) {
            const int64_t there = m_base.at(by.other);
            if (by.factor * there + by.offset != m_base.at(tied) || !holdsTie(tied, by, failed))
                continue;
            std::string text = by.factor == 1 ? by.other : std::to_string(by.factor) + '*' + by.other;
            if (by.offset != 0)
                text += (by.offset < 0 ? " - " : " + ") + std::to_string(std::abs(by.offset));
            note(tied + " == " + text, failed);
            // Those that go by this one go by the other from now on.
            for (auto& [third, its] : m_ties)
                if (its.other == tied)
                    its = {by.other, its.factor * by.factor, its.offset + its.factor * by.offset};
            m_ties[tied] = by;
            return by.other;
        }
    }
    return "";
}

/// Where below and above its numbers end, in steps.
void SizeDomain::bound(const std::string& symbol, Probes& probes) {
    Values& values = m_values.at(symbol);
    const std::vector<int64_t> passed = probes.passed();
    const auto half = [&](int64_t good, int64_t bad) { // ends beside one another
        while (std::abs(good - bad) > values.step) {
            const int64_t middle = good + (bad - good) / values.step / 2 * values.step;
            (probes.runs(middle) ? good : bad) = middle;
        }
        return std::pair(good, bad);
    };
    for (const int64_t value : probes.failed()) {
        if (value % values.step != 0)
            continue;
        if (value < passed.front() && value >= values.least) {
            const auto [good, bad] = half(passed.front(), value);
            values.least = good;
            note(symbol + " >= " + std::to_string(good), probes.at(bad));
            break;
        }
    }
    for (const int64_t value : probes.failed())
        if (value % values.step == 0 && value > passed.back() && value <= values.most) {
            const auto [good, bad] = half(passed.back(), value);
            values.most = good;
            note(symbol + " <= " + std::to_string(good), probes.at(bad));
            break;
        }
}

void SizeDomain::learn(const std::string& symbol) {
    m_learned.insert(symbol);
    Values& values = m_values.at(symbol);
    const int64_t base = m_base.at(symbol);
    Probes probes(*this, symbol);
    std::set<int64_t> tried{2, 3, 4, 5, 6, 7, 8, 9, 11, 16, 25, 4096};
    for (const int64_t more : {0, 1, 2, 3, 4, 8, 16, 32})
        tried.insert({base + more, base - more});
    for (const int64_t times : {2, 3, 4})
        tried.insert({times * base, times * base + 1});
    for (const int64_t value : tried)
        if (value >= values.least && value <= values.most)
            probes.at(value);
    const std::vector<int64_t> failed = probes.failed();
    if (failed.empty())
        return;
    int64_t step = 0;
    for (const int64_t value : probes.passed())
        step = std::gcd(step, value);
    const auto nearest = [&] {
        return *std::ranges::min_element(
            failed, {}, [&](int64_t value) { return std::pair(std::abs(value - base), value); });
    };
    if (probes.passed().size() == 1) {
        const SizeRun first = probes.at(nearest());
        if (const std::string other = tie(symbol, first); !other.empty())
            return learn(other); // with the tied one along
        pin(symbol, first);
        return;
    }
    for (int64_t prime = 2; prime <= step; ++prime)
        while (step % prime == 0 && probes.runs(base + step / prime))
            step /= prime;
    const std::vector<int64_t> passed = probes.passed();
    const bool isIrregular = std::ranges::any_of(failed, [&](int64_t value) {
        return value % step == 0 && value > passed.front() && value < passed.back();
    });
    if (isIrregular)
        return pin(symbol, probes.at(nearest()));
    values.step = step;
    if (step > 1) {
        const auto other = std::ranges::find_if(failed, [&](int64_t value) {
            return value % step != 0 && value > passed.front() && value < passed.back();
        });
        note(symbol + " % " + std::to_string(step) + " == 0",
             probes.at(other == failed.end() ? nearest() : *other));
    }
    bound(symbol, probes);
}

SizePoint SizeDomain::draw(size_t index, std::mt19937& random) const {
    constexpr int64_t kBeside = 8;
    SizePoint out;
    int64_t place = 1;
    for (const auto& [symbol, base] : m_base) {
        const Values& values = m_values.at(symbol);
        const int64_t least = (values.least + values.step - 1) / values.step;
        const int64_t wanted = std::max(base + 16 * values.step, 3 * base) / values.step;
        const int64_t most = std::min(values.most / values.step, std::max(wanted, least + 40));
        // Small numbers as often as large ones. Each symbol goes through its neighbours in another order.
        const int64_t end = random() % 2 == 0 ? std::min(most, least + 24) : most;
        int64_t chosen = least + static_cast<int64_t>(random() % static_cast<uint64_t>(end - least + 1));
        if (index < kBeside)
            chosen = std::clamp(base / values.step + (static_cast<int64_t>(index) * place) % kBeside - 3,
                                least, most);
        out[symbol] = values.step * chosen;
        place += 2;
    }
    complete(out);
    return out;
}

} // namespace fx
