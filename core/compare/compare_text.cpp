// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/compare_text.h"

#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/interpret/interpreter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace fx {

namespace {

using TextRow = std::vector<std::string>;

/// Columns under one another; the first stands to the left, the others to the right.
std::string table(const std::vector<TextRow>& rows) {
    std::vector<size_t> widths;
    for (const TextRow& row : rows)
        for (size_t i = 0; i < row.size(); ++i) {
            widths.resize(std::max(widths.size(), i + 1));
            widths[i] = std::max(widths[i], row[i].size());
        }
    std::string out;
    for (const TextRow& row : rows) {
        std::string line;
        for (size_t i = 0; i < row.size(); ++i) {
            const std::string gap(widths[i] - row[i].size(), ' ');
            line += i == 0 ? row[i] + gap : "  " + gap + row[i];
        }
        out += "  " + line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return out;
}

const TextRow kFigureTitles = {"", "max abs", "mean abs", "q99", "max rel", "cosine", "SQNR dB", "needs"};

std::string cosineText(double cosine) {
    // What is near to 1 differs in late digits.
    return cosine == 1 ? "1" : cosine > 0.99 ? "1-" + figureText(1 - cosine) : figureText(cosine);
}

TextRow figureRow(const std::string& name, const Compared& compared) {
    const ValueDifference& difference = compared.difference;
    TextRow out{shownLine(name)};
    if (!difference.mismatch.empty() || !difference.notCompared.empty()) {
        out[0] += ": " + shownLine(difference.mismatch + difference.notCompared);
        return out;
    }
    if (!difference.dtypes.empty())
        out[0] += " (" + difference.dtypes + ')';
    if (!difference.figures || difference.unequal == 0) {
        out.emplace_back("equal");
        return out;
    }
    const PairFigures& figures = *difference.figures;
    out.push_back(figureText(figures.maxAbs));
    std::ranges::copy(furtherFigures(difference), std::back_inserter(out));
    out.push_back(figureText(figures.sqnr));
    out.push_back(figureText(figures.neededTolerance) + (compared.isWithin ? "" : " !"));
    return out;
}

std::string matchText(const RunComparison& comparison) {
    std::map<MatchKind, size_t> kinds;
    for (const NodePair& pair : comparison.match.pairs)
        ++kinds[pair.kind];
    std::vector<std::string> parts;
    for (const auto& [kind, count] : kinds)
        parts.push_back(std::to_string(count) + ' ' + std::string(matchKindText(kind)));
    return plural(comparison.match.pairs.size(), "pair") + " of nodes" +
           (parts.empty() ? "" : ": " + join(parts, ", ")) + "; without a partner " +
           std::to_string(comparison.match.onlyA.size()) + " of the first, " +
           std::to_string(comparison.match.onlyB.size()) + " of the second\n";
}

std::string comparedText(const RunComparison& comparison) {
    const auto unequal = static_cast<size_t>(std::ranges::count_if(
        comparison.pairs, [](const ComparedPair& pair) { return !pair.difference.isEqual(); }));
    const auto beyond = static_cast<size_t>(
        std::ranges::count_if(comparison.pairs, [](const ComparedPair& pair) { return !pair.isWithin; }));
    std::string out = plural(comparison.pairs.size(), "value") +
                      " compared: " + std::to_string(comparison.pairs.size() - unequal) + " equal, " +
                      std::to_string(unequal - beyond) + " within the tolerance, " + std::to_string(beyond) +
                      " beyond it";
    for (const auto& [reason, count] : comparison.skipped)
        out += "; " + std::to_string(count) + " skipped: " + shownLine(reason);
    return out + '\n';
}

std::string firstText(const RunComparison& comparison, const Graph* a, const Graph& b) {
    std::string out;
    const auto line = [&](const char* title, size_t index) {
        const ComparedPair& pair = comparison.pairs[index];
        out += std::string(title) + shownLine(pairText(pair.nodes, a, b)) + ": " +
               shownLine(differenceText(pair.difference)) + '\n';
    };
    if (comparison.firstUnequal && comparison.firstUnequal != comparison.firstBeyond)
        line("first that is not equal: ", *comparison.firstUnequal);
    if (comparison.firstBeyond)
        line("first beyond the tolerance: ", *comparison.firstBeyond);
    return out;
}

Json figureJson(double value) {
    if (std::isfinite(value))
        return value;
    return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

Json comparedJson(const Compared& compared) {
    Json out = differenceJson(compared.difference);
    out["tolerance"] = compared.tolerance;
    out["within"] = compared.isWithin;
    return out;
}

Json namesJson(const std::vector<NodeId>& nodes, const Graph& graph) {
    Json out = Json::array();
    for (const NodeId node : nodes)
        out.push_back(graph.node(node).name);
    return out;
}

constexpr std::array<std::pair<const char*, const char*>, 4> kVerdicts = {{{"equal", "equal"},
                                                                           {"within", "within the tolerance"},
                                                                           {"different", "different"},
                                                                           {"fails", "the second fails"}}};

} // namespace

std::string verdictText(Verdict verdict) {
    return kVerdicts[static_cast<size_t>(verdict)].second;
}

std::string verdictWord(Verdict verdict) {
    return kVerdicts[static_cast<size_t>(verdict)].first;
}

std::string differenceText(const ValueDifference& difference) {
    if (!difference.mismatch.empty())
        return difference.mismatch;
    if (!difference.notCompared.empty())
        return difference.notCompared;
    const std::string dtypes = difference.dtypes.empty() ? "" : difference.dtypes + ", ";
    if (!difference.figures || difference.unequal == 0)
        return dtypes + "equal";
    const PairFigures& figures = *difference.figures;
    if (figures.nonFinite > 0) {
        const std::string others = figures.nonFinite == figures.count ? ""
                                   : figures.maxAbs == 0
                                       ? ", the others equal"
                                       : ", the others max abs " + figureText(figures.maxAbs);
        return dtypes + plural(static_cast<uint64_t>(figures.nonFinite), "place") +
               " with a NaN or an infinity in one of them" + others;
    }
    return dtypes + "max abs " + figureText(figures.maxAbs) + ", SQNR " + figureText(figures.sqnr) +
           " dB, needs " + figureText(figures.neededTolerance);
}

std::vector<std::string> furtherFigures(const ValueDifference& difference) {
    if (!difference.figures || difference.unequal == 0 || !difference.mismatch.empty() ||
        !difference.notCompared.empty())
        return {};
    const PairFigures& figures = *difference.figures;
    return {figureText(figures.meanAbs), figureText(figures.quantile99), figureText(figures.maxRelative),
            cosineText(figures.cosine)};
}

std::string pairText(const NodePair& pair, const Graph* a, const Graph& b) {
    const bool isRenamed = a && pair.a && a->node(pair.a).name != b.node(pair.b).name;
    return nodePlace(b, pair.b) + (isRenamed ? ", '" + a->node(pair.a).name + "' of the first" : "");
}

std::string countsText(const RunComparison& comparison) {
    std::string out = matchText(comparison) + comparedText(comparison);
    out.pop_back();
    return out;
}

std::string comparisonText(const RunComparison& comparison, const Graph* a, const Graph& b, size_t worst) {
    std::string out = matchText(comparison) + comparedText(comparison) + firstText(comparison, a, b);
    if (!comparison.fault.empty())
        return out +
               "the second fails: " + shownLines(shownPart(briefFault(comparison.fault), kErrorLimits)) +
               '\n';
    std::vector<TextRow> rows{kFigureTitles};
    for (const ComparedResult& result : comparison.results)
        rows.push_back(figureRow(result.name, result));
    if (rows.size() > 1)
        out += "results\n" + table(rows);
    const std::vector<size_t> order = comparison.worstFirst();
    if (worst == 0 || order.empty())
        return out;
    rows = {kFigureTitles};
    for (size_t i = 0; i < order.size() && i < worst; ++i) {
        const ComparedPair& pair = comparison.pairs[order[i]];
        rows.push_back(figureRow(b.node(pair.nodes.b).name, pair));
    }
    out +=
        "worst nodes" +
        (order.size() > worst ? ", " + std::to_string(worst) + " of " + std::to_string(order.size()) : "") +
        '\n' + table(rows);
    rows = {{"", "values", "unequal", "beyond", "worst", "needs", "mean"}};
    for (const ScopeSum& sum : sumsByScope(comparison, b))
        if (sum.worst) {
            const ComparedPair& pair = comparison.pairs[*sum.worst];
            rows.push_back({sum.path.empty() ? "(all)" : shownLine(sum.path), std::to_string(sum.pairs),
                            std::to_string(sum.unequal), std::to_string(sum.beyond),
                            shownLine(b.node(pair.nodes.b).name),
                            figureText(pair.difference.neededTolerance()), figureText(sum.meanNeeded)});
        }
    return out + "modules that differ\n" + table(rows);
}

Json figuresJson(const PairFigures& figures) {
    return {{"count", figures.count},
            {"unequal", figures.unequal},
            {"nonFinite", figures.nonFinite},
            {"maxAbs", figureJson(figures.maxAbs)},
            {"meanAbs", figureJson(figures.meanAbs)},
            {"maxRelative", figureJson(figures.maxRelative)},
            {"quantile99", figureJson(figures.quantile99)},
            {"cosine", figureJson(figures.cosine)},
            {"sqnr", figureJson(figures.sqnr)},
            {"neededTolerance", figureJson(figures.neededTolerance)},
            {"worst", figures.worst},
            {"sameArgmax", figures.sameArgmax ? Json(*figures.sameArgmax) : Json()}};
}

Json differenceJson(const ValueDifference& difference) {
    Json out = {{"equal", difference.isEqual()},
                {"neededTolerance", figureJson(difference.neededTolerance())}};
    for (const auto& [key, text] :
         {std::pair("mismatch", &difference.mismatch), std::pair("dtypes", &difference.dtypes),
          std::pair("notCompared", &difference.notCompared)})
        if (!text->empty())
            out[key] = *text;
    if (difference.leaves > 1)
        out["value"] = difference.worstLeaf;
    out["figures"] = difference.figures ? figuresJson(*difference.figures) : Json();
    return out;
}

Json comparisonJson(const RunComparison& comparison, const Graph* a, const Graph& b) {
    Json out = {{"verdict", verdictWord(comparison.verdict)}};
    if (!comparison.fault.empty())
        out["fault"] = comparison.fault;
    out["results"] = Json::array();
    for (const ComparedResult& result : comparison.results) {
        Json row = {{"name", result.name}};
        row.update(comparedJson(result));
        out["results"].push_back(std::move(row));
    }
    const auto nameAt = [&](std::optional<size_t> index) {
        return index ? Json(b.node(comparison.pairs[*index].nodes.b).name) : Json();
    };
    out["firstUnequal"] = nameAt(comparison.firstUnequal);
    out["firstBeyond"] = nameAt(comparison.firstBeyond);
    out["nodes"] = Json::array();
    for (const ComparedPair& pair : comparison.pairs) {
        const NodeId partner = pair.nodes.a;
        Json row = {{"a", a && partner ? Json(a->node(partner).name) : Json()},
                    {"b", b.node(pair.nodes.b).name},
                    {"matched", matchKindText(pair.nodes.kind)}};
        row.update(comparedJson(pair));
        out["nodes"].push_back(std::move(row));
    }
    out["onlyA"] = a ? namesJson(comparison.match.onlyA, *a) : Json::array();
    out["onlyB"] = namesJson(comparison.match.onlyB, b);
    out["skipped"] = comparison.skipped;
    out["modules"] = Json::array();
    for (const ScopeSum& sum : sumsByScope(comparison, b))
        out["modules"].push_back({{"path", sum.path},
                                  {"values", sum.pairs},
                                  {"unequal", sum.unequal},
                                  {"beyond", sum.beyond},
                                  {"worst", nameAt(sum.worst)},
                                  {"meanNeeded", figureJson(sum.meanNeeded)}});
    return out;
}

} // namespace fx
