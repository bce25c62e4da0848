// SPDX-License-Identifier: GPL-3.0-or-later
// String literals: plain ones become a Constant, f-strings a FormattedText. What stands side by side is
// joined.
#include "core/python/literals.h"
#include "core/python/syntax/expression_parser.h"
#include "core/python/syntax/faults.h"

#include <algorithm>

namespace fx {

namespace {

constexpr int kDeepestSpec = 2; ///< "{a:{b:{c}}}" is refused by Python too

std::string decodedBraces(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        out += text[i];
        if ((text[i] == '{' || text[i] == '}') && i + 1 < text.size() && text[i + 1] == text[i])
            ++i;
    }
    return out;
}

/// Whether "\N" stands at the end of a text, and not a backslash and an N.
bool isNamedEscape(std::string_view text) {
    if (!text.ends_with("\\N"))
        return false;
    text.remove_suffix(1);
    return (text.size() - 1 - text.find_last_not_of('\\')) % 2 == 1;
}

/// Texts grow in `text` while literals are joined; each becomes a constant once.
void finishTexts(Expression& formatted) {
    for (Expression& part : formatted.children)
        if (part.kind == Expression::Kind::Constant)
            part.constant = makeText(std::exchange(part.text, {}));
}

void appendText(Expression& out, uint32_t begin, uint32_t end, const std::string& text) {
    if (text.empty())
        return;
    if (out.children.empty() || out.children.back().kind != Expression::Kind::Constant) {
        Expression& part = out.children.emplace_back();
        part.begin = begin;
    }
    Expression& part = out.children.back();
    part.end = end;
    part.text += text;
}

} // namespace

Expression ExpressionParser::strings() {
    Expression out = make(Kind::FormattedText, here());
    bool isBytes = false, isFormatted = false, isFirst = true;
    for (; is(Token::Kind::String); advance()) {
        const bool wasBytes = isBytes;
        literal(out, isBytes, isFormatted);
        if (!isFirst && isBytes != wasBytes)
            fail(out.begin, "cannot mix bytes and nonbytes literals");
        isFirst = false;
    }
    out.end = lastEnd();
    if (!m_unknownName.empty()) {
        // Only an error where the text is needed.
        out.kind = Kind::Unsupported;
        out.text = "\\N{" + std::exchange(m_unknownName, {}) + '}';
        out.children.clear();
    } else if (isFormatted) {
        finishTexts(out);
    } else {
        std::string text = out.children.empty() ? std::string() : std::move(out.children[0].text);
        out.kind = Kind::Constant;
        out.children.clear();
        out.constant = isBytes ? Value(Object{BytesObject{std::move(text)}}) : makeText(std::move(text));
    }
    return out;
}

void ExpressionParser::literal(Expression& out, bool& isBytes, bool& isFormatted) {
    const Token token = this->token();
    const std::string_view source = word();
    const std::string_view prefix = source.substr(0, source.find_first_of("'\""));
    const bool isRaw = prefix.find_first_of("rR") != std::string_view::npos;
    const bool isFormat = prefix.find_first_of("fF") != std::string_view::npos;
    isBytes = prefix.find_first_of("bB") != std::string_view::npos;
    isFormatted = isFormatted || isFormat;
    const char quote = source[prefix.size()];
    const bool isLong =
        source.size() - prefix.size() >= 6 && source.substr(prefix.size(), 3) == std::string(3, quote);
    const uint32_t quotes = isLong ? 3 : 1;
    uint32_t at = token.begin + static_cast<uint32_t>(prefix.size()) + quotes;
    if (isFormat) {
        m_value = static_cast<size_t>(firstValue(*m_source, token.begin) - m_source->values.begin());
        at = formatted(out, at, token.end - quotes, 1, isRaw);
    }
    if (at < token.end - quotes)
        appendText(out, at, token.end - quotes,
                   literalText(at, token.end - quotes, isRaw, isBytes, isFormat));
}

uint32_t ExpressionParser::formatted(Expression& out, uint32_t at, uint32_t end, int depth, bool isRaw) {
    const std::vector<FormatValue>& values = m_source->values;
    while (m_value < values.size() && values[m_value].begin < end) {
        const FormatValue value = values[m_value++];
        if (at < value.begin)
            appendText(out, at, value.begin, literalText(at, value.begin, isRaw, false, true));
        formattedValue(value, out, depth, isRaw);
        at = value.end;
    }
    return at;
}

