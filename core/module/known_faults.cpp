// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/module/known_faults.h"

namespace fx {

namespace {

/// Without the text of the graph, which torch.fx prints below and which every edit changes.
std::string firstLine(const LintFault& fault) {
    return fault.message.substr(0, fault.message.find('\n'));
}

} // namespace

std::vector<ModuleId> graphsOf(const Model& model) {
    std::vector<ModuleId> out;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        if (model.module(id).graph)
            out.push_back(id);
    });
    return out;
}

KnownFaults::KnownFaults(const Model& model, const std::vector<ModuleId>& graphs) {
    for (const ModuleId graph : graphs)
        for (const LintFault& fault : lint(model, graph))
            m_faults.emplace(graph, firstLine(fault));
}

std::string KnownFaults::firstNew(const Model& model, const std::vector<ModuleId>& graphs) const {
    for (const ModuleId graph : graphs)
        for (const LintFault& fault : lint(model, graph))
            if (!m_faults.contains({graph, firstLine(fault)}))
                return firstLine(fault);
    return {};
}

} // namespace fx
