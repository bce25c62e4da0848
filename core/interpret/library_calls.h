// SPDX-License-Identifier: GPL-3.0-or-later
// What is Python in PyTorch - modules of torch.nn, functions of torch.nn.functional - as the operators that a
// call of it comes to: our own text of it (core/torch/library) is traced, call by call.
#pragma once

#include "core/interpret/module_instances.h"
#include "core/torch/host/torch_hosts.h"
#include "core/trace/tracing_host.h"

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// The nodes that a call reads, each once, in the order in which its arguments name them.
std::vector<NodeId> nodesIn(const Node& node);

/// A call as a graph of calls of operators.
struct CallBody {
    Model model; ///< its graph has a placeholder for each of nodesIn() the call
    /// What get_attr nodes read that is no path below the module.
    std::map<std::string, at::Tensor> constants;
    bool hasFixedSizes = false; ///< it holds for inputs of the sizes of the examples alone
};

class LibraryCalls {
public:
    /// The model must outlive this.
    explicit LibraryCalls(const Model& model);

    /// Whether a node calls what has to be traced: of torch's Python or of the model's own source.
    bool knows(const Node& node);
    /// What is known of an input before it runs: a tensor on the meta device, a number; none.
    using Examples = std::function<std::optional<Value>(NodeId)>;
    /// Throws an Error where it cannot be told what the call does.
    CallBody body(const Node& node, const Examples& examples);
    /// Of a call_module; `isTraining`: of the module and all below, else each as it is.
    CallBody body(const Node& node, ModuleId module, std::optional<bool> isTraining,
                  const Examples& examples);

private:
    using Callee = std::function<Value(Values, NamedValues)>;
    CallBody traced(const Node& node, const Callee& callee, const Examples& examples);
    CallBody attempt(const Node& node, const Callee& callee, const Value& given, bool fixesSizes);
    std::optional<Value> functionOf(const Node& node);
    at::Tensor twinOf(TensorId tensor, TensorRole role);

    const Model& m_model;
    TorchHosts m_torch;
    TracingHost m_tracing{m_torch};
    SourceModules m_sources;
    Evaluator m_evaluator;
    ModuleInstances m_instances;
    std::map<std::pair<TensorId, TensorRole>, at::Tensor> m_twins;   ///< of the model's tensors, without data
    std::unordered_map<const c10::TensorImpl*, std::string> m_paths; ///< of those below the module at hand
};

} // namespace fx
