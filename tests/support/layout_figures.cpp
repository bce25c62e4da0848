// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/layout_figures.h"

#include "core/module/edit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace fx {

namespace {

using Kind = DiagramBox::Kind;
using Line = std::vector<Point>;

constexpr double kTurn = 10 * M_PI / 180;

/// A wire as short straight pieces.
Line sampled(const std::vector<Point>& path) {
    Line out;
    for (size_t i = 0; i + 3 < path.size(); i += 3)
        for (int step = out.empty() ? 0 : 1; step <= 8; ++step) {
            const double t = step / 8.0, u = 1 - t;
            const double w[] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
            Point p;
            for (size_t k = 0; k < 4; ++k)
                p = {p.x + w[k] * path[i + k].x, p.y + w[k] * path[i + k].y};
            if (out.empty() || std::hypot(p.x - out.back().x, p.y - out.back().y) > 0.5)
                out.push_back(p);
        }
    return out;
}

double turnBetween(Point a, Point b) {
    return std::atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y);
}

Point way(Point from, Point to) {
    return {to.x - from.x, to.y - from.y};
}

size_t bendsOf(const Line& line) {
    size_t bends = 0;
    double turned = 0;
    for (size_t i = 2; i < line.size(); ++i) {
        const double turn = turnBetween(way(line[i - 2], line[i - 1]), way(line[i - 1], line[i]));
        if (turn * turned < 0)
            turned = 0;
        const bool wasBend = std::abs(turned) > kTurn;
        turned += turn;
        bends += !wasBend && std::abs(turned) > kTurn;
    }
    return bends;
}

/// By the curves' own directions where one ends and the next begins.
size_t cornersOf(const std::vector<Point>& path) {
    size_t corners = 0;
    for (size_t i = 3; i + 3 < path.size(); i += 3) {
        const Point in = way(path[i - 1], path[i]), out = way(path[i], path[i + 1]);
        if (std::hypot(in.x, in.y) > 0.01 && std::hypot(out.x, out.y) > 0.01)
            corners += std::abs(turnBetween(in, out)) > kTurn;
    }
    return corners;
}

bool cross(Point a, Point b, Point c, Point d) {
    const auto side = [](Point p, Point q, Point r) {
        return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    };
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

size_t crossingsOf(const Diagram& diagram, const std::vector<Line>& lines) {
    constexpr double kCell = 60;
    struct Piece {
        size_t edge, at;
    };
    std::map<std::pair<int, int>, std::vector<Piece>> grid;
    std::set<std::pair<size_t, size_t>> pairs;
    const auto cell = [](double v) { return static_cast<int>(std::floor(v / kCell)); };
    for (size_t e = 0; e < lines.size(); ++e)
        for (size_t i = 1; i < lines[e].size(); ++i) {
            const Point a = lines[e][i - 1], b = lines[e][i];
            for (int x = cell(std::min(a.x, b.x)); x <= cell(std::max(a.x, b.x)); ++x)
                for (int y = cell(std::min(a.y, b.y)); y <= cell(std::max(a.y, b.y)); ++y) {
                    for (const Piece& other : grid[{x, y}]) {
                        const DiagramEdge &p = diagram.edges[e], &q = diagram.edges[other.edge];
                        const bool isApart = p.value != q.value && p.from != q.from && p.to != q.to;
                        if (isApart &&
                            cross(a, b, lines[other.edge][other.at - 1], lines[other.edge][other.at]))
                            pairs.insert({other.edge, e});
                    }
                    grid[{x, y}].push_back({e, i});
                }
        }
    return pairs.size();
}

bool runsThroughABox(const Diagram& diagram, const DiagramEdge& edge, const Line& line) {
    for (size_t b = 0; b < diagram.boxes.size(); ++b) {
        const DiagramBox& box = diagram.boxes[b];
        if (box.kind == Kind::ExpandedScope || static_cast<int>(b) == edge.from ||
            static_cast<int>(b) == edge.to)
            continue;
        for (const Point& p : line)
            if (p.x > box.x + 3 && p.x < box.x + box.width - 3 && p.y > box.y + 3 &&
                p.y < box.y + box.height - 3)
                return true;
    }
    return false;
}

/// Boxes, the longest way by their heights.
std::vector<size_t> longestPath(const Diagram& diagram) {
    Level level;
    for (const DiagramBox& box : diagram.boxes)
        level.items.push_back(
            {1, box.kind == Kind::ExpandedScope ? 0 : box.height, Level::Role::Box, box.load});
    for (const DiagramEdge& edge : diagram.edges)
        if (diagram.boxes[static_cast<size_t>(edge.from)].beside < 0)
            level.edges.push_back({edge.from, edge.to});
    std::vector<size_t> out;
    for (size_t e : trunkOf(level)) {
        if (out.empty())
            out.push_back(static_cast<size_t>(level.edges[e].from));
        out.push_back(static_cast<size_t>(level.edges[e].to));
    }
    return out;
}

} // namespace

