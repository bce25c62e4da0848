// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/compare_runs.h"

#include "core/base/error.h"
#include "core/compare/isolated_inputs.h"
#include "core/compare/run_results.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/structure.h"
#include "core/module/scopes.h"
#include "core/torch/bind/call.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

namespace fx {

namespace {

/// Inputs are the same for both, and weights are no computation.
bool isCompared(const Node& node) {
    return node.opcode != Opcode::Placeholder && node.opcode != Opcode::GetAttr &&
           node.opcode != Opcode::Output;
}

uint64_t bytesOf(const Value& value) {
    uint64_t out = 0;
    for (const Value& leaf : flattened(value))
        if (leaf.isTensor() && !leaf.data().toTensor().is_meta())
            out += leaf.data().toTensor().layout() == c10::kStrided ? leaf.data().toTensor().nbytes() : 0;
    return out;
}

/// Tells how far the run is, and ends it when it is no longer wanted.
class RunProgressed : public Observer {
public:
    RunProgressed(const Graph& graph, Progress& progress, std::string what)
        : m_progress(progress), m_what(std::move(what)), m_total(std::max<size_t>(graph.size(), 1)) {}
    void beforeNode(Interpreter& interpreter, const Node&) override {
        m_done += interpreter.parent() ? 0 : 1;
        m_progress.step(std::min(1.0, static_cast<double>(m_done) / static_cast<double>(m_total)), m_what);
    }

private:
    Progress& m_progress;
    std::string m_what;
    size_t m_total, m_done = 0;
};

/// Copies the values of the reference: a later node may write into them.
class ReferenceRecorder : public Observer {
public:
    ReferenceRecorder(ReferenceRun& out, uint64_t room) : m_out(out), m_room(room) {
        for (const NodePair& pair : out.match.pairs)
            m_partners[pair.a] = pair.b;
        for (const NodePair& pair : out.match.alternatives)
            m_alternatives[pair.a].push_back(pair.b);
    }
    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override {
        if (interpreter.parent() || node.opcode == Opcode::Output || node.opcode == Opcode::GetAttr)
            return;
        if (const auto partner = m_partners.find(node.id); partner != m_partners.end()) {
            if (!keep(m_out.values, partner->second, value))
                m_out.noRoom.push_back(partner->second);
        } else if (const auto taken = m_alternatives.find(node.id); taken != m_alternatives.end()) {
            for (const NodeId b : taken->second)
                keep(m_out.alternatives, b, value);
        }
    }

private:
    bool keep(std::unordered_map<NodeId, Value>& into, NodeId b, const Value& value) {
        const uint64_t bytes = bytesOf(value);
        if (bytes > m_room)
            return false;
        m_room -= bytes;
        into[b] = withOwnTensors(value);
        return true;
    }

    ReferenceRun& m_out;
    uint64_t m_room;
    std::unordered_map<NodeId, NodeId> m_partners;
    std::unordered_map<NodeId, std::vector<NodeId>> m_alternatives;
};

Compared judged(ValueDifference difference, const CompareOptions& options) {
    Compared out;
    out.tolerance = options.tolerance.value_or(difference.usual);
    out.isWithin = difference.neededTolerance() <= out.tolerance && difference.notCompared.empty() &&
                   (difference.dtypes.empty() || options.allowsOtherDtypes);
    out.difference = std::move(difference);
    return out;
}

class PairComparer : public Observer {
public:
    PairComparer(const ReferenceRun& reference, RunComparison& out, const CompareOptions& options)
        : m_reference(reference), m_out(out), m_options(options) {
        for (const NodePair& pair : reference.match.pairs)
            m_pairs[pair.b] = pair;
    }
    void beforeNode(Interpreter& interpreter, const Node&) override {
        if (m_options.isIsolated && !interpreter.parent())
            m_inputs.apply(interpreter);
    }
    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override {
        if (interpreter.parent())
            return;
        const auto pair = m_pairs.find(node.id);
        const auto found = m_reference.values.find(node.id);
        const Value* reference = found == m_reference.values.end() ? nullptr : &found->second;
        if (isCompared(node) && pair != m_pairs.end())
            reference = compare(pair->second, reference, value);
        if (m_options.isIsolated)
            m_inputs.ran(interpreter, node, value, node.opcode == Opcode::Placeholder ? nullptr : reference);
    }

private:
    /// Gives what the value was compared with.
    const Value* compare(NodePair pair, const Value* reference, const Value& value) {
        if (!reference) {
            ++m_out.skipped[std::ranges::find(m_reference.noRoom, pair.b) != m_reference.noRoom.end()
                                ? "no room to keep the reference's value"
                                : "the reference did not run it"];
            return nullptr;
        }
        ValueDifference difference = differenceOf(*reference, value);
        const auto other = m_reference.alternatives.find(pair.b);
        if (other != m_reference.alternatives.end() && !difference.isEqual()) {
            ValueDifference further = differenceOf(other->second, value);
            if (isWorse(difference, further)) {
                difference = std::move(further);
                reference = &other->second;
                pair = *std::ranges::find(m_reference.match.alternatives, pair.b, &NodePair::b);
            }
        }
        Compared compared = judged(std::move(difference), m_options);
        if (!compared.difference.notCompared.empty()) {
            ++m_out.skipped[compared.difference.notCompared];
            return reference;
        }
        const size_t index = m_out.pairs.size();
        if (!m_out.firstUnequal && !compared.difference.isEqual())
            m_out.firstUnequal = index;
        if (!m_out.firstBeyond && !compared.isWithin)
            m_out.firstBeyond = index;
        m_out.pairs.push_back({std::move(compared), pair});
        return reference;
    }

