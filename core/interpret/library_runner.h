// SPDX-License-Identifier: GPL-3.0-or-later
// Runs what is Python in PyTorch by the library's text: the leaf modules of a graph, as instances of
// torch.nn's classes made from what the model holds, and functions such as those of torch.nn.functional.
#pragma once

#include "core/interpret/module_instances.h"
#include "core/interpret/run_tensors.h"
#include "core/torch/host/torch_hosts.h"
#include "core/trace/tracing_host.h"

#include <unordered_map>

namespace fx {

class LibraryRunner {
public:
    LibraryRunner(const Model& model, RunTensors& state, EvaluationLimits limits = {});
    /// Whether the function is one of those, or of the model's own source.
    bool knows(Target function);
    Value callFunction(Target function, Values args, NamedValues kwargs);
    /// Puts members of the source's enums in the place of what stands for them in the value of an argument.
    Value withMembers(const Argument& argument, Value value);
    static bool knowsMethod(const std::string& name);
    Value callMethod(const Value& self, const std::string& name, Values args, NamedValues kwargs);
    /// Calls the module. Throws an Error for a class that is not known here.
    Value callModule(ModuleId module, Values args, NamedValues kwargs);
    /// A parameter or buffer of a module as its calls have left it; none if it was not called.
    std::optional<at::Tensor> tensor(ModuleId module, const NamedTensor& entry) const;

private:
    Value argument(Value value);
    Value request(const std::function<Value()>& work);
    std::optional<Value> userFunction(Target function);

    const Model& m_model;
    TorchHosts m_torch;
    TracingHost m_tracing{m_torch}; ///< for functions of the source that trace themselves
    SourceModules m_sources;
    Evaluator m_evaluator;
    ModuleInstances m_instances;
    std::unordered_map<Target, std::optional<Value>> m_userFunctions;
};

} // namespace fx
