// SPDX-License-Identifier: GPL-3.0-or-later
// String literals: plain ones become a Constant, f-strings a FormattedText. What stands side by side is
// joined.
#include "core/base/text.h"
#include "core/python/literals.h"
#include "core/python/tree_builder.h"

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

} // namespace

Expression TreeBuilder::string(const SyntaxNode& node) {
    Expression out = make(Kind::FormattedText, node);
    bool isBytes = false, isFormatted = false;
    appendString(node, out, isBytes, isFormatted);
    return joined(std::move(out), isBytes, isFormatted);
}

Expression TreeBuilder::concatenatedString(const SyntaxNode& node) {
    Expression out = make(Kind::FormattedText, node);
    bool isBytes = false, isFormatted = false, isFirst = true;
    for (const SyntaxNode& child : children(node)) {
        bool isBytesPart = false;
        appendString(child, out, isBytesPart, isFormatted);
        if (!isFirst && isBytes != isBytesPart)
            fail(node, "cannot mix bytes and nonbytes literals");
        isBytes = isBytesPart;
        isFirst = false;
    }
    return joined(std::move(out), isBytes, isFormatted);
}

Expression TreeBuilder::joined(Expression parts, bool isBytes, bool isFormatted) {
    if (!m_unknownName.empty()) {
        // Only an error where the text is needed.
        parts.kind = Kind::Unsupported;
        parts.text = "\\N{" + std::exchange(m_unknownName, {}) + '}';
        parts.children.clear();
        return parts;
    }
    if (isFormatted) {
        finishTexts(parts);
        return parts;
    }
    Expression out;
    out.begin = parts.begin;
    out.end = parts.end;
    std::string text = parts.children.empty() ? std::string() : std::move(parts.children[0].text);
    out.constant = isBytes ? Value(Object{BytesObject{std::move(text)}}) : makeText(std::move(text));
    return out;
}

void TreeBuilder::appendString(const SyntaxNode& node, Expression& out, bool& isBytes, bool& isFormatted) {
    const Nodes parts = children(node);
    if (parts.size() < 2)
        failSyntax(node);
    const std::string_view start = text(parts.front());
    const std::string_view prefix = start.substr(0, start.find_first_of("'\""));
    const bool isRaw = prefix.find_first_of("rR") != std::string_view::npos;
    const bool isFormat = prefix.find_first_of("fF") != std::string_view::npos;
    isBytes = prefix.find_first_of("bB") != std::string_view::npos;
    isFormatted = isFormatted || isFormat;
    const auto quotes = static_cast<uint32_t>(start.size() - prefix.size());
    // What is no interpolation is text, however tree-sitter cuts it: it takes the text of r"\\" for a part of
    // the end.
    uint32_t at = parts.front().end();
    for (size_t i = 1; i < parts.size(); ++i) {
        if (parts[i].kind() != "interpolation" && i + 1 < parts.size())
            continue;
        const uint32_t stop = i + 1 < parts.size() ? parts[i].begin() : parts[i].end() - quotes;
        if (at < stop)
            appendText(out, at, stop, literalText(at, stop, isRaw, isBytes, isFormat));
        if (parts[i].kind() == "interpolation")
            appendInterpolation(parts[i], out, 1, isRaw);
        at = parts[i].end();
    }
}

std::string TreeBuilder::literalText(uint32_t begin, uint32_t end, bool isRaw, bool isBytes,
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

void TreeBuilder::appendText(Expression& out, uint32_t begin, uint32_t end, const std::string& text) {
    if (text.empty())
        return;
    if (out.children.empty() || out.children.back().kind != Kind::Constant) {
        Expression& part = out.children.emplace_back();
        part.begin = begin;
    }
    Expression& part = out.children.back();
    part.end = end;
    part.text += text;
}

void TreeBuilder::appendInterpolation(const SyntaxNode& node, Expression& out, int depth, bool isRaw) {
    const Nodes parts = children(node);
    Expression value = make(Kind::FormattedValue, node);
    const SyntaxNode* inner = find(parts, "expression");
    if (!inner)
        fail(node, "f-string: empty expression not allowed");
    const SyntaxNode* conversion = find(parts, "type_conversion");
    const SyntaxNode* spec = find(parts, "format_specifier");
    if (conversion) {
        value.text = text(*conversion).substr(1);
        if (value.text != "r" && value.text != "s" && value.text != "a")
            fail(*conversion, "f-string: invalid conversion character: expected 's', 'r', or 'a'");
    }
    for (size_t i = 0; i < parts.size(); ++i)
        if (parts[i].kind() == "=") {
            // "{x = }" shows its own source, blanks included.
            const uint32_t begin = parts[0].end(), end = parts.at(i + 1).begin();
            appendText(out, begin, end, m_file.text.substr(begin, end - begin));
            if (!conversion && !spec)
                value.text = "r";
        }
    if (inner->kind() == "named_expression") {
        // "{x:=5}" is x in the format "=5".
        const Nodes named = children(*inner);
        value.children.push_back(build(require(named, "name")));
        const uint32_t begin = value.children[0].end;
        Expression format = make(Kind::FormattedText, *inner);
        const uint32_t start = static_cast<uint32_t>(m_file.text.find(':', begin)) + 1;
        appendText(format, start, inner->end(), m_file.text.substr(start, inner->end() - start));
        finishTexts(format);
        value.children.push_back(std::move(format));
    } else {
        value.children.push_back(inner->kind() == "expression_list" || inner->kind() == "yield"
                                     ? build(*inner)
                                     : expression(*inner));
    }
    if (spec)
        value.children.push_back(formatSpec(*spec, depth, isRaw));
    out.children.push_back(std::move(value));
}

Expression TreeBuilder::formatSpec(const SyntaxNode& node, int depth, bool isRaw) {
    Expression out = make(Kind::FormattedText, node);
    uint32_t at = node.begin() + 1;
    for (const SyntaxNode& child : children(node)) {
        if (child.kind() != "format_expression")
            continue;
        if (depth >= kDeepestSpec)
            fail(child, "f-string: expressions nested too deeply");
        if (at < child.begin())
            appendText(out, at, child.begin(), literalText(at, child.begin(), isRaw, false, true));
        appendInterpolation(child, out, depth + 1, isRaw);
        at = child.end();
    }
    if (at < node.end())
        appendText(out, at, node.end(), literalText(at, node.end(), isRaw, false, true));
    finishTexts(out);
    return out;
}

} // namespace fx
