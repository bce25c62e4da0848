// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/mutate_text.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>

namespace fx {

namespace {

constexpr std::array<std::string_view, 92> kWords{
    "(",        ")",      "[",      "]",        "{",        "}",     ",",         ":",       ";",
    ".",        "=",      "==",     ":=",       "*",        "**",    "@",         "->",      "+=",
    "-",        "~",      "...",    "\n",       "\n    ",   "\n\t",  "\\\n",      "#",       "\"",
    "'",        "'''",    "\"\"\"", "f'",       "f\"{",     "rb'",   "{x!r:>{",   "}'",      "\\N{",
    "\\x",      "if",     "elif",   "else",     "else:",    "for",   "in",        "while",   "def",
    "class",    "lambda", "return", "yield",    "await",    "async", "from",      "import",  "global",
    "nonlocal", "try:",   "except", "except*",  "finally:", "with",  "as",        "raise",   "assert",
    "del",      "pass",   "break",  "continue", "match",    "case",  "type",      "print",   "_",
    "not",      "and",    "or",     "is",       "None",     "True",  "__class__", "super()", "__x",
    "x",        "self",   "0x",     "1_",       "1e",       "0777",  "1j",        "é",       "\xE2\x82\xAC",
    "\xFF",     "|"};

/// The bounds of the word, blanks or sign at `at`.
std::pair<size_t, size_t> wordAt(const std::string& text, size_t at) {
    const auto isLetter = [&](size_t i) {
        const char c = text[i];
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    size_t begin = at, end = at + 1;
    while (isLetter(at) && begin > 0 && isLetter(begin - 1))
        --begin;
    while (isLetter(at) && end < text.size() && isLetter(end))
        ++end;
    return {begin, end};
}

} // namespace

void addTextSamples(const std::string& path, std::vector<std::string>& samples) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream content;
    content << in.rdbuf();
    const std::string text = std::move(content).str();
    const std::string separator = path.ends_with(".py") ? "\n# --- " : "----\n";
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find(separator, at), text.size());
        samples.push_back(text.substr(at, end - at));
        at = end + (separator[0] == '\n' ? 1 : separator.size()); // a program keeps its heading
    }
}

std::string TextMutator::next() {
    std::string text = anySample();
    // Most sources are short, that faults may meet.
    if (text.size() > 2000 && below(10) != 0) {
        const size_t start = text.find('\n', below(text.size() - 1000));
        text = start == std::string::npos ? text : text.substr(start + 1, 200 + below(1800));
    }
    for (size_t count = 1 + (below(3) ? 0 : below(6)); count > 0; --count)
        damage(text);
    return text;
}

void TextMutator::damage(std::string& text) {
    if (text.empty())
        text = anySample();
    switch (below(12)) {
    case 0:
        return damageBytes(text);
    case 1:
        return nest(text);
    case 2:
    case 3:
    case 4:
        return damageLines(text);
    default:
        return damageWords(text);
    }
}

void TextMutator::damageBytes(std::string& text) {
    const size_t at = below(text.size());
    switch (below(4)) {
    case 0:
        text.resize(at);
        break;
    case 1:
        text.erase(at, 1 + below(8));
        break;
    case 2:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
    default:
        text[at] = static_cast<char>(below(256));
    }
}

std::string_view TextMutator::anyWord() {
    if (!m_words.empty() && below(2))
        return m_words[below(m_words.size())];
    return kWords[below(kWords.size())];
}

void TextMutator::damageWords(std::string& text) {
    const auto [begin, end] = wordAt(text, below(text.size()));
    const std::string_view word = anyWord();
    switch (below(5)) {
    case 0:
        text.erase(begin, end - begin);
        break;
    case 1:
        text.replace(begin, end - begin, word);
        break;
    case 2:
        text.insert(end, text.substr(begin, end - begin));
        break;
    case 3: {
        const auto [from, to] = wordAt(text, below(text.size()));
        text.replace(begin, end - begin, text.substr(from, to - from));
        break;
    }
    default:
        text.insert(below(2) ? begin : end, ' ' + std::string(word) + ' ');
    }
}

void TextMutator::damageLines(std::string& text) {
    const size_t before = text.rfind('\n', below(text.size()));
    const size_t begin = before == std::string::npos ? 0 : before + 1;
    const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    if (begin >= end)
        return;
    const std::string line = text.substr(begin, end - begin);
    switch (below(5)) {
    case 0:
        text.erase(begin, end - begin);
        break;
    case 1:
        text.insert(begin, line);
        break;
    case 2:
        text.insert(begin, below(4), below(3) ? ' ' : '\t');
        break;
    case 3: {
        const std::string& other = anySample();
        const size_t start = other.rfind('\n', below(other.size()));
        const size_t from = start == std::string::npos ? 0 : start + 1;
        text.insert(begin, other.substr(from, other.find('\n', from) - from + 1));
        break;
    }
    default:
        text.erase(begin,
                   line.find_first_not_of(" \t") == std::string::npos ? 0 : line.find_first_not_of(" \t"));
    }
}

void TextMutator::nest(std::string& text) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kPairs{{{"(", ")"},
                                                                                          {"[", "]"},
                                                                                          {"{", "}"},
                                                                                          {"f(", ")"},
                                                                                          {"f'{", "}'"},
                                                                                          {"lambda: ", ""},
                                                                                          {"-", ""},
                                                                                          {"a.", "b"}}};
    const auto& [open, close] = kPairs[below(kPairs.size())];
    const auto [begin, end] = wordAt(text, below(text.size()));
    const size_t count = 1 + below(below(4) ? 4 : 400);
    std::string before, after;
    for (size_t i = 0; i < count; ++i) {
        before += open;
        after += close;
    }
    text.insert(end, after);
    text.insert(begin, before);
}

} // namespace fx
