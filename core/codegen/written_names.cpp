// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/codegen/written_names.h"

#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/ir/names.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>

namespace fx {

namespace {

/// Letters that begin a name in Python and that its normalisation (NFKC) leaves alone in every neighbourhood;
/// tests/oracle/check_hostile_names.py asks CPython.
constexpr std::pair<char32_t, char32_t> kLetters[] = {
    {0xC0, 0xD6},   {0xD8, 0xF6},   {0xF8, 0x131},    {0x134, 0x13E},   {0x141, 0x148},   {0x14A, 0x17E},
    {0x180, 0x1C3}, {0x1CD, 0x1F0}, {0x1F4, 0x24F},   {0x388, 0x38A},   {0x38E, 0x3A1},   {0x3A3, 0x3CF},
    {0x400, 0x481}, {0x48A, 0x4FF}, {0x3041, 0x3096}, {0x30A1, 0x30FA}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3},
};

bool isLetter(CodePoint point) {
    const char32_t code = point.code;
    if (code < 0x80)
        return std::isalpha(static_cast<int>(code)) || code == '_';
    return point.isValid && std::ranges::any_of(kLetters, [&](const auto& run) {
               return code >= run.first && code <= run.second;
           });
}

} // namespace

bool isWrittenBare(std::string_view name) {
    for (size_t at = 0; at < name.size();) {
        const bool isFirst = at == 0;
        const CodePoint point = takeCodePoint(name, at);
        if (!isLetter(point) && (isFirst || point.code < '0' || point.code > '9'))
            return false;
    }
    return !name.empty() && !isKeyword(name) && name != "__debug__";
}

bool isBarePath(std::string_view path) {
    const std::vector<std::string_view> parts = split(path, '.');
    return std::ranges::all_of(parts, isWrittenBare);
}

std::string doubleQuoted(std::string_view text) {
    std::string out = "\"";
    for (size_t at = 0; at < text.size();) {
        const size_t start = at;
        takeCodePoint(text, at);
        const std::string_view one = text.substr(start, at - start);
        const std::string quoted = pythonRepr(one);
        out += one == "\"" ? "\\\"" : one == "'" ? "'" : quoted.substr(1, quoted.size() - 2);
    }
    return out + '"';
}

void appendPath(std::string& out, size_t start, std::string_view path) {
    for (std::string_view part : split(path, '.')) {
        // torch.fx writes keywords bare, and such code does not compile.
        if (isWrittenBare(part)) {
            out += '.';
            out += part;
        } else {
            out.insert(start, "getattr(");
            out += ", " + doubleQuoted(part) + ')';
        }
    }
}

std::string pathExpression(std::string_view base, std::string_view path) {
    std::string out(base);
    appendPath(out, 0, path);
    return out;
}

std::string attributeExpression(std::string base, std::string_view name) {
    return isWrittenBare(name) ? base + '.' + std::string(name)
                               : "getattr(" + base + ", " + doubleQuoted(name) + ')';
}

std::string torchExpression(std::string_view name) {
    constexpr std::string_view kRoot = "torch";
    return pathExpression(kRoot, name.substr(kRoot.size() + 1));
}

void appendKeyword(std::string& out, std::string_view key, const std::string& value) {
    if (isWrittenBare(key))
        out += std::string(key) + " = " + value;
    else
        out += "**{" + pythonRepr(key) + ": " + value + '}';
}

std::string_view withoutStars(std::string_view parameter) {
    for (int star = 0; star < 2 && parameter.starts_with('*'); ++star)
        parameter.remove_prefix(1);
    return parameter;
}

std::vector<std::string> parameterNames(const std::vector<std::string>& names) {
    std::vector<std::string> out;
    std::unordered_set<std::string> taken;
    for (const std::string& name : names) {
        std::string bare = isWrittenBare(name) ? name : legalName(name) + '_';
        while (!taken.insert(bare).second)
            bare += '_';
        out.push_back(std::move(bare));
    }
    return out;
}

bool isLiteralText(std::string_view text) {
    static constexpr std::string_view kWords[] = {"None", "True", "False", "inf",       "nan", "Ellipsis",
                                                  "j",    "e",    "set",   "frozenset", "b",   "E"};
    if (text.empty() || oneLine(text) != text)
        return false;
    std::string closers;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\'' || c == '"') {
            for (++i; i < text.size() && text[i] != c;)
                i += text[i] == '\\' ? 2 : 1;
            const char next = i + 1 < text.size() ? text[i + 1] : ' ';
            if (i >= text.size() || next == '\'' || next == '"') // three quotes begin another kind of string
                return false;
        } else if (c == '(' || c == '[' || c == '{') {
            closers += c == '(' ? ')' : c == '[' ? ']' : '}';
        } else if (c == ')' || c == ']' || c == '}') {
            if (!closers.ends_with(c))
                return false;
            closers.pop_back();
        } else if (std::isalpha(static_cast<unsigned char>(c))) {
            size_t end = i;
            while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])))
                ++end;
            if (std::ranges::find(kWords, text.substr(i, end - i)) == std::end(kWords))
                return false;
            i = end - 1;
        } else if (!std::isdigit(static_cast<unsigned char>(c)) &&
                   !contains(closers.empty() ? "+-." : "+-., :", text.substr(i, 1))) {
            return false;
        }
    }
    return closers.empty();
}

} // namespace fx
