// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/verify_job.h"

#include "core/compare/bisect.h"
#include "core/compare/compare_text.h"
#include "core/compare/verify_card.h"
#include "core/session/make_service.h"
#include "core/session/replica_message.h"

#include <ATen/ATen.h>

namespace fx {

auto fields(VerifyRequest& x) {
    return std::tie(x.undoing, x.run);
}

auto fields(VerifyRow& x) {
    return std::tie(x.node, x.name, x.figures, x.isBeyond);
}

auto fields(VerifyAnswer& x) {
    return std::tie(x.state, x.headline, x.detail, x.inputs, x.nodes, x.before, x.after, x.rows);
}

auto fields(BisectAnswer& x) {
    return std::tie(x.changes, x.tries, x.good, x.bad, x.nodes);
}

namespace {

constexpr size_t kMostNodes = 200;

std::vector<VerifyRow> rowsOf(const RunComparison& comparison, const Graph& before, const Graph& after) {
    std::vector<VerifyRow> out;
    for (const ComparedResult& result : comparison.results)
        out.push_back({NodeId(), result.name, differenceText(result.difference), !result.isWithin});
    for (const size_t index : comparison.worstFirst()) {
        const ComparedPair& pair = comparison.pairs[index];
        if (out.size() < kMostNodes + comparison.results.size())
            out.push_back({pair.nodes.b, pairText(pair.nodes, &before, after),
                           differenceText(pair.difference), !pair.isWithin});
    }
    return out;
}

/// Throws an Error for what is no undoing of the model.
Model stateBefore(const OpenedModel& opened, const VerifyRequest& request) {
    Model out = opened.model;
    follow(out, request.undoing);
    return out;
}

VerifyAnswer verifyEdit(const ServiceModels& models, const VerifyRequest& request, Progress& progress) {
    const OpenedModel& opened = models.opened;
    const RunSettings settings = settingsOf(request.run);
    OpenedModel before = opened;
    before.model = stateBefore(opened, request);
    const GraphInputs inputs = inputsOf(before, request.run, settings);
    const VerifyCard card = verifyChange(before.model, opened.model, inputs, settings, {}, progress);
    const RunComparison& comparison = card.comparison;
    VerifyAnswer out;
    out.state = static_cast<VerifyAnswer::State>(comparison.verdict);
    out.headline = verdictHeadline(comparison.verdict);
    out.detail = comparison.verdict == Verdict::Fails ? comparison.fault
                 : card.first.empty()                 ? ""
                                                      : "first at " + card.first;
    out.inputs = card.inputs;
    out.nodes = nodesText(card);
    if (card.before) {
        out.before = costsText(*card.before);
        out.after = costsText(*card.after);
    }
    out.rows = rowsOf(comparison, before.model.graph(), opened.model.graph());
    return out;
}

BisectAnswer bisectEdit(const ServiceModels& models, const VerifyRequest& request, Progress& progress) {
    const OpenedModel& opened = models.opened;
    const RunSettings settings = settingsOf(request.run);
    OpenedModel before = opened;
    before.model = stateBefore(opened, request); // which has shown that the changes are those of the model
    const GraphInputs inputs = inputsOf(before, request.run, settings);
    const Bisection found =
        bisectChanges(opened.model, request.undoing.changes, inputs, settings, {}, progress);
    return {found.changes, found.tries, found.good, found.bad, found.nodes};
}

} // namespace

std::string verdictHeadline(Verdict verdict) {
    switch (verdict) {
    case Verdict::Equal:
        return "Results equal in every element";
    case Verdict::Within:
        return "Results equal but for rounding";
    case Verdict::Different:
        return "Results differ";
    case Verdict::Fails:
        return "The model fails now";
    }
    return "";
}

const Service<VerifyRequest, VerifyAnswer> kVerifyService =
    makeService<VerifyRequest, VerifyAnswer>("verify", verifyEdit);
const Service<VerifyRequest, BisectAnswer> kBisectService =
    makeService<VerifyRequest, BisectAnswer>("bisect", bisectEdit);

} // namespace fx
