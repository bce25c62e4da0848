// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/sizes_job.h"

#include "core/open/run_inputs.h"
#include "core/passes/symbolic/symbolic_shapes.h"
#include "core/session/debug_wire.h"
#include "core/session/value_wire.h"
#include "core/torch/bind/call.h"

namespace fx {

auto fields(KnownRange& x) {
    return std::tie(x.least, x.most);
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

} // namespace

std::map<std::string, KnownRange> rangesOf(const OpenedModel& opened) {
    std::map<std::string, KnownRange> out;
    for (const auto& [symbol, range] : opened.symbols)
        out[symbol] = {range.least, range.most};
    return out;
}

SizesAnswer findSizes(const OpenedModel& opened, const SizesRequest& request, Progress& progress) {
    loadLibraries(request.run);
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

SizesAnswer findSizesApart(const OpenedModel& opened, const SizesRequest& request, Progress& progress,
                           const WorkerOptions& options) {
    const Message question{MessageKind::Size, 0,
                           toWire(std::tuple(runBytes(request.run), request.sizes, request.ranges))};
    auto out =
        fromWire<SizesAnswer>(answerApart(opened, question, "sizes", request.run, progress, options).body);
    for (const std::vector<SizeNote>* notes : {&out.asked, &out.notes})
        for (const SizeNote& note : *notes)
            if (!isNodeOf(opened.model, note.node))
                WireReader::fail();
    return out;
}

SizesRequest sizesRequestFrom(std::string_view bytes) {
    const auto [run, sizes, ranges] =
        fromWire<std::tuple<std::string, std::string, std::map<std::string, KnownRange>>>(bytes);
    return {runFrom(run), sizes, ranges};
}

Message sizesMessage(const SizesAnswer& answer) {
    return {MessageKind::Sized, 0, toWire(answer)};
}

} // namespace fx
