// SPDX-License-Identifier: GPL-3.0-or-later
// What has to be taken out of one list of lines, and what put in, to make another of it. Lines that occur
// once in both hold their places (patience diff), as the statements of generated code do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fx {

/// A line of both (' '), of the first alone ('-') or of the second alone ('+').
struct DiffLine {
    char kind;
    size_t a, b; ///< where it is, from 0, or would be
    std::string text;
};

std::vector<DiffLine> diffLines(const std::vector<std::string>& a, const std::vector<std::string>& b);

/// In the form of `diff -u`, without the names of files; empty where nothing differs.
std::string unifiedText(const std::vector<DiffLine>& lines, size_t context = 3);
/// Both beside one another, so many columns each; what is longer is cut. Only lines near a difference.
std::string sideBySideText(const std::vector<DiffLine>& lines, size_t width, size_t context = 3);

} // namespace fx
