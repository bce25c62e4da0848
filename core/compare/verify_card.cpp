// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/verify_card.h"

#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/compare/compare_text.h"
#include "core/compare/run_results.h"
#include "core/interpret/structure.h"
#include "core/torch/bind/call.h"

#include <cstdio>

namespace fx {

namespace {

constexpr size_t kWorstLines = 5;

std::string milliseconds(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", seconds * 1e3);
    return text;
}

void countNodes(const Graph& before, const Graph& after, VerifyCard& card) {
    for (const Node& node : before)
        card.removed += after.contains(node.id) ? 0 : 1;
    for (const Node& node : after) {
        if (!before.contains(node.id)) {
            ++card.added;
            continue;
        }
        const Node& was = before.node(node.id);
        const bool isSame = was.opcode == node.opcode && was.target == node.target && was.name == node.name &&
                            was.args == node.args && was.kwargs == node.kwargs;
        card.changed += isSame ? 0 : 1;
    }
}

Json costsJson(const std::optional<RunCosts>& costs) {
    if (!costs)
        return {};
    return {{"runs", costs->runs},
            {"leastSeconds", costs->least},
            {"medianSeconds", costs->median},
            {"mostSeconds", costs->most},
            {"peakBytes", costs->peakBytes}};
}

} // namespace

VerifyCard verifyChange(const Model& before, const Model& after, const GraphInputs& inputs,
                        const RunSettings& settings, const VerifyOptions& options, Progress& progress) {
    VerifyCard out;
    out.inputs = inputsText(before, inputs);
    countNodes(before.graph(), after.graph(), out);
    ReferenceOptions kept;
    kept.match.areIdsShared = true;
    const ReferenceRun reference = recordReference(before, inputs, settings, after, kept, progress);
    out.comparison = compareWith(reference, after, inputs, settings, options.compare, progress);
    const Graph &a = before.graph(), &b = after.graph();
    const auto lineOf = [&](size_t index) {
        const ComparedPair& pair = out.comparison.pairs[index];
        return pairText(pair.nodes, &a, b) + ": " + differenceText(pair.difference);
    };
    if (out.comparison.firstBeyond)
        out.first = lineOf(*out.comparison.firstBeyond);
    for (const size_t index : out.comparison.worstFirst())
        if (out.worst.size() < kWorstLines)
            out.worst.push_back(lineOf(index));
    if (options.seconds <= 0 || out.comparison.verdict == Verdict::Fails)
        return out;
    const auto given = [&] { return withOwnTensors(inputs); };
    guarded([&] {
        std::tie(out.before, out.after) =
            measureInTurns(before, given, after, given, settings, options.seconds, progress);
    });
    return out;
}

std::string costsText(const RunCosts& costs) {
    return milliseconds(costs.median) + " ms (" + milliseconds(costs.least) + " to " +
           milliseconds(costs.most) + "), peak " + byteText(costs.peakBytes);
}

std::string nodesText(const VerifyCard& card) {
    std::vector<std::string> parts;
    for (const auto& [count, what] : {std::pair(card.removed, " removed"), std::pair(card.added, " added"),
                                      std::pair(card.changed, " changed")})
        if (count > 0)
            parts.push_back(plural(count, "node") + what);
    return parts.empty() ? "no node changed" : join(parts, ", ");
}

std::string cardText(const VerifyCard& card, const Graph& before, const Graph& after) {
    std::string out = "inputs: " + shownLine(card.inputs) + "\nnodes: " + nodesText(card) + '\n' +
                      comparisonText(card.comparison, &before, after, kWorstLines);
    if (card.before)
        out += "before: " + costsText(*card.before) + "\nafter:  " + costsText(*card.after) + '\n';
    return out + "verdict: " + verdictText(card.comparison.verdict) + '\n';
}

Json cardJson(const VerifyCard& card, const Graph& before, const Graph& after) {
    Json out = {
        {"inputs", card.inputs},   {"removed", card.removed},          {"added", card.added},
        {"changed", card.changed}, {"before", costsJson(card.before)}, {"after", costsJson(card.after)}};
    out["comparison"] = comparisonJson(card.comparison, &before, after);
    return out;
}

} // namespace fx
