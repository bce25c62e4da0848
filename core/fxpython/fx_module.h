// SPDX-License-Identifier: GPL-3.0-or-later
// The module torch.fx._graphs: what the library's text of torch.fx calls for the work on graphs.
#pragma once

#include "core/fxpython/program_graph.h"
#include "core/python/types/native_modules.h"

namespace fx {

class FxModule : public NameSource {
public:
    ~FxModule() override;
    void addTo(Evaluator& evaluator) { evaluator.names().add(*this); }
    std::optional<Value> importModule(Evaluator&, const std::string& name) override;
    /// A graph of a program, which lets go of its objects when this goes.
    std::shared_ptr<ProgramGraph> makeGraph(std::string rootType = "GraphModule");

private:
    std::vector<std::weak_ptr<ProgramGraph>> m_graphs;
};

void addNodeFunctions(NativeModule& module);
void addCodeFunctions(NativeModule& module);
void addGraphFunctions(NativeModule& module, FxModule& graphs);
void addInterpreterFunctions(NativeModule& module);

} // namespace fx
