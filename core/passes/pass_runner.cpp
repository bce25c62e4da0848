// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/pass_runner.h"

#include "core/base/error.h"
#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/module/known_faults.h"
#include "core/torch/bind/call.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace fx {

namespace {

/// What a pass did to one node, all in all.
struct NodeFate {
    bool isAdded = false, isChanged = false, isAnnotated = false;
};

void sortNodes(const Model& model, PassReport& report) {
    std::map<std::pair<ModuleId, NodeId>, NodeFate> fates;
    for (const Change& change : report.changes) {
        const auto* step = std::get_if<GraphChange>(&change.step);
        const NodeId node = step ? changedNode(*step) : NodeId();
        if (!node)
            continue;
        NodeFate& fate = fates[{change.module, node}];
        std::visit(Overloaded{[&](const NodeCreated&) { fate.isAdded = true; },
                              [&](const MetaChanged&) { fate.isAnnotated = true; },
                              [&](const auto&) { fate.isChanged = true; }},
                   *step);
    }
    for (const auto& [at, fate] : fates) {
        const bool isGone = !model.graph(at.first).contains(at.second);
        if (fate.isAdded && isGone)
            continue;
        if (isGone)
            report.removed.push_back(at);
        else if (fate.isAdded)
            report.added.push_back(at);
        else if (fate.isChanged)
            report.changed.push_back(at);
        else
            report.annotated.push_back(at);
    }
}

/// Writes the name of the pass into the metadata of what it made and changed.
void noteOrigin(Model& model, ModuleId module, PassReport& report) {
    Edit edit(model, module);
    for (const PassReport::Nodes* nodes : {&report.added, &report.changed})
        for (const auto& [graph, id] : *nodes) {
            if (edit.module() != graph)
                edit.enter(graph);
            const auto* before = edit.node(id).meta.find<Argument>(meta::kPasses);
            ListValue names;
            if (before && before->as<ListValue>())
                names = *before->as<ListValue>();
            if (names.items.empty() || !(names.items.back() == Argument(report.pass)))
                names.items.emplace_back(report.pass);
            edit.setMeta(id, meta::kPasses, Argument(std::move(names)));
        }
    for (const Change& change : edit.finish())
        report.changes.emplace_back(change);
}

void requireDialect(const Pass& pass, const Graph& graph) {
    const GraphDialect found = dialectOf(graph);
    if (!found.isEither &&
        std::find(pass.dialects.begin(), pass.dialects.end(), found.dialect) == pass.dialects.end())
        throw Error(pass.name, "takes graphs of the dialect '" +
                                   std::string(dialectName(pass.dialects.front())) + "', and this one is '" +
                                   std::string(dialectName(found.dialect)) + "'")
            .hint(found.dialect == Dialect::Aten ? "trace the model's source instead of exporting it"
                                                 : "export the model with torch.export and open the .pt2");
}

/// Those modules that the model has not.
void addSources(Model& model, std::vector<SourceText> sources) {
    std::vector<SourceText> all = model.sources();
    for (SourceText& source : sources)
        if (std::none_of(all.begin(), all.end(),
                         [&](const SourceText& known) { return known.module == source.module; }))
            all.push_back(std::move(source));
    if (all.size() > model.sources().size())
        model.setSources(std::move(all));
}

} // namespace

std::string PassReport::text() const {
    std::vector<std::string> parts;
    const auto add = [&](const Nodes& nodes, const char* what) {
        if (!nodes.empty())
            parts.push_back(plural(nodes.size(), "node") + ' ' + what);
    };
    add(removed, "removed");
    add(added, "added");
    add(changed, "changed");
    add(annotated, "annotated");
    if (parts.empty())
        return hasChanged() ? "modules changed" : "no change";
    return join(parts, ", ");
}

PassReport runPass(Model& model, ModuleId module, const Pass& pass, const PassOptions& options,
                   PassContext& context) {
    const auto begin = std::chrono::steady_clock::now();
    context.progress.step(0, pass.title);
    requireDialect(pass, model.graph(module));
    options.requireNodes(model.graph(module));
    const KnownFaults known(model, graphsOf(model));
    PassReport report;
    report.pass = pass.name;
    {
        Edit edit(model, module);
        guarded([&] { pass.run(edit, options, context); });
        context.progress.step(1, pass.title);
        if (const std::string fault = known.firstNew(model, graphsOf(model));
            !fault.empty() && !pass.mayLeaveFaults)
            throw Error(pass.name, "would leave the graph with a fault: " + fault).hint("it was taken back");
        context.warnings.insert(context.warnings.end(), edit.warnings().begin(), edit.warnings().end());
        report.changes = edit.finish();
    }
    addSources(model, std::move(context.sources));
    sortNodes(model, report);
    noteOrigin(model, module, report);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report.warnings = std::move(context.warnings);
    report.results = std::move(context.results);
    report.output = std::move(context.output);
    report.tables = std::move(context.tables);
    return report;
}

} // namespace fx
