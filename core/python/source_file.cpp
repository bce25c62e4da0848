// SPDX-License-Identifier: GPL-3.0-or-later
// Lines and columns of a source, and errors that point into it.
#include "core/python/source_file.h"

#include "core/base/error.h"

#include <algorithm>

namespace fx {

namespace {

/// What is shown of a line: of a very long one only the surroundings of the fault.
constexpr size_t kShown = 200;
/// Places are kept in 32 bits.
constexpr size_t kLargest = 1U << 30;

std::string plainText(std::string text) {
    if (text.starts_with("\xEF\xBB\xBF"))
        text.erase(0, 3);
    if (text.find('\r') == std::string::npos)
        return text;
    std::string out;
    out.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i)
        if (text[i] != '\r')
            out += text[i];
        else if (i + 1 == text.size() || text[i + 1] != '\n')
            out += '\n';
    return out;
}

/// Where a text stops being UTF-8; npos: nowhere.
size_t faultOfUtf8(std::string_view text) {
    const auto follows = [&](size_t at, size_t count) {
        for (size_t i = at; i < at + count; ++i)
            if (i >= text.size() || (text[i] & 0xC0) != 0x80)
                return false;
        return true;
    };
    for (size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const size_t more = byte < 0x80 ? 0 : byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
        if ((byte >= 0x80 && byte < 0xC2) || byte > 0xF4 || !follows(i + 1, more))
            return i;
        const auto next = static_cast<unsigned char>(more > 0 ? text[i + 1] : 0x80);
        if ((byte == 0xE0 && next < 0xA0) || (byte == 0xED && next > 0x9F) || (byte == 0xF0 && next < 0x90) ||
            (byte == 0xF4 && next > 0x8F))
            return i;
        i += more + 1;
    }
    return std::string_view::npos;
}

} // namespace

std::shared_ptr<SourceFile> makeSourceFile(std::string text, std::string path) {
    auto file = std::make_shared<SourceFile>();
    file->path = std::move(path);
    if (text.size() > kLargest)
        throw Error(file->path, "is too large for a source");
    file->text = plainText(std::move(text));
    file->lineStarts.push_back(0);
    for (size_t at = file->text.find('\n'); at != std::string::npos; at = file->text.find('\n', at + 1))
        file->lineStarts.push_back(static_cast<uint32_t>(at + 1));
    file->module = std::make_shared<FunctionTree>();
    file->module->kind = FunctionTree::Kind::Module;
    file->module->name = "<module>";
    file->module->end = static_cast<uint32_t>(file->text.size());
    if (const size_t nul = file->text.find('\0'); nul != std::string::npos)
        failAt(*file, static_cast<uint32_t>(nul), "source code cannot contain null bytes");
    if (const size_t fault = faultOfUtf8(file->text); fault != std::string_view::npos)
        failAt(*file, static_cast<uint32_t>(fault), "the source is not UTF-8 text",
               "save it as UTF-8, or name its encoding in the first line: # -*- coding: latin-1 -*-",
               "SyntaxError");
    return file;
}

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
    if (advice.empty())
        throw std::move(error).kind(kind);
    throw std::move(error).kind(kind).hint(advice);
}

} // namespace fx