    const ReferenceRun& m_reference;
    RunComparison& m_out;
    const CompareOptions& m_options;
    std::unordered_map<NodeId, NodePair> m_pairs;
    IsolatedInputs m_inputs;
};

/// `state`: of the model that gave the results.
void compareResults(const ReferenceRun& reference, const NamedResults& results,
                    const std::set<std::string>& state, const CompareOptions& options, RunComparison& out) {
    std::map<std::string, const Value*> wanted;
    for (const auto& [name, value] : reference.results)
        wanted[name] = &value;
    const auto add = [&](const std::string& name, Compared compared) {
        out.results.push_back({std::move(compared), name});
    };
    for (const auto& [name, value] : results) {
        const auto found = wanted.find(name);
        if (found != wanted.end()) {
            add(name, judged(differenceOf(*found->second, value), options));
            wanted.erase(found);
            continue;
        }
        if (reference.state && state.contains(name) && !reference.state->contains(name)) {
            ++out.skipped["what the reference has no buffer for"];
            continue;
        }
        ValueDifference difference;
        difference.mismatch = "is not there in the reference";
        add(name, judged(std::move(difference), options));
    }
    for (const auto& [name, value] : reference.results)
        if (wanted.contains(name)) {
            ValueDifference difference;
            difference.mismatch = "is there in the reference alone";
            add(name, judged(std::move(difference), options));
        }
}

/// By the results; by the pairs where nodes were isolated, or where the reference has no results.
Verdict verdictOf(const RunComparison& comparison) {
    Verdict out = Verdict::Equal;
    const auto add = [&](const Compared& compared) {
        const Verdict own = !compared.isWithin              ? Verdict::Different
                            : compared.difference.isEqual() ? Verdict::Equal
                                                            : Verdict::Within;
        out = std::max(out, own);
    };
    if (comparison.results.empty() && comparison.pairs.empty())
        throw Error("compare", "nothing could be compared").hint("no node of the one is a node of the other");
    if (comparison.results.empty())
        std::ranges::for_each(comparison.pairs, add);
    std::ranges::for_each(comparison.results, add);
    return out;
}

} // namespace

ReferenceRun recordReference(const Model& a, const GraphInputs& inputs, const RunSettings& settings,
                             const Model& b, const ReferenceOptions& options, Progress& progress) {
    ReferenceRun out;
    out.match = matchNodes(a.graph(), b.graph(), options.match);
    ReferenceRecorder recorder(out, options.keptBytes);
    RunProgressed told(a.graph(), progress, "Run the reference");
    out.results = resultsOfRun(a, inputs, settings, {&told, &recorder});
    out.state = stateNames(a);
    return out;
}

RunComparison compareWith(const ReferenceRun& reference, const Model& b, const GraphInputs& inputs,
                          const RunSettings& settings, const CompareOptions& options, Progress& progress) {
    RunComparison out;
    out.match = reference.match;
    PairComparer comparer(reference, out, options);
    RunProgressed told(b.graph(), progress, "Run and compare");
    std::vector<std::pair<std::string, Value>> results;
    try {
        results = resultsOfRun(b, inputs, settings, {&told, &comparer});
    } catch (const Error& error) {
        out.fault = error.what();
        out.verdict = Verdict::Fails;
        return out;
    }
    // Those of isolated nodes are the reference's own.
    if (!options.isIsolated && !reference.results.empty())
        compareResults(reference, results, stateNames(b), options, out);
    out.verdict = verdictOf(out);
    return out;
}

std::vector<size_t> RunComparison::worstFirst() const {
    std::vector<size_t> out;
    for (size_t i = 0; i < pairs.size(); ++i)
        if (!pairs[i].difference.isEqual())
            out.push_back(i);
    std::ranges::stable_sort(
        out, [&](size_t a, size_t b) { return isWorse(pairs[a].difference, pairs[b].difference); });
    return out;
}

std::vector<ScopeSum> sumsByScope(const RunComparison& comparison, const Graph& b) {
    const ScopeTree tree(b);
    std::vector<ScopeSum> sums(tree.scopes().size());
    for (size_t i = 0; i < comparison.pairs.size(); ++i) {
        const ComparedPair& pair = comparison.pairs[i];
        for (int scope = tree.scopeOf(pair.nodes.b); scope >= 0; scope = tree.scope(scope).parent) {
            ScopeSum& sum = sums[static_cast<size_t>(scope)];
            ++sum.pairs;
            sum.beyond += pair.isWithin ? 0 : 1;
            if (pair.difference.isEqual())
                continue;
            ++sum.unequal;
            sum.meanNeeded += pair.difference.neededTolerance();
            if (!sum.worst || isWorse(pair.difference, comparison.pairs[*sum.worst].difference))
                sum.worst = i;
        }
    }
    for (size_t i = 0; i < sums.size(); ++i)
        sums[i].path = tree.scopes()[i].path;
    std::erase_if(sums, [](const ScopeSum& sum) { return sum.pairs == 0; });
    for (ScopeSum& sum : sums)
        sum.meanNeeded /= static_cast<double>(sum.pairs);
    return sums;
}

} // namespace fx
