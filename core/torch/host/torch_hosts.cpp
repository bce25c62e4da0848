// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/torch_hosts.h"

#include "core/torch/host/array_functions.h"

namespace fx {

void TorchHosts::addTo(Evaluator& evaluator) {
    addTorchClasses(evaluator);
    addFunctionalize(evaluator);
    addGradients(evaluator);
    addGradientLevels(evaluator);
    addArrayFunctions(evaluator);
    m_modes.addTo(evaluator);
    evaluator.hosts().add(m_names, {HostedKind::Function, HostedKind::Namespace});
    evaluator.hosts().add(
        m_tensors, {HostedKind::Data, HostedKind::Constant, HostedKind::Method, HostedKind::Submodule});
    evaluator.names().add(m_names);
    evaluator.names().add(m_modules);
}

} // namespace fx
