// SPDX-License-Identifier: GPL-3.0-or-later
// Lines and columns of a source, and errors that point into it.
#include "core/base/error.h"
#include "core/python/tree.h"

#include <algorithm>

namespace fx {

namespace {

/// What is shown of a line: of a very long one only the surroundings of the fault.
constexpr size_t kShown = 200;

} // namespace

SourceFile::Position SourceFile::position(uint32_t offset) const {
    const auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
    if (next == lineStarts.begin())
        return {1, static_cast<int>(offset) + 1};
    return {static_cast<int>(next - lineStarts.begin()), static_cast<int>(offset - *std::prev(next)) + 1};
}

std::string_view SourceFile::line(int number) const {
    if (number < 1 || static_cast<size_t>(number) > lineStarts.size())
        return {};
    const size_t begin = lineStarts[static_cast<size_t>(number) - 1];
    return std::string_view(text).substr(begin, text.find('\n', begin) - begin);
}

void failAt(const SourceFile& file, uint32_t begin, const std::string& message, const std::string& advice,
            std::string_view kind) {
    const SourceFile::Position at = file.position(std::min(begin, static_cast<uint32_t>(file.text.size())));
    std::string_view line = file.line(at.line);
    size_t column = std::min(static_cast<size_t>(at.column) - 1, line.size());
    if (line.size() > kShown) {
        const size_t skipped = column > kShown / 2 ? column - kShown / 2 : 0;
        line = line.substr(skipped, kShown);
        column -= skipped;
    }
    // The caret stands below the character: tabs stay tabs, and only the first byte of a character counts.
    std::string pad;
    for (const char c : line.substr(0, column))
        if (c == '\t' || (c & 0xC0) != 0x80)
            pad += c == '\t' ? '\t' : ' ';
    Error error(file.path + ':' + std::to_string(at.line) + ':' + std::to_string(at.column),
                message + "\n    " + std::string(line) + "\n    " + pad + '^');
    std::move(error).kind(kind);
    throw advice.empty() ? std::move(error) : std::move(error).hint(advice);
}

} // namespace fx
