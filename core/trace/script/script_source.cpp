// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_source.h"

#include "core/base/text.h"

#include <torch/csrc/jit/frontend/source_range.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <charconv>

namespace fx {

namespace {

/// Walks over text, knowing strings, and brackets from one side.
class BracketScan {
public:
    void step(char c) {
        if (m_quote) {
            if (m_isEscaped)
                m_isEscaped = false;
            else if (c == '\\')
                m_isEscaped = true;
            else if (c == m_quote)
                m_quote = 0;
            return;
        }
        if (c == '"' || c == '\'')
            m_quote = c;
        else if (c == '(' || c == '[' || c == '{')
            ++m_depth;
        else if (c == ')' || c == ']' || c == '}')
            --m_depth;
    }
    int depth() const { return m_depth; }
    bool inString() const { return m_quote != 0; }

private:
    int m_depth = 0;
    char m_quote = 0;
    bool m_isEscaped = false;
};

/// Where the bracket that opens at `open` is closed, and one further.
size_t closingBracket(std::string_view text, size_t open) {
    BracketScan scan;
    for (size_t i = open; i < text.size(); ++i) {
        scan.step(text[i]);
        if (scan.depth() == 0 && !scan.inString())
            return i + 1;
    }
    return open;
}

/// The ranges of TorchScript leave out the brackets of a call, and for each call that they hold a letter at
/// the end.
size_t wholeCall(std::string_view text, size_t length) {
    BracketScan scan;
    size_t at = 0;
    const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (; at < text.size() && (at < length || scan.depth() > 0 || scan.inString() || isLetter(text[at]));
         ++at)
        scan.step(text[at]);
    if (at < text.size() && text[at] == '(' && scan.depth() == 0)
        return closingBracket(text, at);
    return length;
}

/// "net.py(12): forward".
bool isTracedStack(std::string_view text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const size_t colon = line.find("): ");
    const size_t open = line.substr(0, colon).rfind('(');
    return colon != std::string_view::npos && open != std::string_view::npos && colon > open + 1 &&
           std::all_of(line.begin() + static_cast<ptrdiff_t>(open) + 1,
                       line.begin() + static_cast<ptrdiff_t>(colon),
                       [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

std::string ScriptPlace::name() const {
    return file.empty() ? std::string() : file + ", line " + std::to_string(line);
}

ScriptPlace placeOf(const torch::jit::Node& node) {
    ScriptPlace out;
    try {
        torch::jit::SourceRange range = node.sourceRange();
        if (!range.source())
            return out;
        if (const auto original = range.findSourceRangeThatGenerated())
            range = *original;
        else
            return out; // a place in the archive's own code says nothing to anybody
        const auto& source = range.source();
        const auto where = range.file_line_col();
        if (!source || !where || range.end() > source->size() || range.start() > range.end())
            return out;
        out.file = std::get<0>(*where);
        out.line = static_cast<int>(std::get<1>(*where));
        out.column = static_cast<int>(std::get<2>(*where)) + 1;
        constexpr size_t kLongest = 4000;
        if (range.end() - range.start() > kLongest)
            return out;
        const std::string line = source->get_line(source->lineno_for_offset(range.start())).str();
        out.lineText = trim(line);
        // Of a call the range holds what is called alone; its arguments follow.
        const std::string rest =
            source->text_str()
                .substr(range.start(), std::min(source->size() - range.start(), kLongest))
                .str();
        size_t length = range.end() - range.start();
        length = wholeCall(rest, length);
        out.text = trim(std::string_view(rest).substr(0, length));
        const auto column = std::min(static_cast<size_t>(out.column - 1), line.size());
        out.before = trim(std::string_view(line).substr(0, column));
        const size_t end = std::min(length, rest.size());
        out.after =
            trim(std::string_view(rest).substr(end, std::min(rest.find('\n', end), rest.size()) - end));
        if (isTracedStack(rest)) { // a traced program keeps the stack instead of the source
            out.text.clear();
            out.lineText.clear();
            out.before.clear();
        }
    } catch (const std::exception&) {
        return {};
    }
    return out;
}

size_t WrittenCall::positionalCount() const {
    return static_cast<size_t>(std::count_if(arguments.begin(), arguments.end(),
                                             [](const Argument& a) { return a.keyword.empty(); }));
}

bool WrittenCall::hasStar() const {
    return std::any_of(arguments.begin(), arguments.end(),
                       [](const Argument& a) { return a.text.starts_with('*'); });
}

std::optional<WrittenCall> writtenCall(std::string_view text) {
    text = trim(text);
    if (!text.ends_with(')'))
        return std::nullopt;
    // The bracket that the last one closes.
    BracketScan scan;
    size_t open = std::string_view::npos;
    for (size_t i = 0; i < text.size(); ++i) {
        if (!scan.inString() && text[i] == '(' && scan.depth() == 0)
            open = i;
        scan.step(text[i]);
        if (scan.depth() < 0)
            return std::nullopt;
    }
    if (open == std::string_view::npos || open == 0 || scan.depth() != 0)
        return std::nullopt;
    WrittenCall out;
    out.callee = trim(text.substr(0, open));
    // What is called must be one operand: an operator outside of brackets means that the call is only a part.
    BracketScan operand;
    for (const char c : out.callee) {
        const bool isOutside = operand.depth() == 0 && !operand.inString();
        operand.step(c);
        if (isOutside && std::string_view("+-*/%@<>=&|^~, ").find(c) != std::string_view::npos)
            return std::nullopt;
    }
    const std::string_view inner = text.substr(open + 1, text.size() - open - 2);
    BracketScan at;
    size_t start = 0;
    const auto add = [&](std::string_view part) {
        part = trim(part);
        if (part.empty())
            return;
        WrittenCall::Argument argument;
        const size_t equals = part.find('=');
        if (equals != std::string_view::npos && isIdentifier(trim(part.substr(0, equals))) &&
            part.substr(equals, 2) != "==") {
            argument.keyword = trim(part.substr(0, equals));
            part = trim(part.substr(equals + 1));
        }
        argument.text = part;
        out.arguments.push_back(std::move(argument));
    };
    for (size_t i = 0; i < inner.size(); ++i) {
        if (inner[i] == ',' && at.depth() == 0 && !at.inString()) {
            add(inner.substr(start, i - start));
            start = i + 1;
        } else {
            at.step(inner[i]);
        }
    }
    add(inner.substr(start));
    return out;
}

std::optional<int64_t> writtenInt(std::string_view text) {
    int64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    return fault == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                     : std::nullopt;
}

} // namespace fx
