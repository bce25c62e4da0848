// SPDX-License-Identifier: GPL-3.0-or-later
// What one can read of pictures of real models, beside plain dot's of the same boxes: prints a table in
// Markdown. All scopes are open and weights are hidden. With names of models, only those.
#include "tests/support/layout_figures.h"
#include "tests/support/plain_dot.h"
#include "tests/support/source_models.h"

#include <algorithm>
#include <cstdio>

using namespace fx;

namespace {

void printRow(const std::string& name, const LayoutFigures& ours, const LayoutFigures& dot) {
    const auto perWire = [](const LayoutFigures& f) {
        return f.wires ? static_cast<double>(f.bends) / static_cast<double>(f.wires) : 0;
    };
    std::printf("| %s | %zu | %zu | %.2f | %.2f | %.2f | %.2f | %zu | %zu | %.0f | %.0f |\n", name.c_str(),
                ours.nodes, ours.wires, ours.drift, dot.drift, perWire(ours), perWire(dot), ours.crossings,
                dot.crossings, ours.area, dot.area);
}

void add(LayoutFigures& sum, const LayoutFigures& one) {
    sum.nodes += one.nodes;
    sum.drift = std::max(sum.drift, one.drift);
    sum.wires += one.wires;
    sum.bends += one.bends;
    sum.crossings += one.crossings;
    sum.area += one.area;
}

} // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> asked(arguments + 1, arguments + count);
    std::puts("| model | longest path | wires | drift, in boxes | dot's | bends a wire | dot's | crossings | "
              "dot's | area, 1000 px | dot's |");
    std::puts("|---|---|---|---|---|---|---|---|---|---|---|");
    LayoutFigures ours, dot;
    for (const std::string& name : asked.empty() ? sourceModels() : asked) {
        const OpenedModel opened = openSource(name);
        const BesideDot figures = besideDot(measuredDiagram(opened.model.graph(), 0, false));
        printRow(name, figures.ours, figures.dot);
        add(ours, figures.ours);
        add(dot, figures.dot);
    }
    printRow("all (drift: the largest)", ours, dot);
    return 0;
}