std::string ExpressionParser::literalText(uint32_t begin, uint32_t end, bool isRaw, bool isBytes,
                                          bool isFormatted) {
    const std::string_view content = std::string_view(m_file.text).substr(begin, end - begin);
    if (isBytes)
        for (size_t i = 0; i < content.size(); ++i)
            if (content[i] & 0x80)
                fail(begin + static_cast<uint32_t>(i), "bytes can only contain ASCII literal characters");
    // "\N{DASH}" has braces that are none of the f-string's.
    if (isRaw)
        return isFormatted ? decodedBraces(content) : std::string(content);
    std::string out;
    size_t at = 0;
    while (at < content.size()) {
        const size_t brace =
            isFormatted ? std::min(content.find_first_of("{}", at), content.size()) : content.size();
        const bool isNamed = brace < content.size() && isNamedEscape(content.substr(at, brace - at));
        size_t stop = isNamed ? std::min(content.find('}', brace), content.size() - 1) + 1 : brace;
        const Unescaped piece = unescaped(content.substr(at, stop - at), isBytes);
        if (!piece.fault.empty())
            fail(begin + static_cast<uint32_t>(at + piece.at), piece.fault);
        out += piece.text;
        if (!piece.unknownName.empty())
            m_unknownName = piece.unknownName;
        if (!isNamed && brace < content.size()) {
            out += content[brace];
            stop = brace + (content.substr(brace + 1, 1) == content.substr(brace, 1) ? 2 : 1);
        }
        at = stop;
    }
    return out;
}

void ExpressionParser::formattedValue(const FormatValue& value, Expression& out, int depth, bool isRaw) {
    Expression formatted;
    formatted.kind = Kind::FormattedValue;
    formatted.begin = value.begin;
    formatted.end = value.end;
    bool isShown = false;
    Expression expression = formatExpression(value.begin + 1, value.expressionEnd, isShown);
    const std::string_view rest =
        std::string_view(m_file.text).substr(value.expressionEnd, value.end - 1 - value.expressionEnd);
    const size_t colon = std::min(rest.find(':'), rest.size());
    if (rest.starts_with('!')) {
        formatted.text = rest.substr(1, colon - 1);
        if (formatted.text != "r" && formatted.text != "s" && formatted.text != "a")
            fail(value.expressionEnd, "f-string: invalid conversion character: expected 's', 'r', or 'a'");
    }
    if (isShown) {
        // "{x = }" shows its own source, blanks included.
        const uint32_t begin = value.begin + 1;
        appendText(out, begin, value.expressionEnd, m_file.text.substr(begin, value.expressionEnd - begin));
        if (rest.empty())
            formatted.text = "r";
    }
    adopt(formatted, std::move(expression));
    if (colon < rest.size())
        adopt(formatted,
              formatSpec(value.expressionEnd + static_cast<uint32_t>(colon), value.end - 1, depth, isRaw));
    adopt(out, std::move(formatted));
}

Expression ExpressionParser::formatExpression(uint32_t begin, uint32_t end, bool& isShown) {
    TokenizedSource inside = tokenizeExpression(m_file, begin, end);
    std::vector<Token>& tokens = inside.tokens;
    isShown = tokens.size() > 1 && textOf(m_file, tokens[tokens.size() - 2]) == "=";
    if (isShown)
        tokens.erase(tokens.end() - 2);
    const TokenizedSource* outer = m_source;
    const size_t at = m_at, value = m_value;
    enter(inside);
    const std::string prefix = std::exchange(m_prefix, "f-string: ");
    try {
        Expression out = groupContent(here(), "");
        if (!is(Token::Kind::End))
            stumble();
        m_value = value;
        m_prefix = prefix;
        enter(*outer, at);
        return out;
    } catch (const Stumble& stumble) {
        explainStumble(m_file, inside, stumble.token, m_prefix);
    }
}

Expression ExpressionParser::formatSpec(uint32_t begin, uint32_t end, int depth, bool isRaw) {
    Expression out;
    out.kind = Kind::FormattedText;
    out.begin = begin;
    out.end = end;
    if (depth >= kDeepestSpec && m_value < m_source->values.size() && m_source->values[m_value].begin < end)
        fail(m_source->values[m_value].begin, "f-string: expressions nested too deeply");
    const uint32_t at = formatted(out, begin + 1, end, depth + 1, isRaw);
    if (at < end)
        appendText(out, at, end, literalText(at, end, isRaw, false, true));
    finishTexts(out);
    return out;
}

} // namespace fx
