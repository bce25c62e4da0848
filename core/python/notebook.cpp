// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/notebook.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>

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

/// `%matplotlib inline`, `!pip install torch`, `?len`, `len?`.
bool isOfIPython(std::string_view line) {
    const std::string_view text = trim(line);
    if (text.empty())
        return false;
    if (text[0] == '%')
        return startsWithName(text.substr(1)) || (text.starts_with("%%") && startsWithName(text.substr(2)));
    const bool isHelp = text.back() == '?' && text.find_first_of("#'\"") == std::string_view::npos;
    return text[0] == '!' || text[0] == '?' || isHelp;
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

} // namespace

bool isSourcePath(std::string_view path) {
    return path.ends_with(".py") || path.ends_with(".ipynb");
}

std::string notebookSource(std::string_view json, const std::string& path) {
    const Json notebook = parsed(json, path);
    const std::string language = languageOf(notebook);
    if (!language.empty() && language != "python" && language != "ipython")
        throw Error(path, "is a notebook for " + language + ", not for Python");
    std::string future, out; // statements about the future begin a source, in whichever cell they stand
    int number = 0;
    for (const Json& cell : notebook["cells"]) {
        const bool isCode = cell.is_object() && cell.value("cell_type", Json()) == "code";
        if (!isCode || !cell.contains("source"))
            continue;
        const std::string text = textOfLines(cell["source"]);
        out += "# %% cell " + std::to_string(++number) + '\n';
        if (!isPython(text))
            continue;
        for (const std::string_view line : split(text, '\n')) {
            const size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
            if (line.starts_with("from __future__ import "))
                future += std::string(line) + '\n';
            else if (isOfIPython(line))
                out += std::string(line.substr(0, indent)) + "pass  # " + std::string(line.substr(indent)) +
                       '\n';
            else
                out += std::string(line) + '\n';
        }
    }
    return future + out;
}

} // namespace fx
