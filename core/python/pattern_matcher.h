// SPDX-License-Identifier: GPL-3.0-or-later
// The patterns of `match`. Internal to the evaluator's files.
#pragma once

#include "core/python/tree.h"

namespace fx {

class Walker;

class PatternMatcher {
public:
    /// The walker has the frame in which patterns are read and names are bound.
    PatternMatcher(Evaluator& evaluator, Walker& walker) : m_evaluator(evaluator), m_walker(walker) {}
    bool matches(const Pattern& pattern, const Value& subject);

private:
    bool matchesClass(const Pattern& pattern, const Value& subject);
    bool matchesSequence(const Pattern& pattern, const Value& subject);
    bool matchesMapping(const Pattern& pattern, const Value& subject);

    Evaluator& m_evaluator;
    Walker& m_walker;
};

} // namespace fx
