// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as people read it and as programs do.
#pragma once

#include "core/compare/compare_runs.h"
#include "core/io/json.h"

namespace fx {

/// "equal", "within the tolerance", "different", "fails"; and for programs "equal", "within", ...
std::string verdictText(Verdict verdict);
std::string verdictWord(Verdict verdict);

/// One line: "max abs 1.2e-05, SQNR 98.2 dB, needs 1e-05", "equal", "shape [2] against [3]".
std::string differenceText(const ValueDifference& difference);
/// What that leaves out: "mean abs", "q99", "max rel" and "cosine"; nothing where there are no such figures.
std::vector<std::string> furtherFigures(const ValueDifference& difference);
/// "node 'relu' (layer1.0, net.py:12)" of the second graph, with the partner's name where it is another.
std::string pairText(const NodePair& pair, const Graph* a, const Graph& b);

/// What was matched, and what compared and skipped: two lines.
std::string countsText(const RunComparison& comparison);
/// The tables: results, what was matched and skipped, the first difference, the worst pairs (so many at
/// most), modules. `a`: null where the reference is a file. Escaped for a terminal.
std::string comparisonText(const RunComparison& comparison, const Graph* a, const Graph& b, size_t worst);

/// Numbers that are infinite are the strings "Infinity" and "-Infinity".
Json figuresJson(const PairFigures& figures);
Json differenceJson(const ValueDifference& difference);
Json comparisonJson(const RunComparison& comparison, const Graph* a, const Graph& b);

} // namespace fx
