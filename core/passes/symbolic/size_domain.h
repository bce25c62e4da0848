// SPDX-License-Identifier: GPL-3.0-or-later
// For which numbers of its symbols a model runs: bounds, multiples, and symbols that must be equal. It is
// learned by running: around numbers for which the model runs, one symbol is changed at a time, and then two
// together.
#pragma once

#include "core/passes/symbolic/size_runs.h"

#include <random>
#include <set>

namespace fx {

struct SizeConstraint {
    std::string text; ///< "H % 2 == 0"
    NodeKey node;     ///< that asks for it
};

/// What is known of a symbol beforehand.
struct KnownRange {
    std::optional<int64_t> least, most;
};

class SizeDomain {
public:
    /// Throws an Error if no numbers are found for which the model runs.
    SizeDomain(SizeRuns& runs, const SymbolicInputs& inputs, std::map<std::string, KnownRange> ranges);

    const SizePoint& base() const { return m_base; }
    const std::vector<SizeConstraint>& constraints() const { return m_constraints; }
    /// The symbols that can be chosen, and no other decides.
    std::vector<std::string> freeSymbols() const;
    /// For what a symbol stands that is none of these: a multiple of another and a number.
    struct Tie {
        std::string other; ///< empty: the number alone
        int64_t factor = 0, offset = 0;
    };
    const std::map<std::string, Tie>& ties() const { return m_ties; }
    /// The first of these have numbers beside one another, so that each remainder is met.
    SizePoint draw(size_t index, std::mt19937& random) const;

private:
    struct Values {
        int64_t step = 1, least = 2, most = INT64_MAX;
    };
    class Probes;

    void findBase(const SymbolicInputs& inputs);
    void learn(const std::string& symbol);
    std::string tie(const std::string& symbol, const SizeRun& failed);
    bool holdsTie(const std::string& symbol, const Tie& tie, const SizeRun& failed);
    void pin(const std::string& symbol, const SizeRun& failed);
    void bound(const std::string& symbol, Probes& probes);
    SizePoint pointAt(const std::string& symbol, int64_t value) const;
    void complete(SizePoint& point) const;
    void note(const std::string& text, const SizeRun& failed);

    SizeRuns& m_runs;
    std::vector<std::string> m_symbols; ///< in the order in which they are written
    SizePoint m_base;
    std::map<std::string, Values> m_values;
    std::map<std::string, Tie> m_ties;
    std::set<std::string> m_learned;
    std::vector<SizeConstraint> m_constraints;
};

} // namespace fx
