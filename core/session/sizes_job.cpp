// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/sizes_job.h"

#include "core/open/run_inputs.h"
#include "core/passes/symbolic/symbolic_shapes.h"
#include "core/session/make_service.h"
#include "core/session/value_wire.h"
#include "core/torch/bind/call.h"

namespace fx {

auto fields(KnownRange& x) {
    return std::tie(x.least, x.most);
}
auto fields(SizesRequest& x) {
    return std::tie(x.run, x.sizes, x.ranges);
}
auto fields(SizeNote& x) {
    return std::tie(x.text, x.node);
}
auto fields(SizesAnswer& x) {
    return std::tie(x.values, x.symbols, x.asked, x.notes);
}

namespace {

bool isNodeOf(const Model& model, NodeRef node) {
    return node.module.value >= 0 && static_cast<size_t>(node.module.value) < model.moduleCount() &&
           model.module(node.module).graph && model.graph(node.module).contains(node.node);
}

SizesAnswer findSizes(const ServiceModels& models, const SizesRequest& request, Progress& progress) {
    const OpenedModel& opened = models.opened;
    const RunSettings settings = settingsOf(request.run);
    SymbolicShapes found;
    guarded([&] {
        const SymbolicInputs inputs = readSymbolicInputs(opened.model, request.sizes);
        GraphInputs others;
        if (needsMore(opened.model, inputs))
            others = makeInputs(opened, specsOf(request.run, settings));
        found = findSymbolicShapes(opened.model, inputs, others, request.ranges, progress);
    });
    SizesAnswer out;
    const auto at = [](const NodeKey& key) { return NodeRef{key.first, key.second}; };
    for (auto& [key, value] : found.values)
        out.values[at(key)] = std::move(value);
    out.symbols = std::move(found.symbols);
    for (const SizeConstraint& constraint : found.constraints)
        out.asked.push_back({constraint.text, at(constraint.node)});
    for (const auto& [name, key] : found.fresh)
        out.notes.push_back({name + " depends on data", at(key)});
    for (const NodeKey& key : found.varying)
        out.notes.push_back(
            {"how many values or dimensions there are depends on the sizes: shown is one case", at(key)});
    return out;
}

void requireNodes(const OpenedModel& opened, const SizesAnswer& answer) {
    for (const std::vector<SizeNote>* notes : {&answer.asked, &answer.notes})
        for (const SizeNote& note : *notes)
            if (!isNodeOf(opened.model, note.node))
                WireReader::fail();
}

} // namespace

std::map<std::string, KnownRange> rangesOf(const OpenedModel& opened) {
    std::map<std::string, KnownRange> out;
    for (const auto& [symbol, range] : opened.symbols)
        out[symbol] = {range.least, range.most};
    return out;
}

const Service<SizesRequest, SizesAnswer> kSizesService = [] {
    auto out = makeService<SizesRequest, SizesAnswer>("sizes", findSizes);
    out.check = requireNodes;
    return out;
}();

} // namespace fx
