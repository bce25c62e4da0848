// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/html_report.h"

#include "core/base/text.h"
#include "core/compare/compare_text.h"
#include "core/compare/figures.h"
#include "core/compare/graph_picture.h"
#include "core/compare/html_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace fx {

namespace {

constexpr const char* kStyle = R"(
:root{--back:#fff;--panel:#f6f7f9;--line:#dce1e8;--text:#1d2530;--dim:#66717f;--good:#0e9f6e;--bad:#d92d20;--mark:#2563eb}
@media (prefers-color-scheme:dark){:root{--back:#16181d;--panel:#1d2026;--line:#2d323b;--text:#e4e8ee;--dim:#9aa4b2;--good:#34d399;--bad:#ff6b5e;--mark:#5b9bff}}
body{background:var(--back);color:var(--text);font:13px/1.5 Inter,system-ui,sans-serif;margin:24px auto;max-width:1200px;padding:0 16px}
h1{font-size:18px}h2{font-size:14px;margin:24px 0 8px}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid var(--line);padding:3px 8px;text-align:right;font-variant-numeric:tabular-nums}
td:first-child,th:first-child{text-align:left;word-break:break-word}th{color:var(--dim);font-weight:500}
tr.bad td:first-child::before{content:"\2715 ";color:var(--bad)}tr.good td:first-child::before{content:"\2713 ";color:var(--good)}
.dim{color:var(--dim)}.good{color:var(--good)}.bad{color:var(--bad)}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:8px;overflow:auto;font:12px/1.45 "JetBrains Mono",monospace}
pre .in{color:var(--good)}pre .out{color:var(--bad)}svg.errors{width:100%;height:160px}svg{background:var(--panel);border:1px solid var(--line);border-radius:6px}
.scroll{overflow:auto;max-height:80vh}svg.graph text{font:12px "JetBrains Mono",monospace;fill:var(--text)}svg.graph path{fill:none;stroke:var(--dim)}
svg.graph rect{fill:var(--back);stroke:var(--line);stroke-width:1.5}.frame>rect{fill:none;stroke-dasharray:4}.none text{fill:var(--dim)}
.equal>rect{stroke:var(--good)}.within>rect{stroke:var(--mark)}.beyond>rect{stroke:var(--bad);stroke-width:3}.alone>rect{stroke:var(--text);stroke-dasharray:2}
)";

std::string cell(const std::string& text, const char* tag = "td") {
    return std::string("<") + tag + '>' + escapedHtml(text) + "</" + tag + '>';
}

std::string headers(const std::vector<std::string>& titles) {
    std::string out = "<table><tr>";
    for (const std::string& title : titles)
        out += cell(title, "th");
    return out + "</tr>\n";
}

std::string htmlFigureRow(const std::string& name, const Compared& compared) {
    const ValueDifference& difference = compared.difference;
    std::string out = std::string("<tr class=") + (compared.isWithin ? "good" : "bad") + '>' + cell(name);
    const std::string note = difference.mismatch + difference.notCompared;
    if (!note.empty() || !difference.figures)
        return out + "<td colspan=7>" + escapedHtml(note.empty() ? "equal" : note) + "</td></tr>\n";
    const PairFigures& figures = *difference.figures;
    for (const double value : {figures.maxAbs, figures.meanAbs, figures.quantile99, figures.maxRelative,
                               figures.cosine, figures.sqnr, figures.neededTolerance})
        out += cell(figureText(value));
    return out + "</tr>\n";
}

const std::vector<std::string> kHtmlTitles = {
    "", "max abs", "mean abs", "quantile 0.99", "max relative", "cosine", "SQNR dB", "needs"};

/// A bar for each value in the order of the run: the tolerance that it needs, by its magnitude.
std::string errorPicture(const RunComparison& comparison, const Graph& b) {
    constexpr double kLeast = -16, kMost = 2, kHeight = 150;
    const double width = 1000.0 / static_cast<double>(std::max<size_t>(comparison.pairs.size(), 1));
    std::string out = "<svg class=errors viewBox=\"0 0 1000 160\" preserveAspectRatio=none role=img "
                      "aria-label=\"errors in the order of the run\">";
    for (size_t i = 0; i < comparison.pairs.size(); ++i) {
        const ComparedPair& pair = comparison.pairs[i];
        const double needed = pair.difference.neededTolerance();
        if (needed == 0)
            continue;
        const double size = std::clamp((std::log10(needed) - kLeast) / (kMost - kLeast), 0.02, 1.0) * kHeight;
        char bar[160];
        std::snprintf(bar, sizeof bar, "<rect x=%.2f y=%.2f width=%.2f height=%.2f fill=\"var(--%s)\">",
                      static_cast<double>(i) * width, 155 - size, std::max(width * 0.8, 0.5), size,
                      pair.isWithin ? "mark" : "bad");
        out += bar + ("<title>" + escapedHtml(b.node(pair.nodes.b).name)) + " needs " + figureText(needed) +
               "</title></rect>";
    }
    return out +
           "</svg><p class=dim>The tolerance that each value needs, in the order of the run, from 1e-16 "
           "to 100 on a logarithmic scale; an equal value has no bar.</p>\n";
}

std::string summary(const RunComparison& comparison, const ReportTitles& titles) {
    const bool isWell = comparison.verdict < Verdict::Different;
    std::string out = "<h1 class=" + std::string(isWell ? "good" : "bad") + ">" +
                      escapedHtml(verdictText(comparison.verdict)) + "</h1>\n<p>" +
                      escapedHtml(titles.first) + " <span class=dim>against</span> " +
                      escapedHtml(titles.second) + "</p>\n";
    if (!titles.inputs.empty())
        out += "<p class=dim>inputs: " + escapedHtml(titles.inputs) + "</p>\n";
    if (!comparison.fault.empty())
        out += "<pre class=bad>" + escapedHtml(comparison.fault) + "</pre>\n";
    out += "<p class=dim>" + plural(comparison.match.pairs.size(), "pair") + " of nodes; without a partner " +
           std::to_string(comparison.match.onlyA.size()) + " and " +
           std::to_string(comparison.match.onlyB.size()) + "; " + plural(comparison.pairs.size(), "value") +
           " compared";
    for (const auto& [reason, count] : comparison.skipped)
        out += "; " + std::to_string(count) + " skipped: " + escapedHtml(reason);
    return out + "</p>\n";
}

std::string codeDifference(const ModelDiff& diff) {
    std::string out;
    for (const std::string_view line : split(unifiedText(diff.code), '\n')) {
        const char kind = line.empty() ? ' ' : line.front();
        const std::string text = escapedHtml(std::string(line)) + '\n';
        out += kind == '+'   ? "<span class=in>" + text + "</span>"
               : kind == '-' ? "<span class=out>" + text + "</span>"
                             : text;
    }
    return out.find_first_not_of('\n') == std::string::npos ? "<p>The codes are the same.</p>\n"
                                                            : "<pre>" + out + "</pre>\n";
}

} // namespace

