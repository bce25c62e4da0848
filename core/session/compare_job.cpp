// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/compare_job.h"

#include "core/base/text.h"
#include "core/compare/compare_text.h"
#include "core/compare/figures.h"
#include "core/compare/html_report.h"
#include "core/compare/reference_file.h"
#include "core/compare/run_results.h"
#include "core/interpret/structure.h"
#include "core/io/output_file.h"
#include "core/session/make_service.h"
#include "core/session/replica_message.h"
#include "core/session/verify_job.h"
#include "core/torch/values/devices.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <functional>
#include <set>

namespace fx {

template <>
inline constexpr CompareRow::State kLast<CompareRow::State> = CompareRow::State::OnlySecond;

auto fields(CompareRow& x) {
    return std::tie(x.a, x.b, x.name, x.figures, x.further, x.match, x.needed, x.state, x.scope);
}

auto fields(CompareAnswer& x) {
    return std::tie(x.state, x.headline, x.detail, x.inputs, x.facts, x.rows, x.modules);
}

auto fields(WantedReport& x) {
    return std::tie(x.path, x.first, x.second);
}

auto fields(CompareRequest& x) {
    return std::tie(x.run, x.referenceFile, x.toReference, x.areIdsShared, x.byHand, x.tolerance,
                    x.isIsolated, x.otherDevice, x.report);
}

auto fields(ReferenceRequest& x) {
    return std::tie(x.path, x.run);
}

namespace {

PairingOptions pairingOf(const CompareRequest& request) {
    PairingOptions out;
    out.areIdsShared = request.areIdsShared;
    for (const auto& [a, b] : request.byHand)
        out.byHand.emplace_back(a, b);
    return out;
}

void writeReport(const WantedReport& report, const RunComparison& comparison, const Model* first,
                 const Model& second, const CompareRequest& request, const std::string& inputs) {
    std::optional<ModelDiff> diff;
    if (first)
        diff = diffModels(*first, second, pairingOf(request));
    writeFile(report.path, htmlReport(comparison, first ? &first->graph() : nullptr, second.graph(),
                                      diff ? &*diff : nullptr, {report.first, report.second, inputs}));
}

CompareRow rowOf(const Compared& compared) {
    using enum CompareRow::State;
    CompareRow out;
    out.figures = differenceText(compared.difference);
    out.further = furtherFigures(compared.difference);
    out.needed = compared.difference.neededTolerance();
    out.state = !compared.difference.notCompared.empty() ? NotCompared
                : !compared.isWithin                     ? Beyond
                : compared.difference.isEqual()          ? Equal
                                                         : Within;
    return out;
}

class Rows {
public:
    Rows(const RunComparison& comparison, const Graph* a, const Graph& b)
        : m_comparison(comparison), m_a(a), m_b(b) {}

    std::vector<CompareRow> take() {
        for (const ComparedResult& result : m_comparison.results) {
            CompareRow row = rowOf(result);
            row.name = result.name;
            m_rows.push_back(std::move(row));
        }
        const std::vector<size_t> worst = m_comparison.worstFirst();
        for (const size_t index : worst)
            add(m_comparison.pairs[index]);
        const std::set<size_t> told(worst.begin(), worst.end());
        for (size_t i = 0; i < m_comparison.pairs.size(); ++i)
            if (!told.contains(i))
                add(m_comparison.pairs[i]);
        for (const NodePair& pair : m_comparison.match.pairs)
            if (!m_compared.contains(pair.b))
                add(pair, CompareRow());
        for (const NodeId node : m_comparison.match.onlyA)
            addAlone({node, NodeId()}, m_a->node(node).name, CompareRow::State::OnlyFirst);
        for (const NodeId node : m_comparison.match.onlyB)
            addAlone({NodeId(), node}, m_b.node(node).name, CompareRow::State::OnlySecond);
        return std::move(m_rows);
    }

private:
    void add(const ComparedPair& pair) {
        m_compared.insert(pair.nodes.b);
        add(pair.nodes, rowOf(pair));
    }
    void add(const NodePair& pair, CompareRow row) {
        row.a = pair.a;
        row.b = pair.b;
        row.name = pairText(pair, m_a, m_b);
        row.match = matchKindText(pair.kind);
        m_rows.push_back(std::move(row));
    }
    void addAlone(const NodePair& nodes, const std::string& name, CompareRow::State state) {
        const char* where =
            state == CompareRow::State::OnlyFirst ? "only in the first" : "only in the second";
        m_rows.push_back({nodes.a, nodes.b, "node '" + name + "'", where, "no partner", {}, 0, state});
    }

