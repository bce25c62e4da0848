// SPDX-License-Identifier: GPL-3.0-or-later
// Lines about the graph: which those are, and which names they leave for the next.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/console/console.h"
#include "core/python/tree.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace fx {

namespace {

constexpr std::array<std::string_view, 13> kStatementWords = {
    "for", "while", "if", "with", "def", "class", "import", "from", "del", "assert", "try", "raise", "pass"};

bool isNameLetter(char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80;
}

/// The names in a line of Python: what stands in strings, or after a dot, is none.
std::vector<std::string> namesInLine(const std::string& text) {
    std::vector<std::string> out;
    for (size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '\'' || c == '"') {
            for (++i; i < text.size() && text[i] != c; ++i)
                i += text[i] == '\\';
            ++i;
        } else if (isNameLetter(c)) {
            const size_t begin = i;
            while (i < text.size() && isNameLetter(text[i]))
                ++i;
            if (begin == 0 || text[begin - 1] != '.')
                out.push_back(text.substr(begin, i - begin));
        } else {
            ++i;
        }
    }
    return out;
}

std::set<std::string> namesBound(const Statement& statement) {
    std::set<std::string> out;
    for (const Expression& target : statement.target)
        out.insert(target.text);
    for (const Statement::ImportName& import : statement.imports)
        for (const Expression& target : import.target)
            out.insert(target.text);
    return out;
}

/// The names that a line gives at its top.
std::set<std::string> namesGivenBy(const std::string& line) {
    std::set<std::string> out;
    try {
        const auto file = parseSource(line + '\n', "console");
        for (const Statement& statement : file->module->body) {
            if (statement.kind == Statement::Kind::Assign) {
                for (size_t i = 0; i + 1 < statement.expressions.size(); ++i)
                    for (const std::string& name : namesInLine(
                             line.substr(statement.expressions[i].begin,
                                         statement.expressions[i].end - statement.expressions[i].begin)))
                        out.insert(name);
            } else if (statement.kind == Statement::Kind::Import ||
                       statement.kind == Statement::Kind::ImportFrom ||
                       statement.kind == Statement::Kind::FunctionDef ||
                       statement.kind == Statement::Kind::ClassDef) {
                out.merge(namesBound(statement));
            }
        }
    } catch (const Error&) { // who runs it says why
    }
    return out;
}

} // namespace

void DebugControl::runProgram(const GraphProgram&) {
    throw Error("", "the graph cannot be changed from here");
}

bool Console::isProgram(const std::string& text) const {
    const std::vector<std::string> names = namesInLine(text);
    if (!names.empty() && std::ranges::find(kStatementWords, names[0]) != kStatementWords.end())
        return true;
    std::set<std::string> known = {"gm", "graph", "nodes", "selection"};
    for (const std::string& line : m_definitions)
        known.merge(namesGivenBy(line));
    const Graph& graph = m_control.model().graph(here().module);
    return std::ranges::any_of(
        names, [&](const std::string& name) { return known.contains(name) && !graph.find(name); });
}

void Console::runProgram(const std::string& text) {
    m_program = text;
    m_isProgramRunning = true;
    try {
        m_control.runProgram({text, m_definitions, here()});
    } catch (...) {
        m_isProgramRunning = false;
        throw;
    }
}

void Console::take(const GraphProgramResult& result) {
    if (const std::string_view text = result.output; !text.empty())
        say(std::string(text.substr(0, text.size() - text.ends_with('\n'))), ConsoleStyle::Result);
    if (!result.fault.empty())
        say((result.hasChanged ? "note: " : "*** ") + result.fault, ConsoleStyle::Fault);
    else if (!result.hasChanged && !namesGivenBy(m_program).empty())
        m_definitions.push_back(m_program);
    m_isProgramRunning = false;
    if (result.isGivenUp)
        m_waiting.clear();
    while (!m_isProgramRunning && !m_waiting.empty()) {
        const std::string line = m_waiting.front();
        m_waiting.pop_front();
        execute(line);
    }
}

void Console::forgetRun() {
    m_level = 0;
    m_listed = {};
}

} // namespace fx
