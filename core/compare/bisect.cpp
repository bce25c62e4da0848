// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/bisect.h"

#include "core/base/error.h"
#include "core/module/lint.h"

#include <algorithm>
#include <map>

namespace fx {

namespace {

class Bisector {
public:
    Bisector(const Model& after, const Changes& changes, const GraphInputs& inputs,
             const RunSettings& settings, const CompareOptions& options, Progress& progress)
        : m_after(after), m_changes(changes), m_inputs(inputs), m_settings(settings), m_options(options),
          m_progress(progress) {}

    Bisection bisect();

private:
    enum class State { Good, Bad, CannotRun };
    Model stateAfter(size_t count) const;
    State judge(size_t count);
    State tryToJudge(size_t count);
    std::optional<size_t> runnableBetween(size_t good, size_t bad);

    const Model& m_after;
    const Changes& m_changes;
    const GraphInputs& m_inputs;
    const RunSettings& m_settings;
    const CompareOptions& m_options;
    Progress& m_progress;
    ReferenceRun m_reference; ///< of its results alone
    size_t m_faults = 0;      ///< that the graph has without the changes
    std::map<size_t, State> m_known;
    size_t m_tries = 0;
};

Model Bisector::stateAfter(size_t count) const {
    Changes later;
    for (size_t i = count; i < m_changes.size(); ++i)
        later.emplace_back(m_changes[i]);
    Model out = m_after;
    undo(out, later);
    return out;
}

Bisector::State Bisector::tryToJudge(size_t count) {
    const Model model = stateAfter(count);
    if (lint(model, model.root()).size() > m_faults)
        return State::CannotRun;
    ++m_tries;
    m_progress.step(0.5,
                    "Try " + std::to_string(count) + " of " + std::to_string(m_changes.size()) + " changes");
    const RunComparison comparison =
        compareWith(m_reference, model, m_inputs, m_settings, m_options, m_progress);
    switch (comparison.verdict) {
    case Verdict::Fails: // for want of what comes later; the whole of it may fail by itself
        return count == m_changes.size() ? State::Bad : State::CannotRun;
    case Verdict::Different:
        return State::Bad;
    default:
        return State::Good;
    }
}

Bisector::State Bisector::judge(size_t count) {
    const auto known = m_known.find(count);
    if (known != m_known.end())
        return known->second;
    return m_known[count] = tryToJudge(count);
}

/// The one nearest to the middle.
std::optional<size_t> Bisector::runnableBetween(size_t good, size_t bad) {
    const size_t middle = good + (bad - good) / 2;
    for (size_t far = 0; far < bad - good; ++far)
        for (const size_t count : {middle - std::min(far, middle), middle + far})
            if (count > good && count < bad && judge(count) != State::CannotRun)
                return count;
    return std::nullopt;
}

Bisection Bisector::bisect() {
    const Model before = stateAfter(0);
    m_faults = lint(before, before.root()).size();
    ReferenceOptions none;
    none.keptBytes = 0;
    m_reference = recordReference(before, m_inputs, m_settings, before, none, m_progress);
    Bisection out;
    out.changes = m_changes.size();
    out.bad = m_changes.size();
    if (judge(out.bad) != State::Bad)
        throw Error("bisect", "the changes leave the results as they were");
    while (const std::optional<size_t> count = runnableBetween(out.good, out.bad))
        (judge(*count) == State::Good ? out.good : out.bad) = *count;
    out.tries = m_tries;
    for (size_t i = out.good; i < out.bad; ++i) {
        const auto* change = std::get_if<GraphChange>(&m_changes[i].step);
        const NodeId node = change ? changedNode(*change) : NodeId();
        if (m_changes[i].module != m_after.root() || !node)
            continue;
        const std::string& name = m_after.graph().node(node).name;
        if (std::ranges::find(out.nodes, name) == out.nodes.end())
            out.nodes.push_back(name);
    }
    return out;
}

} // namespace

Bisection bisectChanges(const Model& after, const Changes& changes, const GraphInputs& inputs,
                        const RunSettings& settings, const CompareOptions& options, Progress& progress) {
    return Bisector(after, changes, inputs, settings, options, progress).bisect();
}

} // namespace fx
