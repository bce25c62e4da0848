// SPDX-License-Identifier: GPL-3.0-or-later
// What begins with "(": groups, look-arounds, conditions, comments and flags.
#include "core/python/regex/regex_error.h"
#include "core/python/regex/regex_translator.h"
#include "core/python/types/text_units.h"

#include <algorithm>

namespace fx {

namespace {

/// The flag of a letter; 0 for others.
int flagOfLetter(RegexTokens::Token token) {
    static constexpr std::pair<char32_t, int> kFlags[] = {
        {'i', kRegexIgnoreCase}, {'L', kRegexLocale}, {'m', kRegexMultiline}, {'s', kRegexDotAll},
        {'x', kRegexVerbose},    {'a', kRegexAscii},  {'t', kRegexTemplate},  {'u', kRegexUnicode}};
    if (token.size() == 1)
        for (const auto& [letter, flag] : kFlags)
            if (letter == token[0])
                return flag;
    return 0;
}

bool isOneOf(RegexTokens::Token token, std::u32string_view signs) {
    return token.size() == 1 && signs.find(token[0]) != signs.npos;
}

bool isGroupName(std::u32string_view name) {
    const auto isStart = [](char32_t code) { return code == '_' || isAlphaCode(code); };
    return !name.empty() && isStart(name[0]) && std::ranges::all_of(name, [&](char32_t code) {
        return isStart(code) || isDecimalCode(code) || isCombiningCode(code);
    });
}

/// int() of a text, where that is not negative.
std::optional<int> groupNumber(std::u32string_view text) {
    while (!text.empty() && isSpaceCode(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpaceCode(text.back()))
        text.remove_suffix(1);
    if (!text.empty() && text.front() == '+')
        text.remove_prefix(1);
    if (text.empty())
        return std::nullopt;
    constexpr int kMost = 1 << 28;
    int out = 0;
    bool wasDigit = false;
    for (const char32_t code : text) {
        if (isDecimalCode(code))
            out = std::min(out * 10 + static_cast<int>(decimalValue(code)), kMost / 16);
        else if (code != '_' || !wasDigit)
            return std::nullopt;
        wasDigit = code != '_';
    }
    return wasDigit ? std::optional(out) : std::nullopt;
}

} // namespace

RegexTranslator::Token RegexTranslator::need() {
    const Token token = m_tokens.take();
    if (token.empty())
        m_tokens.fail("unexpected end of pattern");
    return token;
}

void RegexTranslator::closeBracket(size_t start) {
    if (!m_tokens.accept(')'))
        m_tokens.fail("missing ), unterminated subpattern", m_tokens.place() - start);
}

void RegexTranslator::checkName(const std::u32string& name) const {
    if (!isGroupName(name))
        m_tokens.fail("bad character in group name " + quotedName(name), name.size() + 1);
}

void RegexTranslator::skipComment(size_t start) {
    do {
        if (m_tokens.next().empty())
            m_tokens.fail("missing ), unterminated comment", m_tokens.place() - start);
    } while (m_tokens.take() != U")");
}

void RegexTranslator::addGroup(Items& items, int& flags, int depth, bool isFirst) {
    const size_t start = m_tokens.place() - 1;
    if (!m_tokens.accept('?'))
        return items.push_back(captured({}, start, flags, depth));
    const Token token = need();
    if (token == U"#")
        return skipComment(start);
    if (token == U"P") {
        if (m_tokens.accept('<')) {
            const std::u32string name = m_tokens.takeUntil('>', "group name");
            checkName(name);
            return items.push_back(captured(name, start, flags, depth));
        }
        if (!m_tokens.accept('=')) {
            const Token kind = need();
            m_tokens.fail("unknown extension ?P" + encodeText(kind), kind.size() + 2);
        }
        const std::u32string name = m_tokens.takeUntil(')', "group name");
        checkName(name);
        return items.push_back(reference(m_groups.find(name, m_tokens), name.size() + 1, mode(flags)));
    }
    if (token == U"(")
        return items.push_back(condition(start, flags, depth));
    if (isOneOf(token, U"=!<"))
        return items.push_back(lookaround(token[0], start, flags, depth));

    int inside = flags;
    std::string opening = "(?:";
    if (token == U">") {
        opening = "(?>";
    } else if (token == U"-" || flagOfLetter(token)) {
        const FlagChange change = flagChange(token);
        if (change.isGlobal) {
            if (!isFirst || !items.empty())
                m_tokens.fail("global flags not at the start of the expression", m_tokens.place() - start);
            m_flags |= change.added;
            flags = m_flags;
            return;
        }
        const bool hasType = (change.added & kRegexTypeFlags) != 0;
        inside = ((hasType ? flags & ~kRegexTypeFlags : flags) | change.added) & ~change.removed;
        if (mode(inside).foldsByPcre() != mode(flags).foldsByPcre())
            opening = mode(inside).foldsByPcre() ? "(?i:" : "(?-i:";
    } else if (token != U":") {
        m_tokens.fail("unknown extension ?" + encodeText(token), token.size() + 1);
    }
    Item out;
    static_cast<Part&>(out) = alternatives(inside, depth + 1);
    closeBracket(start);
    out.text = opening + out.text + ')';
    out.countsWork = true;
    items.push_back(std::move(out));
}

RegexTranslator::Item RegexTranslator::captured(const std::u32string& name, size_t start, int flags,
                                                int depth) {
    const int group = m_groups.open(name, m_tokens);
    Item out;
    static_cast<Part&>(out) = alternatives(flags, depth + 1);
    closeBracket(start);
    m_groups.close(group, out.width);
    out.text =
        m_hasMarks ? "((?:" + out.text + ")(*MARK:" + std::to_string(group) + "))" : '(' + out.text + ')';
    out.captures += 1;
    out.countsWork = true;
    return out;
}

RegexTranslator::Item RegexTranslator::lookaround(char32_t sign, size_t start, int flags, int depth) {
    const bool isBehind = sign == '<';
    if (isBehind) {
        const Token kind = need();
        if (!isOneOf(kind, U"=!"))
            m_tokens.fail("unknown extension ?<" + encodeText(kind), kind.size() + 2);
        sign = kind[0];
    }
    const bool isOutermost = isBehind && m_groups.enterLookbehind();
    const Part inside = alternatives(flags, depth + 1);
    m_groups.leaveLookbehind(isOutermost);
    closeBracket(start);
    m_hasVaryingLookbehind |= isBehind && !inside.width.isFixed();
    Item out;
    // In a group of its own, as PCRE2 would repeat some look-arounds only once.
    out.text = std::string("(?:(?") + (isBehind ? "<" : "") + static_cast<char>(sign) + inside.text + "))";
    out.captures = inside.captures;
    out.countsWork = true;
    return out;
}

RegexTranslator::Item RegexTranslator::condition(size_t start, int flags, int depth) {
    const std::u32string name = m_tokens.takeUntil(')', "group name");
    int group = 0;
    if (isGroupName(name)) {
        group = m_groups.find(name, m_tokens);
    } else {
        const std::optional<int> number = groupNumber(name);
        if (!number)
            m_tokens.fail("bad character in group name " + quotedName(name), name.size() + 1);
        if (*number == 0)
            m_tokens.fail("bad group number", name.size() + 1);
        group = *number;
    }
    m_groups.addCondition(group, m_tokens, m_tokens.place() - name.size() - 1);
    const Part yes = sequence(flags, depth + 1, false);
    Part no;
    const bool hasNo = m_tokens.accept('|');
    if (hasNo) {
        no = sequence(flags, depth + 1, false);
        if (m_tokens.isNext('|'))
            m_tokens.fail("conditional backref with more than two branches");
    }
    closeBracket(start);
    Item out;
    out.text = "(?(" + std::to_string(group) + ')' + yes.text + '|' + no.text + ')';
    out.width = yes.width.orElse(no.width);
    out.captures = yes.captures + no.captures;
    return out;
}

int RegexTranslator::flagNamed(Token token, const char* missing) const {
    if (token.empty())
        m_tokens.fail(missing);
    const int flag = flagOfLetter(token);
    if (flag == 0)
        m_tokens.fail(token.size() == 1 && isAlphaCode(token[0]) ? "unknown flag" : missing, token.size());
    return flag;
}

RegexTranslator::FlagChange RegexTranslator::flagChange(Token token) {
    constexpr int kGlobal = kRegexDebug | kRegexTemplate;
    FlagChange out;
    for (; token != U"-" && token != U":" && token != U")"; token = m_tokens.take()) {
        const int flag = flagNamed(token, "missing -, : or )");
        if (flag == kRegexLocale && !m_isBytes)
            m_tokens.fail("bad inline flags: cannot use 'L' flag with a str pattern");
        if (flag == kRegexUnicode && m_isBytes)
            m_tokens.fail("bad inline flags: cannot use 'u' flag with a bytes pattern");
        out.added |= flag;
        if ((flag & kRegexTypeFlags) && (out.added & kRegexTypeFlags) != flag)
            m_tokens.fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
    }
    out.isGlobal = token == U")";
    if (out.isGlobal)
        return out;
    if (out.added & kGlobal)
        m_tokens.fail("bad inline flags: cannot turn on global flag", 1);
    if (token == U"-") {
        token = m_tokens.take();
        const char* missing = "missing flag";
        do {
            const int flag = flagNamed(token, missing);
            if (flag & kRegexTypeFlags)
                m_tokens.fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
            out.removed |= flag;
            missing = "missing :";
            token = m_tokens.take();
        } while (token != U":");
    }
    if (out.removed & kGlobal)
        m_tokens.fail("bad inline flags: cannot turn off global flag", 1);
    if (out.added & out.removed)
        m_tokens.fail("bad inline flags: flag turned on and off", 1);
    return out;
}

} // namespace fx
