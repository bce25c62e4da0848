// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/faults.h"

#include "core/python/fault_lines.h"
#include "core/python/syntax_tree.h"

#include <algorithm>
#include <utility>

namespace fx {

namespace {

/// Lines that are read one by one before "invalid syntax" has to do.
constexpr size_t kMostLines = 20'000;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Follows which statement each `else` and `except` belongs to.
class Structure {
public:
    Structure(const SourceFile& file, const TokenizedSource& source) : m_file(file), m_source(source) {}

    /// Throws where a line cannot stand behind those before it.
    void add(const TokenRange& line) {
        const uint32_t begin = m_source.tokens[line.first].begin;
        const int column = m_file.position(begin).column;
        const std::string_view word = textOf(m_file, m_source.tokens[line.first]);
        if (m_isDecorated && !isOneOf(word, {"@", "def", "class", "async"}))
            failAt(m_file, begin, "invalid syntax");
        m_isDecorated = word == "@";
        while (!m_open.empty() && m_open.back().column > column)
            leave(begin);
        const std::string before =
            m_open.empty() || m_open.back().column < column ? std::string() : m_open.back().word;
        if (!mayFollow(word, before))
            failAt(m_file, begin, "invalid syntax");
        if (before == "try" && !isOneOf(word, {"except", "finally"}))
            failTry(begin);
        // What follows an except is, for its else and finally, still the try.
        const std::string state =
            word == "else" && isOneOf(before, {"except"}) ? "except-else" : std::string(word);
        if (m_open.empty() || m_open.back().column < column)
            m_open.push_back({column, state});
        else
            m_open.back().word = state;
    }

    void finish() {
        while (!m_open.empty())
            leave(static_cast<uint32_t>(m_file.text.size()));
    }

private:
    struct Open {
        int column;
        std::string word;
    };

    static bool mayFollow(std::string_view word, const std::string& before) {
        if (word == "elif")
            return isOneOf(before, {"if", "elif"});
        if (word == "else")
            return isOneOf(before, {"if", "elif", "for", "while", "except", "async"});
        if (word == "except")
            return isOneOf(before, {"try", "except"});
        if (word == "finally")
            return isOneOf(before, {"try", "except", "except-else"});
        return true;
    }

    [[noreturn]] void failTry(uint32_t at) const {
        failAt(m_file, at, "expected 'except' or 'finally' block");
    }

    void leave(uint32_t at) {
        if (m_open.back().word == "try")
            failTry(at);
        m_open.pop_back();
    }

    const SourceFile& m_file;
    const TokenizedSource& m_source;
    std::vector<Open> m_open;
    bool m_isDecorated = false;
};

/// The line as a source of its own: a header gets a block, and what belongs to a statement gets that
/// statement.
std::string standalone(const SourceFile& file, const TokenizedSource& source, const TokenRange& line) {
    const auto word = [&](size_t i) { return textOf(file, source.tokens[i]); };
    const uint32_t begin = source.tokens[line.first].begin, end = source.tokens[line.last - 1].end;
    std::string text = source.masked.substr(begin, end - begin);
    const std::string_view first = word(line.first);
    const bool isHeader = word(line.last - 1) == ":";
    if (isHeader)
        text += " pass";
    if (first == "elif")
        text = "if a: pass\n" + text;
    else if (first == "else")
        text = "if a: pass\n" + text;
    else if (first == "except" || first == "finally")
        text = "try: pass\n" + text;
    else if (first == "case" && isHeader)
        text = "match a:\n  " + text;
    else if (first == "match" && isHeader && text[0] == 'm')
        text = text.substr(0, text.size() - 5) + "\n  case a: pass";
    else if (first == "try" && isHeader)
        text += "\nfinally: pass";
    else if (first == "@")
        text += "\ndef f(): pass";
    return text + '\n';
}

} // namespace

void explainLines(const SourceFile& file, const TokenizedSource& source, uint32_t from) {
    const std::vector<Token>& tokens = source.tokens;
    Structure structure(file, source);
    size_t first = 0, count = 0;
    for (size_t i = 0; i < tokens.size() && count < kMostLines; ++i) {
        if (tokens[i].kind != Token::Kind::Newline)
            continue;
        const TokenRange line{first, i};
        first = i + 1;
        structure.add(line);
        if (tokens[i].end < from)
            continue;
        ++count;
        if (SyntaxTree(standalone(file, source, line)).fault())
            explainLine(file, source, line);
    }
    if (tokens.empty() || file.text.find_first_not_of(" \t\n", tokens.back().end) == std::string::npos)
        structure.finish();
}

void explainFault(const SourceFile& file, const TokenizedSource& source, uint32_t at) {
    // A line that breaks off shows in the line after it.
    const std::vector<Token>& tokens = source.tokens;
    uint32_t from = 0, line = 0;
    for (size_t i = 1; i < tokens.size() && tokens[i].begin <= at; ++i)
        if (tokens[i - 1].kind == Token::Kind::Newline)
            from = std::exchange(line, tokens[i].begin);
    explainLines(file, source, from);
    failAt(file, at, "invalid syntax");
}

} // namespace fx
