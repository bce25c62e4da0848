// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/graph_picture.h"

#include "core/base/shown_text.h"
#include "core/compare/compare_text.h"
#include "core/compare/html_text.h"
#include "core/layout/box_text.h"
#include "core/layout/linear_layout.h"
#include "core/layout/placement.h"

#include <algorithm>
#include <cstdio>

namespace fx {

namespace {

constexpr size_t kMostBoxes = 400, kMostLetters = 48;
constexpr double kLetter = 7, kLine = 16, kMargin = 10; ///< pixels, of the font in the page

/// How a value compares, the better first.
enum class Agreement { None, Equal, Within, Alone, Beyond };
constexpr const char* kClasses[] = {"none", "equal", "within", "alone", "beyond"};

std::string format(const char* pattern, auto... numbers) {
    char out[256];
    std::snprintf(out, sizeof out, pattern, numbers...);
    return out;
}

std::string cut(const std::string& text) {
    const std::string line = shownLine(text);
    return line.size() > kMostLetters ? line.substr(0, kMostLetters - 3) + "..." : line;
}

class GraphPicture {
public:
    GraphPicture(const RunComparison& comparison, const Graph& graph)
        : m_graph(graph), m_scopes(graph), m_texts(graph, m_scopes) {
        for (const ComparedPair& pair : comparison.pairs)
            m_pairs[pair.nodes.b] = &pair;
        m_alone.insert(comparison.match.onlyB.begin(), comparison.match.onlyB.end());
        m_worst.resize(m_scopes.scopes().size(), Agreement::None);
        for (const Node& node : graph)
            for (int scope = m_scopes.scopeOf(node.id); scope >= 0; scope = m_scopes.scope(scope).parent) {
                Agreement& worst = m_worst[static_cast<size_t>(scope)];
                worst = std::max(worst, agreementOf(node.id));
            }
        DiagramOptions options;
        options.expandedScopes = scopesToExpand(graph, m_scopes, kMostBoxes, true);
        options.showsWeights = false;
        m_diagram = buildDiagram(graph, m_scopes, options);
        for (DiagramBox& box : m_diagram.boxes)
            measure(box);
        place(m_diagram, layoutLinearly, true);
    }

    std::string text() const {
        std::string out =
            format("<svg class=graph width=%.0f height=%.0f role=img aria-label=\"the graph\">\n",
                   m_diagram.width, m_diagram.height);
        for (const DiagramBox& box : m_diagram.boxes)
            if (box.kind == DiagramBox::Kind::ExpandedScope)
                out += boxText(box);
        for (const DiagramEdge& edge : m_diagram.edges)
            out += edgeText(edge);
        for (const DiagramBox& box : m_diagram.boxes)
            if (box.kind != DiagramBox::Kind::ExpandedScope)
                out += boxText(box);
        return out + "</svg>\n";
    }

private:
    std::vector<std::string> linesOf(const DiagramBox& box) const {
        const BoxText text = m_texts.text(box);
        std::vector<std::string> out{cut(text.title)};
        if (box.kind == DiagramBox::Kind::Stub || box.kind == DiagramBox::Kind::ExpandedScope)
            return out;
        for (const std::string& line : {text.detail, text.value, text.badge})
            if (!line.empty())
                out.push_back(cut(line));
        return out;
    }

    void measure(DiagramBox& box) const {
        size_t longest = 0;
        const std::vector<std::string> lines = linesOf(box);
        for (const std::string& line : lines)
            longest = std::max(longest, line.size());
        box.width = static_cast<double>(longest) * kLetter + 2 * kMargin;
        box.height = static_cast<double>(lines.size()) * kLine + kMargin;
    }

    Agreement agreementOf(NodeId node) const {
        if (m_alone.contains(node))
            return Agreement::Alone;
        const auto found = m_pairs.find(node);
        if (found == m_pairs.end())
            return Agreement::None;
        return !found->second->isWithin              ? Agreement::Beyond
               : found->second->difference.isEqual() ? Agreement::Equal
                                                     : Agreement::Within;
    }

    Agreement agreementOf(const DiagramBox& box) const {
        if (box.kind == DiagramBox::Kind::Node)
            return agreementOf(box.node);
        return box.kind == DiagramBox::Kind::CollapsedScope ? m_worst[static_cast<size_t>(box.scope)]
                                                            : Agreement::None;
    }

    std::string boxText(const DiagramBox& box) const {
        const bool isFrame = box.kind == DiagramBox::Kind::ExpandedScope;
        std::string out =
            std::string("<g class=") + (isFrame ? "frame" : kClasses[size_t(agreementOf(box))]) + '>';
        if (const auto pair = m_pairs.find(box.node);
            box.kind == DiagramBox::Kind::Node && pair != m_pairs.end())
            out +=
                "<title>" +
                escapedHtml(m_graph.node(box.node).name + ": " + differenceText(pair->second->difference)) +
                "</title>";
        out +=
            format("<rect x=%.1f y=%.1f width=%.1f height=%.1f rx=5 />", box.x, box.y, box.width, box.height);
        double y = box.y + kLine;
        for (const std::string& line : linesOf(box)) {
            out += format("<text x=%.1f y=%.1f>", box.x + kMargin, y) + escapedHtml(line) + "</text>";
            y += kLine;
        }
        return out + "</g>\n";
    }

    static std::string edgeText(const DiagramEdge& edge) {
        if (edge.path.size() < 4)
            return {};
        std::string out = format("<path d=\"M%.1f %.1f", edge.path[0].x, edge.path[0].y);
        for (size_t i = 1; i + 2 < edge.path.size(); i += 3)
            out += format("C%.1f %.1f %.1f %.1f %.1f %.1f", edge.path[i].x, edge.path[i].y,
                          edge.path[i + 1].x, edge.path[i + 1].y, edge.path[i + 2].x, edge.path[i + 2].y);
        return out + "\" />\n";
    }

    const Graph& m_graph;
    const ScopeTree m_scopes;
    const BoxTexts m_texts;
    std::unordered_map<NodeId, const ComparedPair*> m_pairs;
    std::unordered_set<NodeId> m_alone;
    std::vector<Agreement> m_worst; ///< of each scope, in it
    Diagram m_diagram;
};

} // namespace

std::string graphPicture(const RunComparison& comparison, const Graph& graph) {
    return GraphPicture(comparison, graph).text();
}

} // namespace fx
