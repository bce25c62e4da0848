// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of files and of errors as people see them: within bounds, whatever a file holds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fx {

/// The most that is shown of a text.
struct ShownLimits {
    size_t line = 4096;    ///< bytes of one line; paths are no longer
    size_t lines = 400;    ///< number of lines
    size_t bytes = 40'000; ///< of all lines
};

/// An error: its first lines say what failed.
inline constexpr ShownLimits kErrorLimits{2000, 40, 20'000};
/// A value, or what a program has printed: long lists are whole.
inline constexpr ShownLimits kOutputLimits{100'000, 50'000, 1'000'000};
/// A label in a picture or a cell of a table that pads its columns.
inline constexpr ShownLimits kLabelLimits{200, 3, 600};

/// Cuts long lines, too many lines and too many bytes; what is left out is named, as in "qqqq... 1.9 MB more"
/// and "... 512 more lines". `text`: UTF-8, no code point of which is divided. A text that was cut within
/// these limits stays as it is.
std::string shownPart(std::string_view text, const ShownLimits& limits = {});

/// oneLine() within limits: a name of a file in a line of a terminal.
std::string shownLine(std::string_view text, const ShownLimits& limits = {});

class Error;
/// What Error::what() says, whole.
std::string wholeText(const Error& error);

/// The message of an error without the listings that LibTorch appends for its developers: registered kernels,
/// overloads that do not match, and C++ stack frames.
std::string briefFault(std::string_view message);

} // namespace fx
