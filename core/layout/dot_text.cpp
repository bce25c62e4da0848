// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/dot_text.h"

#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/base/unicode.h"

#include <algorithm>
#include <cstdio>

namespace fx {

namespace {

/// A quoted string of DOT, where a backslash begins an escape. Control characters are shown escaped: Graphviz
/// reads to the first NUL, and XML has no place for the others.
std::string quotedText(const std::string& text) {
    const std::string shown = replaceAll(shownLines(text), "\\", "\\\\");
    return '"' + replaceAll(replaceAll(shown, "\"", "\\\""), "\n", "\\n") + '"';
}

/// The same for a label, where Graphviz reads &lt; as <.
std::string quotedLabel(const std::string& text) {
    return quotedText(replaceAll(text, "&", "&amp;"));
}

/// Text inside an HTML-like label.
std::string html(const std::string& text) {
    const std::string line = oneLine(replaceAll(text, "\n", " "));
    const std::string out = replaceAll(replaceAll(replaceAll(line, "&", "&amp;"), "<", "&lt;"), ">", "&gt;");
    return replaceAll(out, "\"", "&quot;");
}

std::string number(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.2f", value);
    return buffer;
}

/// Without the middle of a long text; letters stay whole.
std::string shortened(const std::string& text, size_t most) {
    if (text.size() <= most)
        return text;
    const auto isInside = [&](size_t at) { return at < text.size() && (text[at] & 0xC0) == 0x80; };
    size_t head = most / 2, tail = text.size() - most / 2 + 3;
    while (head > 0 && isInside(head))
        --head;
    while (isInside(tail))
        ++tail;
    return text.substr(0, head) + "..." + text.substr(std::min(tail, text.size()));
}

/// The colours of kinds, as in the window.
const char* kindColor(Opcode opcode) {
    switch (opcode) {
    case Opcode::Placeholder:
        return "#3B82F6";
    case Opcode::GetAttr:
        return "#A78BFA";
    case Opcode::CallModule:
        return "#14A38B";
    case Opcode::CallFunction:
        return "#64748B";
    case Opcode::CallMethod:
        return "#D97706";
    case Opcode::Output:
        return "#E5484D";
    }
    return "#64748B";
}

class DiagramWriter {
public:
    DiagramWriter(const Diagram& diagram, const BoxTexts& texts, const Graph& graph)
        : m_diagram(diagram), m_texts(texts), m_graph(graph) {}

    std::string write() {
        m_out = "digraph fxscope {\n  graph [bb=\"0,0," + number(m_diagram.width) + ',' +
                number(m_diagram.height) +
                "\", bgcolor=\"#F6F7F9\", outputorder=nodesfirst, pad=0.3];\n"
                "  node [shape=none, margin=0, fixedsize=true, fontname=\"Inter,Helvetica\", fontsize=9];\n"
                "  edge [color=\"#98A2AE\", arrowsize=0.5];\n";
        writeScopes(-1, "  ");
        for (size_t i = 0; i < m_diagram.boxes.size(); ++i)
            if (m_diagram.boxes[i].kind != DiagramBox::Kind::ExpandedScope)
                writeBox(i);
        for (const DiagramEdge& edge : m_diagram.edges)
            writeEdge(edge);
        return m_out + "}\n";
    }

private:
    /// Graphviz counts y upwards.
    double flipped(double y) const { return m_diagram.height - y; }

    std::string position(const DiagramBox& box) const {
        return "pos=\"" + number(box.x + box.width / 2) + ',' + number(flipped(box.y + box.height / 2)) +
               "\", width=" + number(box.width / 72) + ", height=" + number(box.height / 72);
    }

    void writeScopes(int parent, const std::string& indent) {
        for (size_t i = 0; i < m_diagram.boxes.size(); ++i) {
            const DiagramBox& box = m_diagram.boxes[i];
            if (box.kind != DiagramBox::Kind::ExpandedScope || box.parent != parent)
                continue;
            const BoxText text = m_texts.text(box);
            const std::string bounds = number(box.x) + ',' + number(flipped(box.y + box.height)) + ',' +
                                       number(box.x + box.width) + ',' + number(flipped(box.y));
            const std::string corner = number(box.x + box.width / 2) + ',' + number(flipped(box.y + 14));
            m_out += indent + "subgraph cluster_" + std::to_string(i) + " {\n" + indent + "  bb=\"" + bounds +
                     "\"; lp=\"" + corner +
                     "\"; style=\"rounded,dashed\"; color=\"#B4BDC9\"; fontname=\"Inter,Helvetica\"; "
                     "fontsize=10; fontcolor=\"#66717F\"; label=" +
                     quotedLabel(text.title + "  " + text.detail) + ";\n";
            writeScopes(static_cast<int>(i), indent + "  ");
            m_out += indent + "}\n";
        }
    }