LayoutFigures figuresOf(const Diagram& diagram) {
    LayoutFigures out;
    double left = HUGE_VAL, right = -HUGE_VAL, width = 0;
    for (size_t b : longestPath(diagram)) {
        const DiagramBox& box = diagram.boxes[b];
        left = std::min(left, box.x + box.width / 2);
        right = std::max(right, box.x + box.width / 2);
        width += box.width;
        ++out.nodes;
    }
    if (out.nodes)
        out.drift = (right - left) / (width / static_cast<double>(out.nodes));
    std::vector<Line> lines;
    for (const DiagramEdge& edge : diagram.edges) {
        lines.push_back(sampled(edge.path));
        out.bends += bendsOf(lines.back());
        out.corners += cornersOf(edge.path);
        out.through += runsThroughABox(diagram, edge, lines.back());
    }
    out.wires = lines.size();
    out.crossings = crossingsOf(diagram, lines);
    out.area = diagram.width * diagram.height / 1000;
    return out;
}

Diagram measuredDiagram(const Graph& graph, size_t mostBoxes, bool showsWeights) {
    const ScopeTree scopes(graph);
    DiagramOptions options;
    options.showsWeights = showsWeights;
    if (mostBoxes)
        options.expandedScopes = scopesToExpand(graph, scopes, mostBoxes);
    else
        for (const Scope& scope : scopes.scopes())
            options.expandedScopes.insert(scope.path);
    Diagram diagram = buildDiagram(graph, scopes, options);
    const BoxTexts texts(graph, scopes);
    for (DiagramBox& box : diagram.boxes) {
        const BoxText text = texts.text(box);
        const bool isWeight = box.kind == Kind::Node && graph.node(box.node).opcode == Opcode::GetAttr;
        const size_t letters = std::max({text.title.size() + 6, text.detail.size(), text.value.size()});
        const double widest = 26 + 7 * static_cast<double>(letters);
        box.width = box.kind == Kind::Stub
                        ? std::min(22 + 7.0 * static_cast<double>(text.title.size()), 180.0)
                        : std::clamp(widest, isWeight ? 90.0 : 160.0, 320.0);
        box.height = box.kind == Kind::Stub ? 20 : isWeight ? 28 : box.kind == Kind::CollapsedScope ? 48 : 70;
    }
    return diagram;
}

Model decoder(int blocks) {
    Model model;
    Edit edit(model);
    const auto add = [&](NodeId node, int block, const std::string& part) {
        ModuleStack stack{{"root", "", "Decoder"}};
        if (block >= 0) {
            const std::string path = "h." + std::to_string(block);
            stack.push_back({"h", "h", "ModuleList"});
            stack.push_back({path, path, "Block"});
            if (!part.empty())
                stack.push_back({path + '.' + part, path + '.' + part, part == "attn" ? "Attention" : "MLP"});
        }
        edit.setMeta(node, meta::kModuleStack, MetaValue(stack));
        return node;
    };
    const auto call = [&](const char* op, std::vector<Argument> args, int block, const std::string& part) {
        return add(edit.callFunction(Target(std::string("torch.ops.aten.") + op), std::move(args)), block,
                   part);
    };
    const NodeId ids = edit.placeholder("ids");
    const NodeId weight = add(edit.getAttr("wte"), -1, "");
    NodeId x = call("embedding.default", {weight, ids}, -1, "");
    const NodeId ones = call("ones_like.default", {ids}, -1, "");
    const NodeId mask = call("tril.default", {call("unsqueeze.default", {ones, int64_t(0)}, -1, "")}, -1, "");
    for (int b = 0; b < blocks; ++b) {
        const auto weightOf = [&](const char* name, const std::string& part) {
            return add(edit.getAttr("w" + std::to_string(b) + name), b, part);
        };
        const NodeId norm = call("layer_norm.default", {x, weightOf("n1", ""), weightOf("b1", "")}, b, "");
        const NodeId qkv = call("linear.default", {norm, weightOf("qkv", "attn")}, b, "attn");
        NodeId parts[3];
        for (int i = 0; i < 3; ++i) {
            const NodeId part = call("select.int", {qkv, int64_t(0), int64_t(i)}, b, "attn");
            parts[i] = call("transpose.int", {part, int64_t(1), int64_t(2)}, b, "attn");
        }
        const NodeId key = call("transpose.int", {parts[1], int64_t(-1), int64_t(-2)}, b, "attn");
        const NodeId scores = call("matmul.default", {parts[0], key}, b, "attn");
        const NodeId masked = call("masked_fill.Scalar", {scores, mask, -1e9}, b, "attn");
        const NodeId soft = call("softmax.int", {masked, int64_t(-1)}, b, "attn");
        const NodeId mixed = call("matmul.default", {soft, parts[2]}, b, "attn");
        const NodeId attended = call("linear.default", {mixed, weightOf("o", "attn")}, b, "attn");
        const NodeId sum = call("add.Tensor", {x, attended}, b, "");
        const NodeId norm2 = call("layer_norm.default", {sum, weightOf("n2", ""), weightOf("b2", "")}, b, "");
        const NodeId up = call("linear.default", {norm2, weightOf("up", "mlp")}, b, "mlp");
        const NodeId down =
            call("linear.default", {call("gelu.default", {up}, b, "mlp"), weightOf("down", "mlp")}, b, "mlp");
        x = call("add.Tensor", {sum, down}, b, "");
    }
    edit.output(call("linear.default", {x, weight}, -1, ""));
    edit.finish();
    return model;
}

} // namespace fx
