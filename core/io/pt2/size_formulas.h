// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes that depend on the symbols of the inputs: what they are for given symbols, and which formula gives
// the sizes that were seen.
#pragma once

#include "core/io/opened_model.h"
#include "core/io/pt2/pt2_record.h"
#include "core/python/tree.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// Numbers in the place of symbols.
using SymbolValues = std::map<std::string, int64_t>;

class SizeFormulas {
public:
    /// `record` outlives this, and gains the formulas that are found.
    SizeFormulas(const Model& model, const std::map<std::string, SymbolRange>& ranges, Pt2Record& record);

    /// What sizes are looked at for: the numbers while exporting first, then others; one, if there are no
    /// symbols.
    const std::vector<SymbolValues>& choices() const { return m_choices; }
    /// The formula with these numbers; none where it is of a kind that is not known here.
    std::optional<int64_t> evaluate(const std::string& formula, const SymbolValues& values) const;
    /// The size that is `seen[i]` for the i-th choice: a number, a formula of the file or one near it; none
    /// where nothing fits.
    std::optional<Dimension> fit(const std::vector<int64_t>& seen);
    /// The product of two sizes that fit() or the file gave.
    Dimension product(const Dimension& one, const Dimension& other);

private:
    struct Known {
        std::string text, srepr;
        std::vector<int64_t> values; ///< for each choice
    };
    void addFormula(const std::string& text, const std::string& srepr);
    std::optional<Dimension> found(const std::string& text, const std::string& srepr, int64_t now);
    std::optional<Dimension> linear(const Known& known, const std::vector<int64_t>& seen);
    std::optional<Dimension> divided(const Known& known, const std::vector<int64_t>& seen);
    std::optional<Dimension> multiple(const Known& known, const std::vector<int64_t>& seen);

    Pt2Record& m_record;
    mutable std::map<std::string, std::optional<Expression>> m_parsed; ///< none: no expression
    std::vector<SymbolValues> m_choices;
    std::vector<Known> m_known;
};

} // namespace fx
