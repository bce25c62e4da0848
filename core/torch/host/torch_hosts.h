// SPDX-License-Identifier: GPL-3.0-or-later
// All that an evaluator needs to know torch: its classes, its names, live tensors, and torch.nn.Module.
#pragma once

#include "core/torch/bind/operator_results.h"
#include "core/torch/host/function_modes.h"
#include "core/torch/host/function_overrides.h"
#include "core/torch/host/nn_modules.h"
#include "core/torch/host/tensor_host.h"
#include "core/torch/host/torch_names.h"

namespace fx {

class TorchHosts {
public:
    TorchHosts() = default;
    TorchHosts(const TorchHosts&) = delete;
    TorchHosts& operator=(const TorchHosts&) = delete;

    /// To a new evaluator, which this must outlive.
    void addTo(Evaluator& evaluator);
    TorchNames& names() { return m_names; }
    NnModules& modules() { return m_modules; }
    FunctionOverrides& overrides() { return m_overrides; }

private:
    OperatorResults m_results;
    TorchNames m_names{m_results};
    FunctionModes m_modes;
    FunctionOverrides m_overrides;
    TensorHost m_tensors{m_results, m_modes, m_overrides};
    NnModules m_modules;
};

/// Tensor, Parameter, Size, device and the other classes that are C in PyTorch.
void addTorchClasses(Evaluator& evaluator);
/// What the text of torch.func.functionalize calls.
void addFunctionalize(Evaluator& evaluator);
/// What the text of torch.func's gradients calls.
void addGradientLevels(Evaluator& evaluator);
/// What the text of torch.autograd calls.
void addGradients(Evaluator& evaluator);

} // namespace fx
