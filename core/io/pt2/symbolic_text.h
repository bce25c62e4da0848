// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas of sizes that depend on the inputs, from the form in which export writes them (sympy's srepr).
#pragma once

#include <string>
#include <unordered_map>

namespace fx {

/// "2*s77" of "Mul(Integer(2), Symbol('s77', positive=True, integer=True))". What cannot be parsed stays as
/// it is.
class SymbolicText {
public:
    const std::string& formula(const std::string& srepr);

private:
    std::unordered_map<std::string, std::string> m_known; ///< files repeat a few formulas thousands of times
};

} // namespace fx