std::string htmlReport(const RunComparison& comparison, const Graph* a, const Graph& b, const ModelDiff* diff,
                       const ReportTitles& titles) {
    std::string out = "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>fxscope: " +
                      escapedHtml(verdictText(comparison.verdict)) + "</title><style>" + kStyle +
                      "</style></head><body>\n" + summary(comparison, titles);
    if (!comparison.results.empty()) {
        out += "<h2>Results</h2>\n" + headers(kHtmlTitles);
        for (const ComparedResult& result : comparison.results)
            out += htmlFigureRow(result.name, result);
        out += "</table>\n";
    }
    out += "<h2>Errors</h2>\n" + errorPicture(comparison, b);
    out += "<h2>Graph</h2>\n<p class=dim>Of " + escapedHtml(titles.second) +
           ": equal values are green, those within the tolerance blue, those beyond it red and thick; a node "
           "without a partner is dashed.</p>\n<div class=scroll>" +
           graphPicture(comparison, b) + "</div>\n";
    out += "<h2>Nodes that differ, the worst first</h2>\n" + headers(kHtmlTitles);
    for (const size_t index : comparison.worstFirst())
        out += htmlFigureRow(pairText(comparison.pairs[index].nodes, a, b), comparison.pairs[index]);
    out += "</table>\n<h2>Modules</h2>\n" +
           headers({"", "values", "unequal", "beyond", "worst node", "mean needs"});
    for (const ScopeSum& sum : sumsByScope(comparison, b))
        out += std::string("<tr class=") + (sum.beyond ? "bad" : "good") + '>' +
               cell(sum.path.empty() ? "(all)" : sum.path) + cell(std::to_string(sum.pairs)) +
               cell(std::to_string(sum.unequal)) + cell(std::to_string(sum.beyond)) +
               cell(sum.worst ? b.node(comparison.pairs[*sum.worst].nodes.b).name : "") +
               cell(sum.worst ? figureText(sum.meanNeeded) : "") + "</tr>\n";
    out += "</table>\n";
    if (diff)
        out += "<h2>Code</h2>\n" + codeDifference(*diff);
    return out + "</body></html>\n";
}

} // namespace fx