    const RunComparison& m_comparison;
    const Graph* m_a;
    const Graph& m_b;
    std::set<NodeId> m_compared;
    std::vector<CompareRow> m_rows;
};

/// Whose pairs are all equal last; a module before those in it.
std::vector<CompareRow> moduleRows(const RunComparison& comparison, const Graph& b) {
    std::vector<CompareRow> out;
    for (const ScopeSum& sum : sumsByScope(comparison, b)) {
        CompareRow row;
        row.name = sum.path.empty() ? "all of the model" : "module '" + sum.path + "'";
        row.scope = sum.path;
        row.match = plural(sum.pairs, "pair");
        row.state = sum.beyond > 0    ? CompareRow::State::Beyond
                    : sum.unequal > 0 ? CompareRow::State::Within
                                      : CompareRow::State::Equal;
        row.figures = "equal";
        if (sum.worst) {
            const ComparedPair& worst = comparison.pairs[*sum.worst];
            row.needed = worst.difference.neededTolerance();
            row.figures = "worst " + b.node(worst.nodes.b).name + " needs " + figureText(row.needed) +
                          ", mean " + figureText(sum.meanNeeded) + "; " + std::to_string(sum.unequal) +
                          " unequal, " + std::to_string(sum.beyond) + " beyond";
        }
        out.push_back(std::move(row));
    }
    std::ranges::stable_sort(out, std::greater(), &CompareRow::needed);
    return out;
}

CompareAnswer compareModels(const ServiceModels& models, const CompareRequest& request, Progress& progress) {
    const OpenedModel& opened = models.opened;
    const OpenedModel* reference = models.reference;
    OpenedModel state;
    if (request.toReference) {
        state = opened;
        for (const ModelUpdate& update : *request.toReference)
            follow(state.model, update);
        reference = &state;
    }
    const RunSettings settings = settingsOf(request.run);
    const Model& model = opened.model;
    ReferenceRun kept;
    std::optional<GraphInputs> inputs;
    if (!reference) {
        ReferenceFile file = readReference(request.referenceFile, model);
        kept = std::move(file.run);
        inputs = std::move(file.inputs);
    }
    if (!inputs)
        inputs = inputsOf(opened, request.run, settings);
    if (reference)
        kept = recordReference(reference->model, *inputs, settings, model, {pairingOf(request)}, progress);
    RunSettings others = settings;
    if (!request.otherDevice.empty())
        others.device = parseDevice(request.otherDevice);
    const RunComparison comparison = compareWith(kept, model, onDevice(*inputs, others.device), others,
                                                 {request.tolerance, request.isIsolated, false}, progress);
    const Graph* first = reference ? &reference->model.graph() : nullptr;
    CompareAnswer out;
    out.state = static_cast<VerifyAnswer::State>(comparison.verdict);
    out.headline = comparison.verdict == Verdict::Within && request.tolerance
                       ? "Results within the tolerance"
                       : verdictHeadline(comparison.verdict);
    if (comparison.verdict == Verdict::Fails) {
        out.detail = comparison.fault;
    } else if (comparison.firstBeyond) {
        const ComparedPair& pair = comparison.pairs[*comparison.firstBeyond];
        out.detail =
            "first at " + pairText(pair.nodes, first, model.graph()) + ": " + differenceText(pair.difference);
    }
    out.inputs = inputsText(model, *inputs);
    out.facts = countsText(comparison);
    out.rows = Rows(comparison, first, model.graph()).take();
    out.modules = moduleRows(comparison, model.graph());
    if (!request.report.path.empty())
        writeReport(request.report, comparison, reference ? &reference->model : nullptr, model, request,
                    out.inputs);
    return out;
}

std::vector<std::string> keepReference(const ServiceModels& models, const ReferenceRequest& request,
                                       Progress& progress) {
    const OpenedModel& opened = models.opened;
    const RunSettings settings = settingsOf(request.run);
    const GraphInputs inputs = inputsOf(opened, request.run, settings);
    return saveReference(opened.model, inputs, settings, request.path, progress);
}

} // namespace

const Service<CompareRequest, CompareAnswer> kCompareService = [] {
    auto out = makeService<CompareRequest, CompareAnswer>("compare", compareModels);
    out.permissions = [](const CompareRequest& request) {
        RunPermissions permissions = permissionsFor(request.run);
        permissions.addDevice(request.otherDevice);
        if (!request.report.path.empty())
            permissions.outputs = {request.report.path};
        return permissions;
    };
    return out;
}();

const Service<ReferenceRequest, std::vector<std::string>> kKeepReferenceService = [] {
    auto out = makeService<ReferenceRequest, std::vector<std::string>>("keep", keepReference);
    out.permissions = [](const ReferenceRequest& request) {
        RunPermissions permissions = permissionsFor(request.run);
        permissions.outputs = {request.path};
        return permissions;
    };
    out.place = [](const ReferenceRequest& request) { return request.path; };
    return out;
}();

} // namespace fx
