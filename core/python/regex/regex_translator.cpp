// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/regex/regex_translator.h"

#include "core/python/regex/regex_error.h"
#include "core/python/regex/regex_set.h"

#include <algorithm>

namespace fx {

namespace {

constexpr int kDeepestGroup = 250;
constexpr uint64_t kMostRepeats = 65535; // of PCRE2
constexpr const char* kCallout = "(?C1)";

uint64_t countOf(const std::u32string& digits) {
    uint64_t out = 0;
    for (const char32_t digit : digits)
        out = std::min(out * 10 + (digit - '0'), RegexWidth::kUnlimited);
    if (out == RegexWidth::kUnlimited)
        throw RegexError(RegexFault::Overflow, "the repetition number is too large");
    return out;
}

std::string quantifier(uint64_t least, uint64_t most) {
    if (most == RegexWidth::kUnlimited && least < 2)
        return least == 0 ? "*" : "+";
    if (least == 0 && most == 1)
        return "?";
    if (least > kMostRepeats || (most > kMostRepeats && most != RegexWidth::kUnlimited))
        throw RegexError(RegexFault::Unsupported,
                         "a repetition of more than " + std::to_string(kMostRepeats) + " times");
    std::string out = '{' + std::to_string(least);
    if (most != least)
        out += ',' + (most == RegexWidth::kUnlimited ? "" : std::to_string(most));
    return out + '}';
}

/// The flags as the pattern has them at the end.
int settledFlags(int flags, bool isBytes) {
    const auto has = [&](int flag) { return (flags & flag) != 0; };
    const auto refuse = [](const char* message) { throw RegexError(RegexFault::Value, message); };
    if (isBytes) {
        if (has(kRegexUnicode))
            refuse("cannot use UNICODE flag with a bytes pattern");
        if (has(kRegexLocale) && has(kRegexAscii))
            refuse("ASCII and LOCALE flags are incompatible");
        return flags;
    }
    if (has(kRegexLocale))
        refuse("cannot use LOCALE flag with a str pattern");
    if (has(kRegexAscii) && has(kRegexUnicode))
        refuse("ASCII and UNICODE flags are incompatible");
    return has(kRegexAscii) ? flags : flags | kRegexUnicode;
}

} // namespace

RegexTranslation translateRegex(std::string_view pattern, int flags, bool isBytes) {
    RegexTranslator translator(pattern, flags, isBytes, false);
    RegexTranslation out = translator.translate();
    if (!translator.needsMarks())
        return out;
    out = RegexTranslator(pattern, flags, isBytes, true).translate();
    out.closingOrder.clear();
    return out;
}

RegexTranslation RegexTranslator::translate() {
    RegexTranslation out;
    out.text = kCallout + alternatives(m_flags, 0).text;
    out.flags = settledFlags(m_flags, m_isBytes);
    if (!m_tokens.next().empty())
        m_tokens.fail("unbalanced parenthesis");
    m_groups.checkConditions();
    if (m_hasVaryingLookbehind)
        throw RegexError(RegexFault::Syntax, "look-behind requires fixed-width pattern");
    out.isBytes = m_isBytes;
    out.groups = m_groups.count();
    out.names = m_groups.names();
    out.closingOrder = m_groups.closed();
    return out;
}

RegexTranslator::Part RegexTranslator::alternatives(int flags, int depth) {
    Part out;
    for (bool isFirst = true; isFirst || m_tokens.accept('|'); isFirst = false) {
        if (depth == 0)
            flags = m_flags;
        Part branch = sequence(flags, depth, isFirst);
        if (depth > 0 && !branch.text.ends_with(kCallout))
            branch.text += kCallout;
        out.text += (isFirst ? "" : "|") + branch.text;
        out.width = isFirst ? branch.width : out.width.orElse(branch.width);
        out.captures += branch.captures;
    }
    return out;
}

RegexTranslator::Part RegexTranslator::sequence(int& flags, int depth, bool isFirst) {
    if (depth > kDeepestGroup)
        throw RegexError(RegexFault::TooDeep, "maximum recursion depth exceeded");
    Items items;
    while (!m_tokens.next().empty() && !m_tokens.isNext('|') && !m_tokens.isNext(')')) {
        const Token token = m_tokens.take();
        if (!mode(flags).has(kRegexVerbose) || !skipsBlank(token))
            addItem(items, token, flags, depth, isFirst && depth == 0);
    }
    Part out;
    for (const Item& item : items) {
        out.text += item.text;
        out.width = out.width.then(item.width);
        out.captures += item.captures;
    }
    return out;
}

/// White space, or a comment to the end of the line.
bool RegexTranslator::skipsBlank(Token token) {
    for (bool isComment = token == U"#"; isComment;)
        isComment = !m_tokens.next().empty() && m_tokens.take() != U"\n";
    return token == U"#" || (token.size() == 1 && (token[0] == ' ' || (token[0] >= 9 && token[0] <= 13)));
}

void RegexTranslator::addItem(Items& items, Token token, int& flags, int depth, bool isFirst) {
    const RegexMode here = mode(flags);
    if (token.size() == 2)
        return items.push_back(escape(token, here));
    switch (token[0]) {
    case '[':
        return items.push_back(set(here));
    case '(':
        return addGroup(items, flags, depth, isFirst);
    case '*':
    case '+':
    case '?':
    case '{':
        return addRepeat(items, token[0], here);
    case '.':
        return items.push_back(one(here.has(kRegexDotAll) ? kAnyCharacter : "."));
    case '^':
        return items.push_back(place(here.has(kRegexMultiline) ? "^" : "\\A"));
    case '$':
        return items.push_back(place(here.has(kRegexMultiline) ? "$" : "\\Z"));
    default:
        return items.push_back(one(literalText(token[0], here)));
    }
}

/// `ending`: '?' takes as few as it can, '+' gives nothing back.
std::string RegexTranslator::repeated(const Item& item, uint64_t least, uint64_t most, char ending) {
    if (item.width.most == 0 && least != most) { // once is enough, and PCRE2 sees a fixed width
        if (least > 0)
            return item.text;
        return ending == '?' ? "(?:|" + item.text + ')' : (ending == '+' ? "(?>" : "(?:") + item.text + "|)";
    }
    std::string out = item.text + quantifier(least, most);
    if (ending != ' ')
        out += ending;
    return least != most && !item.countsWork ? out + kCallout : out;
}

void RegexTranslator::addRepeat(Items& items, char32_t sign, RegexMode mode) {
    const size_t after = m_tokens.place();
    uint64_t least = sign == '+' ? 1 : 0, most = sign == '?' ? 1 : RegexWidth::kUnlimited;
    if (sign == '{') {
        const std::u32string low = m_tokens.takeWhile(SIZE_MAX, isRegexDigit);
        const bool hasComma = m_tokens.accept(',');
        const std::u32string high = hasComma ? m_tokens.takeWhile(SIZE_MAX, isRegexDigit) : low;
        if ((low.empty() && !hasComma) || !m_tokens.accept('}')) { // a bracket of the text
            m_tokens.goTo(after);
            return items.push_back(one(literalText('{', mode)));
        }
        if (!low.empty())
            least = countOf(low);
        if (!high.empty())
            most = countOf(high);
        if (most < least)
            m_tokens.fail("min repeat greater than max repeat", m_tokens.place() - after);
    }
    const size_t before = m_tokens.place() - after + 1;
    if (items.empty() || items.back().kind == Item::Place)
        m_tokens.fail("nothing to repeat", before);
    Item& item = items.back();
    if (item.kind == Item::Repeat)
        m_tokens.fail("multiple repeat", before);
    const char ending = m_tokens.accept('?') ? '?' : m_tokens.accept('+') ? '+' : ' ';
    item.text = repeated(item, least, most, ending);
    m_needsMarks |= most > 1 && item.captures > 1;
    item.width = item.width.times(least, most);
    item.kind = Item::Repeat;
}

} // namespace fx
