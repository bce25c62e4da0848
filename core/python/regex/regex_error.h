// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a regular expression, in CPython's words where it has some.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace fx {

enum class RegexFault {
    Syntax,      ///< re.error
    Value,       ///< ValueError: flags that exclude each other
    Overflow,    ///< OverflowError: a count beyond what Python takes
    TooDeep,     ///< RecursionError
    Unsupported, ///< Python takes it, this engine does not
    TooLong,     ///< the work of a match is beyond its limit
};

class RegexError : public std::runtime_error {
public:
    RegexError(RegexFault fault, const std::string& message, std::optional<size_t> position = {})
        : std::runtime_error(message), m_fault(fault), m_position(position) {}
    RegexFault fault() const { return m_fault; }
    /// Of a syntax fault, where Python names one: a code point of the pattern.
    std::optional<size_t> position() const { return m_position; }

private:
    RegexFault m_fault;
    std::optional<size_t> m_position;
};

} // namespace fx
