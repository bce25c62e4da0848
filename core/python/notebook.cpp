// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/notebook.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace fx {

namespace {

using Json = nlohmann::json;

constexpr int kDeepestJson = 100; ///< brackets within each other; outputs may hold any JSON

Json parsed(std::string_view text, const std::string& path) {
    bool isTooDeep = false;
    const auto check = [&](int depth, Json::parse_event_t, Json&) {
        isTooDeep = isTooDeep || depth > kDeepestJson;
        return !isTooDeep;
    };
    Json out = Json::parse(text, check, false);
    if (isTooDeep || !out.is_object() || !out.contains("cells") || !out["cells"].is_array())
        throw Error(path, "is no Jupyter notebook with cells")
            .hint("notebooks of nbformat 4 are read; `jupyter nbconvert --to notebook` writes one");
    return out;
}

/// A text, or the lines that it consists of.
std::string textOfLines(const Json& value) {
    if (value.is_string())
        return value.get<std::string>();
    std::string out;
    if (value.is_array())
        for (const Json& line : value)
            if (line.is_string())
                out += line.get<std::string>();
    return out;
}

/// Empty where the notebook does not say.
std::string languageOf(const Json& notebook) {
    for (const auto& [group, key] :
         {std::pair("language_info", "name"), std::pair("kernelspec", "language")}) {
        const Json::json_pointer place("/metadata/" + std::string(group) + '/' + key);
        if (notebook.contains(place) && notebook[place].is_string())
            return notebook[place].get<std::string>();
    }
    return {};
}

bool startsWithName(std::string_view text) {
    return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_');
}

bool isMagic(std::string_view text) {
    return text.starts_with('%') && startsWithName(text.substr(text.starts_with("%%") ? 2 : 1));
}

/// `%matplotlib inline`, `!pip install torch`, `?len`, `len?`.
bool isOfIPython(std::string_view text) {
    const bool isHelp = text.ends_with('?') && text.find_first_of("#'\"") == std::string_view::npos;
    return isMagic(text) || text.starts_with('!') || text.starts_with('?') || isHelp;
}

/// Returns where the value begins that IPython assigns: `files = !ls`, `x = %timeit -o f()`. npos in Python.
size_t assignedByIPython(std::string_view line) {
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos ||
        line.substr(0, equals).find_first_of("#'\"") != std::string_view::npos)
        return std::string_view::npos;
    const size_t value = line.find_first_not_of(" \t", equals + 1);
    const bool isAssigned =
        value != std::string_view::npos && (line[value] == '!' || isMagic(line.substr(value)));
    return isAssigned ? value : std::string_view::npos;
}

/// Returns Python in the place of a line of IPython: the statement that `%time` runs, else a statement that
/// does nothing, with the line as its comment. Nothing where the line is Python.
std::optional<std::string> withoutIPython(std::string_view line) {
    static constexpr std::string_view kTime = "%time ";
    const size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    const size_t assigned = assignedByIPython(line);
    const size_t command = assigned == std::string_view::npos ? indent : assigned;
    if (line.substr(command).starts_with(kTime))
        if (const std::string_view timed = trim(line.substr(command + kTime.size())); !isOfIPython(timed))
            return std::string(line.substr(0, command)) + std::string(timed);
    if (assigned == std::string_view::npos && !isOfIPython(trim(line)))
        return std::nullopt;
    return std::string(line.substr(0, indent)) + "pass  # " + std::string(line.substr(indent));
}

/// Tokens that the lines read so far have left open, so that the next line is none of IPython's: a text,
/// brackets, a backslash.
class OpenTokens {
public:
    bool any() const { return m_brackets > 0 || !m_quotes.empty() || m_isContinued; }
    void read(std::string_view line);

private:
    int m_brackets = 0;
    std::string m_quotes; ///< that end the text
    bool m_isContinued = false;
};

void OpenTokens::read(std::string_view line) {
    m_isContinued = false;
    for (size_t at = 0; at < line.size(); ++at) {
        const std::string_view rest = line.substr(at);
        if (rest[0] == '\\') {
            m_isContinued = rest.size() == 1;
            ++at;
        } else if (!m_quotes.empty()) {
            if (!rest.starts_with(m_quotes))
                continue;
            at += m_quotes.size() - 1;
            m_quotes.clear();
        } else if (rest[0] == '#') {
            return;
        } else if (rest[0] == '"' || rest[0] == '\'') {
            m_quotes = rest.starts_with(std::string(3, rest[0])) ? rest.substr(0, 3) : rest.substr(0, 1);
            at += m_quotes.size() - 1;
        } else if (std::string_view("([{").find(rest[0]) != std::string_view::npos) {
            ++m_brackets;
        } else if (std::string_view(")]}").find(rest[0]) != std::string_view::npos) {
            m_brackets = std::max(m_brackets - 1, 0);
        }
    }
    if (m_quotes.size() == 1 && !m_isContinued)
        m_quotes.clear(); // a fault, which the parser names
}

/// Whether the cell is Python: one that begins with `%%time` is, and one with `%%bash` is not.
bool isPython(std::string_view cell) {
    static constexpr std::array<std::string_view, 5> kAroundPython = {"time", "timeit", "capture", "prun",
                                                                      "python3"};
    const std::string_view first = trim(cell.substr(0, cell.find('\n')));
    if (!first.starts_with("%%"))
        return true;
    const std::string_view magic = first.substr(2, first.find(' ') - 2);
    return std::ranges::find(kAroundPython, magic) != kAroundPython.end();
}

/// Appends a cell's lines. Statements about the future begin a source, in whichever cell they stand.
void appendPython(const std::string& cell, std::string& future, std::string& out) {
    OpenTokens open;
    bool isFuture = false, isCommand = false;
    for (const std::string_view line : split(cell, '\n')) {
        if (isCommand) {
            out += '#' + std::string(line) + '\n';
            isCommand = line.ends_with('\\');
            continue;
        }
        std::string text(line);
        if (!open.any()) {
            isFuture = line.starts_with("from __future__ import ");
            if (std::optional<std::string> python = withoutIPython(line)) {
                text = *std::move(python);
                isCommand = text.ends_with('\\') && trim(text).starts_with("pass  # ");
            }
        }
        open.read(text);
        (isFuture ? future : out) += text + '\n';
    }
}

} // namespace

bool isSourcePath(std::string_view path) {
    return path.ends_with(".py") || path.ends_with(".ipynb");
}

std::string notebookSource(std::string_view json, const std::string& path) {
    const Json notebook = parsed(json, path);
    const std::string language = languageOf(notebook);
    if (!language.empty() && language != "python" && language != "ipython")
        throw Error(path, "is a notebook for " + language + ", not for Python");
    std::string future, out;
    int number = 0;
    for (const Json& cell : notebook["cells"]) {
        const bool isCode = cell.is_object() && cell.value("cell_type", Json()) == "code";
        if (!isCode || !cell.contains("source"))
            continue;
        const std::string text = textOfLines(cell["source"]);
        out += "# %% cell " + std::to_string(++number) + '\n';
        if (!isPython(text))
            continue;
        appendPython(text, future, out);
    }
    return future + out;
}

} // namespace fx
