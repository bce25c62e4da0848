// SPDX-License-Identifier: GPL-3.0-or-later
// The one error type of core: what went wrong, where, and the way out.
// It is thrown anywhere and caught at the borders alone: the command line, the services of the interface.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace fx {

/// What who catches an error decides by. The words are for people alone.
enum class ErrorCode {
    None,
    InOption,     ///< an option of the user's is at fault, and not the file
    NeedsLibrary, ///< an operator is not registered: the library that registers it may be loaded
};

constexpr ErrorCode kLastErrorCode = ErrorCode::NeedsLibrary;

/// what() reads "PLACE: KIND: message; advice", without the parts that are empty.
class Error : public std::exception {
public:
    Error(std::string place, std::string message);

    /// Adds what the user can do about it: `throw Error(place, "no graph").hint("trace it first")`.
    Error&& hint(std::string advice) &&;
    /// Python's class of exception, where it is one of Python's: "TypeError".
    Error&& kind(std::string_view name) &&;
    Error&& code(ErrorCode code) &&;
    /// Puts a wider place before the one that is known: a file before a record, a node before an argument.
    Error& within(std::string_view outer);

    const std::string& place() const { return m_place; }
    const std::string& message() const { return m_message; }
    const std::string& kind() const { return m_kind; }
    const std::string& advice() const { return m_advice; }
    ErrorCode code() const { return m_code; }
    /// Message and advice, for where the place is shown beside them.
    std::string explanation() const;
    const char* what() const noexcept override { return m_text.c_str(); }

private:
    void compose();

    std::string m_place;
    std::string m_message;
    std::string m_kind;
    std::string m_advice;
    std::string m_text;
    ErrorCode m_code = ErrorCode::None;
};

/// Thrown out of long work that its owner has cancelled. Not a fault: nothing is reported.
struct Cancelled {};

} // namespace fx
