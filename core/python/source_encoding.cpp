// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/source_encoding.h"

#include "core/base/error.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>

namespace fx {

namespace {

struct Declared {
    size_t begin = 0, size = 0; ///< of the name, in bytes of the source
    int line = 1;
};

/// `#.*coding[:=][ \t]*(name)` of a line with nothing before the comment.
std::optional<Declared> declaredIn(std::string_view text, size_t begin, size_t end) {
    const size_t comment = text.find_first_not_of(" \t\f", begin);
    if (comment >= end || text[comment] != '#')
        return std::nullopt;
    constexpr std::string_view kWord = "coding";
    for (size_t at = text.find(kWord, comment); at < end; at = text.find(kWord, at + 1)) {
        size_t next = at + kWord.size();
        if (next >= end || (text[next] != ':' && text[next] != '='))
            continue;
        next = std::min(text.find_first_not_of(" \t", next + 1), end);
        size_t last = next;
        const auto isOfName = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
        };
        while (last < end && isOfName(text[last]))
            ++last;
        if (last > next)
            return Declared{next, last - next};
    }
    return std::nullopt;
}

/// The second line counts where the first one holds no code.
std::optional<Declared> declaredEncoding(std::string_view text) {
    const size_t first = std::min(text.find('\n'), text.size());
    if (std::optional<Declared> found = declaredIn(text, 0, first))
        return found;
    const size_t code = text.find_first_not_of(" \t\f\r", 0);
    if (first == text.size() || (code < first && text[code] != '#'))
        return std::nullopt;
    std::optional<Declared> found =
        declaredIn(text, first + 1, std::min(text.find('\n', first + 1), text.size()));
    if (found)
        found->line = 2;
    return found;
}

/// "ISO_8859-1" and "latin1" are "iso88591" and "latin1".
std::string plainName(std::string_view name) {
    std::string out;
    for (const char c : name)
        if (c != '-' && c != '_' && c != '.')
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

enum class Encoding { Utf8, Ascii, Latin1, Latin9, Windows1252 };

std::optional<Encoding> encodingOf(std::string_view given) {
    static constexpr std::pair<std::string_view, Encoding> kNames[] = {{"utf8", Encoding::Utf8},
                                                                       {"utf8sig", Encoding::Utf8},
                                                                       {"u8", Encoding::Utf8},
                                                                       {"utf8unix", Encoding::Utf8},
                                                                       {"utf8mac", Encoding::Utf8},
                                                                       {"utf8dos", Encoding::Utf8},
                                                                       {"ascii", Encoding::Ascii},
                                                                       {"usascii", Encoding::Ascii},
                                                                       {"646", Encoding::Ascii},
                                                                       {"latin1", Encoding::Latin1},
                                                                       {"latin", Encoding::Latin1},
                                                                       {"iso88591", Encoding::Latin1},
                                                                       {"isolatin1", Encoding::Latin1},
                                                                       {"l1", Encoding::Latin1},
                                                                       {"8859", Encoding::Latin1},
                                                                       {"cp819", Encoding::Latin1},
                                                                       {"latin1unix", Encoding::Latin1},
                                                                       {"iso885915", Encoding::Latin9},
                                                                       {"latin9", Encoding::Latin9},
                                                                       {"l9", Encoding::Latin9},
                                                                       {"cp1252", Encoding::Windows1252},
                                                                       {"windows1252", Encoding::Windows1252},
                                                                       {"1252", Encoding::Windows1252}};
    const auto* found =
        std::ranges::find(kNames, plainName(given), &std::pair<std::string_view, Encoding>::first);
    return found == std::end(kNames) ? std::nullopt : std::optional(found->second);
}

/// The code point of a byte from 0x80 on; none where the encoding has none.
std::optional<char16_t> codePointOf(unsigned char byte, Encoding encoding) {
    // Of 0x80 to 0x9F (unicode.org's CP1252.TXT); 0: none.
    static constexpr char16_t kWindows[32] = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                              0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                              0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                              0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
    // What ISO 8859-15 has in the place of signs of ISO 8859-1.
    static constexpr std::pair<unsigned char, char16_t> kLatin9[] = {
        {0xA4, 0x20AC}, {0xA6, 0x0160}, {0xA8, 0x0161}, {0xB4, 0x017D},
        {0xB8, 0x017E}, {0xBC, 0x0152}, {0xBD, 0x0153}, {0xBE, 0x0178}};
    if (encoding == Encoding::Ascii)
        return std::nullopt;
    if (encoding == Encoding::Windows1252 && byte < 0xA0)
        return kWindows[byte - 0x80] == 0 ? std::nullopt : std::optional(kWindows[byte - 0x80]);
    if (encoding == Encoding::Latin9)
        for (const auto& [from, to] : kLatin9)
            if (from == byte)
                return to;
    return byte;
}

void append(std::string& out, char16_t code) {
    if (code < 0x800) {
        out += static_cast<char>(0xC0 | code >> 6);
    } else {
        out += static_cast<char>(0xE0 | code >> 12);
        out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    }
    out += static_cast<char>(0x80 | (code & 0x3F));
}

Error fault(const std::string& path, int line, const std::string& message) {
    return Error(path + ':' + std::to_string(line) + ":1", message).kind("SyntaxError");
}

} // namespace

std::string decodedSource(std::string bytes, const std::string& path) {
    const bool hasMark = bytes.starts_with("\xEF\xBB\xBF");
    const std::optional<Declared> declared =
        declaredEncoding(std::string_view(bytes).substr(hasMark ? 3 : 0));
    if (!declared)
        return bytes;
    const size_t begin = declared->begin + (hasMark ? 3 : 0);
    const std::string name = bytes.substr(begin, declared->size);
    const std::optional<Encoding> encoding = encodingOf(name);
    if (encoding == Encoding::Utf8)
        return bytes;
    if (hasMark)
        throw fault(path, declared->line, "encoding problem: " + name + " with BOM");
    if (!encoding)
        throw fault(path, declared->line,
                    "the source says that its encoding is '" + name + "', which is not read here")
            .hint("save it as UTF-8");
    std::string out;
    out.reserve(bytes.size());
    int line = 1;
    size_t nameAt = 0;
    for (size_t i = 0; i < bytes.size(); ++i) {
        if (i == begin)
            nameAt = out.size();
        const auto byte = static_cast<unsigned char>(bytes[i]);
        line += byte == '\n';
        if (byte < 0x80) {
            out += bytes[i];
            continue;
        }
        const std::optional<char16_t> code = codePointOf(byte, *encoding);
        if (!code) {
            char hex[8];
            std::snprintf(hex, sizeof hex, "0x%02x", byte);
            throw fault(path, line,
                        "byte " + std::string(hex) + " is no character of the encoding '" + name +
                            "', which the source names");
        }
        append(out, *code);
    }
    return out.replace(nameAt, name.size(), "utf-8");
}

} // namespace fx
