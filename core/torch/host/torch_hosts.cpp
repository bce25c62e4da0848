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
    m_overrides.addTo(evaluator);
    evaluator.hosts().add(m_names, {HostedKind::Function, HostedKind::Namespace});
    evaluator.hosts().add(
        m_tensors, {HostedKind::Data, HostedKind::Constant, HostedKind::Method, HostedKind::Submodule});
    evaluator.names().add(m_names);
    evaluator.names().add(m_modules);
    // Libraries for several frameworks look in sys.modules which of them there are.
    evaluator.modules().set("torch", *m_names.importModule(evaluator, "torch"));
}

} // namespace fx