    void writeBox(size_t index) {
        const DiagramBox& box = m_diagram.boxes[index];
        const BoxText text = m_texts.text(box);
        const std::string id = "  b" + std::to_string(index) + " [" + position(box);
        if (box.kind == DiagramBox::Kind::Stub) {
            m_out += id + ", label=<<FONT COLOR=\"#66717F\"><I>" + html(shortened(text.title, 24)) +
                     "</I></FONT>>];\n";
            return;
        }
        const bool isScope = box.kind == DiagramBox::Kind::CollapsedScope;
        const bool isFault = !isScope && m_graph.node(box.node).meta.find(meta::kFault);
        const std::string color = isScope   ? "#B4BDC9"
                                  : isFault ? "#E5484D"
                                            : kindColor(m_graph.node(box.node).opcode);
        const size_t room = static_cast<size_t>(box.width / 5);
        std::string rows =
            "<TR><TD ALIGN=\"LEFT\"><B>" + html(shortened(text.title, room)) + "</B></TD></TR>";
        if (box.height > 30)
            rows += "<TR><TD ALIGN=\"LEFT\"><FONT COLOR=\"#66717F\">" + html(shortened(text.detail, room)) +
                    "</FONT></TD></TR>";
        if (!text.value.empty() && box.height > 30)
            rows += "<TR><TD ALIGN=\"LEFT\"><FONT FACE=\"monospace\" POINT-SIZE=\"8\">" +
                    html(shortened(text.badge.empty() ? text.value : text.badge, room)) + "</FONT></TD></TR>";
        // The bar at the left edge says the kind.
        m_out += id +
                 ", label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\" "
                 "FIXEDSIZE=\"TRUE\" WIDTH=\"" +
                 number(box.width) + "\" HEIGHT=\"" + number(box.height) + "\"><TR><TD BGCOLOR=\"" + color +
                 "\" WIDTH=\"4\" FIXEDSIZE=\"TRUE\" HEIGHT=\"" + number(box.height) + "\"></TD><TD " +
                 (isFault ? "BGCOLOR=\"#FDECEC\" BORDER=\"2\" COLOR=\"#E5484D\""
                          : "BGCOLOR=\"white\" BORDER=\"1\" COLOR=\"#DCE1E8\"") +
                 "><TABLE BORDER=\"0\" "
                 "CELLSPACING=\"1\" CELLPADDING=\"1\">" +
                 rows + "</TABLE></TD></TR></TABLE>>];\n";
    }

    void writeEdge(const DiagramEdge& edge) {
        if (edge.path.size() < 4)
            return;
        std::string route = "e," + number(edge.path.back().x) + ',' + number(flipped(edge.path.back().y));
        for (size_t i = 0; i < edge.path.size(); ++i) {
            // The line ends where the arrow head begins.
            const double lift = i + 1 == edge.path.size() ? 5 : 0;
            route += ' ' + number(edge.path[i].x) + ',' + number(flipped(edge.path[i].y) + lift);
        }
        m_out += "  b" + std::to_string(edge.from) + " -> b" + std::to_string(edge.to) + " [pos=\"" + route +
                 "\"];\n";
    }

    const Diagram& m_diagram;
    const BoxTexts& m_texts;
    const Graph& m_graph;
    std::string m_out;
};

} // namespace

std::string dotText(const Graph& graph) {
    std::string out =
        "digraph fxscope {\n  rankdir=TB;\n  node [shape=box, style=rounded, fontname=\"Helvetica\"];\n";
    CallTexts calls;
    for (const Node& node : graph) {
        std::string label =
            shownPart(node.name, kLabelLimits) + '\n' + shownPart(calls.text(graph, node), kLabelLimits);
        if (const ValueMeta* value = knownValue(node.meta))
            label += '\n' + shownPart(valueMetaText(*value), kLabelLimits);
        out += "  " + quotedText(node.name) + " [label=" + quotedLabel(label) +
               ", color=" + quotedText(kindColor(node.opcode)) + "];\n";
    }
    for (const Node& node : graph)
        for (const InputUse& use : node.inputs)
            out += "  " + quotedText(graph.node(use.node).name) + " -> " + quotedText(node.name) + ";\n";
    return out + "}\n";
}

std::string dotText(const Diagram& diagram, const BoxTexts& texts, const Graph& graph) {
    return DiagramWriter(diagram, texts, graph).write();
}

} // namespace fx
