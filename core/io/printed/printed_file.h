// SPDX-License-Identifier: GPL-3.0-or-later
// Where in a text PyTorch has printed graphs: alone, several one after another, or among the lines of a log
// (TORCH_LOGS, TORCH_TRACE), whose beginnings are left out. What a graph's own lines say is read by
// code_text.h and listing_text.h.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

struct PrintedSection {
    enum class Kind {
        Class,    ///< "class GraphModule(torch.nn.Module):", of print_readable
        Function, ///< "def forward(self, x):", of GraphModule.code
        Listing,  ///< "graph():", of str(graph)
    };
    Kind kind = Kind::Class;
    std::string name;  ///< what the log calls it ("aot_forward_graph"), else the class
    std::string about; ///< "frame 0/0", or empty
    size_t first = 0;  ///< its lines, from 0 ...
    size_t end = 0;    ///< ... and the one after them
    size_t indent = 0; ///< of its first line
};

class PrintedFile {
public:
    /// `text` has to stay.
    explicit PrintedFile(std::string_view text);

    const std::vector<PrintedSection>& sections() const { return m_sections; }
    /// A line without what a log puts before it, and without colours.
    std::string line(size_t index) const;
    /// The lines of the section, not indented, each with its number in the file. A class whose name Python
    /// does not allow ("0", of a Sequential) gets another, and is in `names` by its line, from 1.
    std::string textOf(const PrintedSection& section, std::map<int, std::string>& names) const;
    /// Whether the text has marks that only a printed graph has, and no source that somebody wrote.
    bool hasMarks() const;

private:
    void find();
    bool addClass(size_t at);
    bool addFunction(size_t at);
    bool addListing(size_t at);
    void label(size_t at);
    void add(PrintedSection section);
    size_t endOf(size_t first, size_t indent) const;

    std::vector<std::string_view> m_raw, m_lines; ///< as they are, and without the log's beginnings
    std::vector<PrintedSection> m_sections;
    std::string m_label, m_about; ///< of the graph that comes next in a log
};

} // namespace fx
