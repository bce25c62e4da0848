// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fxpython/fx_module.h"

#include "core/fxpython/capture_functions.h"
#include "core/fxpython/dispatch_functions.h"
#include "core/fxpython/own_operators.h"
#include "core/fxpython/schema_functions.h"

namespace fx {

FxModule::~FxModule() {
    for (const std::weak_ptr<ProgramGraph>& graph : m_graphs)
        if (const std::shared_ptr<ProgramGraph> alive = graph.lock())
            alive->clear();
}

std::shared_ptr<ProgramGraph> FxModule::makeGraph(std::string rootType) {
    std::erase_if(m_graphs, [](const auto& graph) { return graph.expired(); });
    const auto made = std::make_shared<ProgramGraph>(std::move(rootType));
    m_graphs.push_back(made);
    return made;
}

std::optional<Value> FxModule::importModule(Evaluator&, const std::string& name) {
    if (name != "torch.fx._graphs")
        return std::nullopt;
    NativeModule module(name);
    addNodeFunctions(module);
    addCodeFunctions(module);
    addGraphFunctions(module, *this);
    addInterpreterFunctions(module);
    addSchemaFunctions(module);
    addCaptureFunctions(module);
    addDispatchFunctions(module);
    addOwnOperators(module);
    return module.value();
}

} // namespace fx
