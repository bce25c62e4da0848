// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/printed/printed_file.h"

#include "core/base/text.h"
#include "core/ir/names.h"

#include <algorithm>
#include <utility>

namespace fx {

namespace {

constexpr std::string_view kModuleClass = "(torch.nn.Module):";
constexpr size_t kStep = 4; ///< by which a body is indented

bool isDecimal(char c) {
    return c >= '0' && c <= '9';
}

size_t indentOf(std::string_view line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

bool isBlank(std::string_view line) {
    return trim(line).empty();
}

/// Whether a line begins as torch's logs do: "V1124 11:45:08.354000 6865 torch/x.py:12] ".
bool isRecord(std::string_view line) {
    return line.size() > 20 && contains("VDIWEC", line.substr(0, 1)) &&
           std::all_of(line.begin() + 1, line.begin() + 5, isDecimal) && line[5] == ' ' && line[8] == ':' &&
           line[11] == ':';
}

/// Without "[rank0]:", the record's beginning, "[0/0] [__graph_code] ", or the tab before a payload.
std::string_view withoutLog(std::string_view line) {
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    if (line.starts_with("[rank") && line.find("]:") != std::string_view::npos)
        line.remove_prefix(line.find("]:") + 2);
    if (line.starts_with('\t'))
        return line.substr(1);
    if (!isRecord(line))
        return line;
    size_t at = line.find(']');
    while (at != std::string_view::npos) {
        line.remove_prefix(at + 1);
        if (line.starts_with(' '))
            line.remove_prefix(1);
        at = line.starts_with('[') ? line.find(']') : std::string_view::npos;
    }
    return line;
}

/// Without the colours of a terminal.
std::string withoutColours(std::string_view line) {
    std::string out;
    for (size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\x1b' || i + 1 >= line.size() || line[i + 1] != '[') {
            out += line[i];
            continue;
        }
        for (i += 2; i < line.size() && (isDecimal(line[i]) || line[i] == ';');)
            ++i;
    }
    return out;
}

/// "NAME" of a line that ends in "class NAME(torch.nn.Module):", and where "class" stands; empty: none.
std::string_view classIn(std::string_view line, size_t* at = nullptr) {
    if (!line.ends_with(kModuleClass))
        return {};
    line.remove_suffix(kModuleClass.size());
    const size_t space = line.rfind(' ');
    constexpr std::string_view kClass = "class";
    if (space == std::string_view::npos || !line.substr(0, space).ends_with(kClass))
        return {};
    const size_t begin = space - kClass.size();
    if (begin > 0 && line[begin - 1] != ' ')
        return {};
    if (at)
        *at = begin;
    return line.substr(space + 1);
}

/// What stands between `before` and the next of `ends`; empty: it is not there.
std::string_view partAfter(std::string_view text, std::string_view before, std::string_view ends) {
    const size_t at = text.find(before);
    if (at == std::string_view::npos)
        return {};
    text.remove_prefix(at + before.size());
    return text.substr(0, text.find_first_of(ends));
}

} // namespace

PrintedFile::PrintedFile(std::string_view text) {
    m_raw = split(text, '\n');
    for (std::string_view line : m_raw)
        m_lines.push_back(withoutLog(line));
    find();
}

std::string PrintedFile::line(size_t index) const {
    return withoutColours(m_lines[index]);
}

void PrintedFile::find() {
    for (size_t at = 0; at < m_lines.size(); ++at) {
        if (addClass(at) || addFunction(at) || addListing(at))
            at = m_sections.back().end - 1;
        else
            label(at);
    }
}

/// What the lines of a log say of the graph that follows.
void PrintedFile::label(size_t at) {
    const std::string_view line = m_lines[at], title = trim(line);
    if (line.starts_with("{\"") && isRecord(m_raw[at])) {
        m_label = partAfter(line, "{\"", "\"");
        if (const std::string_view name = partAfter(line, "\"name\": \"", "\""); m_label == "artifact")
            m_label = name;
        const std::string_view frame = partAfter(line, "\"frame_id\": ", ",}");
        const std::string_view compiled = partAfter(line, "\"frame_compile_id\": ", ",}");
        m_about = frame.empty() ? "" : "frame " + std::string(frame) + '/' + std::string(compiled);
    } else if (title.size() > 12 && title.starts_with("===== ") && title.ends_with(" =====")) {
        m_label = title.substr(6, title.size() - 12);
    }
}

/// The line after a body that is indented by more than `indent`; what is blank at its end is not of it.
size_t PrintedFile::endOf(size_t first, size_t indent) const {
    size_t end = first;
    for (size_t at = first; at < m_lines.size(); ++at) {
        const std::string line = withoutColours(m_lines[at]);
        if (isBlank(line))
            continue;
        if (indentOf(line) <= indent && !trim(line).starts_with(')'))
            break;
        end = at + 1;
    }
    return end;
}

void PrintedFile::add(PrintedSection section) {
    if (!m_label.empty())
        section.name = std::exchange(m_label, {});
    section.about = std::exchange(m_about, {});
    m_sections.push_back(std::move(section));
}

bool PrintedFile::addClass(size_t at) {
    size_t begin = 0;
    const std::string_view name = classIn(m_lines[at], &begin);
    if (name.empty())
        return false;
    // TORCH_LOGS has a path before it.
    const size_t indent = isBlank(m_lines[at].substr(0, begin)) ? begin : 0;
    size_t next = at + 1;
    while (next < m_lines.size() && isBlank(m_lines[next]))
        ++next;
    if (next == m_lines.size() || indentOf(m_lines[next]) != indent + kStep ||
        !trim(m_lines[next]).starts_with("def forward("))
        return false;
    add({PrintedSection::Kind::Class, std::string(name), {}, at, endOf(at + 1, indent + kStep - 1), indent});
    return true;
}

bool PrintedFile::addFunction(size_t at) {
    if (!m_lines[at].starts_with("def forward(self"))
        return false;
    add({PrintedSection::Kind::Function, "forward", {}, at, endOf(at + 1, 0), 0});
    return true;
}

bool PrintedFile::addListing(size_t at) {
    if (trim(m_lines[at]) != "graph():")
        return false;
    const size_t indent = indentOf(m_lines[at]);
    size_t end = at + 1;
    while (end < m_lines.size() && indentOf(m_lines[end]) >= indent + kStep && !isBlank(m_lines[end]))
        ++end;
    if (end == at + 1)
        return false;
    add({PrintedSection::Kind::Listing, "graph", {}, at, end, indent});
    return true;
}

std::string PrintedFile::textOf(const PrintedSection& section, std::map<int, std::string>& names) const {
    std::string out(section.first, '\n');
    for (size_t at = section.first; at < section.end; ++at) {
        std::string text = line(at);
        size_t begin = 0;
        const std::string name(classIn(text, &begin));
        if (at == section.first && !name.empty())
            text.erase(0, begin);
        else
            text.erase(0, std::min(section.indent, indentOf(text)));
        if (!name.empty()) {
            names[static_cast<int>(at) + 1] = name;
            if (!isIdentifier(name) || isKeyword(name))
                text = std::string(indentOf(text), ' ') + "class _" + legalName(name) +
                       std::string(kModuleClass);
        }
        out += text + '\n';
    }
    return out;
}

bool PrintedFile::hasMarks() const {
    bool isMarked = false;
    for (std::string_view line : m_lines) {
        const std::string_view text = trim(line);
        if (text.starts_with("def __init__(") || contains(text, "super().__init__("))
            return false;
        isMarked = isMarked || (contains(text, ";  ") && text.ends_with(" = None")) ||
                   text.starts_with("# No stacktrace found for following nodes") ||
                   (text.starts_with("# File: ") && contains(text, ", code: "));
    }
    return isMarked;
}

} // namespace fx
