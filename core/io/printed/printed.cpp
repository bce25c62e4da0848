// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/printed/printed.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/printed/code_text.h"
#include "core/io/printed/listing_text.h"
#include "core/io/printed/printed_file.h"
#include "core/io/printed/printed_model.h"

#include <algorithm>
#include <map>

namespace fx {

namespace {

constexpr size_t kLargestText = size_t(512) << 20;
constexpr size_t kListedGraphs = 40; ///< graphs of a file that are told by name

size_t chosenIndex(const std::vector<PrintedSection>& sections, const std::string& path,
                   const std::string& choice) {
    if (choice.empty())
        return 0;
    for (size_t i = 0; i < sections.size(); ++i)
        if (choice == std::to_string(i + 1) || choice == sections[i].name)
            return i;
    throw Error(path, "holds no graph '" + choice + "', but " + plural(sections.size(), "graph"))
        .hint("name one by its number: " + path + ":1");
}

std::string listed(const std::vector<PrintedSection>& sections) {
    std::vector<std::string> out;
    for (size_t i = 0; i < std::min(sections.size(), kListedGraphs); ++i) {
        const PrintedSection& section = sections[i];
        out.push_back(std::to_string(i + 1) + ' ' + section.name +
                      (section.about.empty() ? "" : " (" + section.about + ')') + " in line " +
                      std::to_string(section.first + 1));
    }
    if (sections.size() > kListedGraphs)
        out.emplace_back("...");
    return join(out, ", ");
}

std::string noteOf(const std::vector<PrintedSection>& sections, const std::string& path) {
    return "the file holds " + plural(sections.size(), "graph") + "; " + path +
           ":2 is the second: " + listed(sections);
}

} // namespace

std::string printedGraphsNote(std::string_view text, const std::string& path) {
    const PrintedFile file(text);
    return file.sections().size() > 1 ? noteOf(file.sections(), path) : std::string();
}

bool holdsPrintedGraph(std::string_view text, bool isSource) {
    if (text.empty() || text.size() > kLargestText ||
        contains(text.substr(0, 4096), std::string_view("\0", 1)))
        return false;
    // Looking for lines takes longer than for words.
    if (!contains(text, "def forward(") && !contains(text, "graph():"))
        return false;
    const PrintedFile file(text);
    return !file.sections().empty() && (!isSource || file.hasMarks());
}

OpenedModel readPrintedGraph(std::string_view text, const std::string& path, const std::string& choice,
                             Progress& progress) {
    progress.step(0, "reading " + path);
    const PrintedFile file(text);
    const std::vector<PrintedSection>& sections = file.sections();
    const size_t index = chosenIndex(sections, path, choice);
    if (sections.empty())
        throw Error(path, "holds no printed graph");
    const PrintedSection& section = sections[index];
    std::map<int, std::string> names;
    const std::string content = file.textOf(section, names);
    const bool isListing = section.kind == PrintedSection::Kind::Listing;
    const PrintedGraph graph =
        isListing ? readPrintedListing(content, path) : readPrintedCode(content, path, names);

    OpenedModel out;
    out.model = Model(graph.name);
    Edit edit(out.model, Edit::WithoutHistory());
    PrintedModelMaker maker(edit, progress);
    maker.make(graph);
    edit.finish();
    out.path = path;
    out.format = isListing ? "printed graph (str(graph))" : "printed graph (code)";
    if (sections.size() > 1)
        out.notes.push_back("this is number " + std::to_string(index + 1) + ": " + noteOf(sections, path));
    std::vector<std::string> missing;
    if (maker.weightCount() > 0)
        missing.push_back("values of " + plural(maker.weightCount(), "weight"));
    if (maker.moduleCount() > 0)
        missing.push_back("code of " + plural(maker.moduleCount(), "module"));
    if (!missing.empty())
        out.notes.push_back("the text has no " + join(missing, " and no ") + ": the graph cannot run");
    progress.step(1, "done");
    return out;
}

} // namespace fx
