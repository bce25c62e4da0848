// SPDX-License-Identifier: GPL-3.0-or-later
// Upper and lower case of str, and its questions about classes of characters.
#include "core/python/types/text_methods.h"
#include "core/python/types/text_units.h"

#include <algorithm>

namespace fx {

namespace {

bool isCased(char32_t c) {
    return isUpperCode(c) || isLowerCode(c);
}

void appendUpper(std::u32string& out, char32_t c) {
    if (c == 0xDF) // the one letter in common use whose upper case is two
        out += U"SS";
    else
        out += upperCode(c);
}

void appendLower(std::u32string& out, char32_t c) {
    if (c == 0x130)
        out += U"i\u0307";
    else
        out += lowerCode(c);
}

/// The capital of a word; others small.
void appendTitle(std::u32string& out, char32_t c) {
    if (c == 0xDF)
        out += U"Ss";
    else
        out += upperCode(c);
}

using CaseChange = void (*)(std::u32string& out, const std::u32string& text, size_t at);

void addChange(ClassData& type, const char* name, CaseChange change) {
    addMethod(type, name, 0, 0, [change](Evaluator&, Values& args) {
        const std::u32string text = decodeText(contentOf(args[0], false));
        std::u32string out;
        for (size_t i = 0; i < text.size(); ++i)
            change(out, text, i);
        return makeText(encodeText(out));
    });
}

bool isDigitCode(char32_t c) {
    return isDecimalCode(c) || c == 0xB2 || c == 0xB3 || c == 0xB9 || c == 0x2070 ||
           (c >= 0x2074 && c <= 0x2079) || (c >= 0x2080 && c <= 0x2089) || (c >= 0x2460 && c <= 0x2468);
}

bool isNumericCode(char32_t c) {
    return isDigitCode(c) || (c >= 0xBC && c <= 0xBE) || (c >= 0x2150 && c <= 0x2189) ||
           (c >= 0x2460 && c <= 0x249B) || c == 0x3007 || (c >= 0x3021 && c <= 0x3029) || c == 0x4E00;
}

/// A question that is true where there is text and all of its characters agree.
void addTest(ClassData& type, const char* name, bool (*test)(char32_t), bool ofEmpty = false) {
    addMethod(type, name, 0, 0, [test, ofEmpty](Evaluator&, Values& args) {
        const std::u32string text = decodeText(contentOf(args[0], false));
        return makeBool(text.empty() ? ofEmpty : std::all_of(text.begin(), text.end(), test));
    });
}

bool isTitled(const std::u32string& text) {
    bool isInWord = false, hasCased = false;
    for (const char32_t c : text) {
        if (isUpperCode(c) == isInWord && isCased(c))
            return false;
        isInWord = isCased(c);
        hasCased = hasCased || isInWord;
    }
    return hasCased;
}

} // namespace

void addCaseMethods(ClassData& type) {
    addChange(type, "upper",
              [](std::u32string& out, const std::u32string& text, size_t i) { appendUpper(out, text[i]); });
    addChange(type, "lower",
              [](std::u32string& out, const std::u32string& text, size_t i) { appendLower(out, text[i]); });
    addChange(type, "casefold", [](std::u32string& out, const std::u32string& text, size_t i) {
        if (text[i] == 0xDF || text[i] == 0x1E9E)
            out += U"ss";
        else
            appendLower(out, text[i]);
    });
    addChange(type, "swapcase", [](std::u32string& out, const std::u32string& text, size_t i) {
        isUpperCode(text[i]) ? appendLower(out, text[i]) : appendUpper(out, text[i]);
    });
    addChange(type, "capitalize", [](std::u32string& out, const std::u32string& text, size_t i) {
        i == 0 ? appendTitle(out, text[i]) : appendLower(out, text[i]);
    });
    addChange(type, "title", [](std::u32string& out, const std::u32string& text, size_t i) {
        i > 0 && isCased(text[i - 1]) ? appendLower(out, text[i]) : appendTitle(out, text[i]);
    });
}

void addClassMethods(ClassData& type) {
    addTest(type, "isalpha", isAlphaCode);
    addTest(type, "isdecimal", isDecimalCode);
    addTest(type, "isdigit", isDigitCode);
    addTest(type, "isnumeric", isNumericCode);
    addTest(type, "isspace", isSpaceCode);
    addTest(type, "isalnum", [](char32_t c) { return isAlphaCode(c) || isNumericCode(c); });
    addTest(type, "isprintable", isPrintableCode, true);
    addTest(
        type, "isascii", [](char32_t c) { return c < 0x80; }, true);
    for (const bool isUpper : {true, false})
        addMethod(type, isUpper ? "isupper" : "islower", 0, 0, [isUpper](Evaluator&, Values& args) {
            const std::u32string text = decodeText(contentOf(args[0], false));
            const bool hasCased = std::any_of(text.begin(), text.end(), isCased);
            return makeBool(hasCased &&
                            std::none_of(text.begin(), text.end(), isUpper ? isLowerCode : isUpperCode));
        });
    addMethod(type, "istitle", 0, 0, [](Evaluator&, Values& args) {
        return makeBool(isTitled(decodeText(contentOf(args[0], false))));
    });
    addMethod(type, "isidentifier", 0, 0, [](Evaluator&, Values& args) {
        const std::u32string text = decodeText(contentOf(args[0], false));
        return makeBool(!text.empty() && !isDecimalCode(text[0]) &&
                        std::all_of(text.begin(), text.end(), [](char32_t c) {
                            return c == '_' || isAlphaCode(c) || isDecimalCode(c);
                        }));
    });
}

} // namespace fx
