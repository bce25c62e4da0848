// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the formula of a size from what it was in several runs. No operator has a rule: the formula is looked
// for in the sizes that went into the node, as a x + b, (a x + b)//c, products, quotients, sums and minima.
#pragma once

#include "core/torch/values/formula.h"

#include <map>
#include <set>

namespace fx {

/// A number in each of the runs.
using Samples = std::vector<int64_t>;

struct Term {
    Formula formula;
    Samples values;
};

/// A number that no formula was found for: it depends on data.
struct FreshSymbol {
    std::string name;
    Samples values;
};

class SizeFitter {
public:
    /// The symbols of the inputs.
    explicit SizeFitter(std::vector<Term> symbols);

    /// The sizes of one value that went into the node.
    using Sizes = std::vector<Term>;
    Formula fit(const Samples& values, const std::vector<Sizes>& inputs);
    /// None where fit() would make a symbol.
    std::optional<Formula> known(const Samples& values, const std::vector<Sizes>& inputs);

    /// A symbol for what no formula can give, the same for the same values.
    Formula symbolFor(const Samples& values);

    const std::vector<FreshSymbol>& fresh() const { return m_fresh; }

private:
    std::optional<Formula> search(const Samples& values, const std::vector<Sizes>& inputs) const;

    std::vector<Term> m_symbols;
    std::set<std::string> m_names;
    std::map<Samples, Formula> m_known; ///< what was the same in all runs has one formula
    std::vector<FreshSymbol> m_fresh;
};

} // namespace fx
