// SPDX-License-Identifier: GPL-3.0-or-later
// What a run that was differentiated tells of its gradients.
#include "widgets/session/debug_service.h"
#include "widgets/support/qt_text.h"

namespace fx {

const GradientRecord* DebugService::gradient(NodeRef node, TensorId tensor) const {
    const auto found = m_gradients.find({tensor ? NodeRef() : node, tensor});
    return found == m_gradients.end() ? nullptr : &found->second;
}

void DebugService::startWithGradients() {
    DebugMemory memory = m_inputs;
    memory.gradMode = kOfLoss;
    steer([&] { m_run.start(requestFrom(memory, false)); });
}

void DebugService::take(const Differentiated& done) {
    m_gradients.clear();
    m_loss = qt(done.loss);
    for (const GradientRecord& record : done.records)
        m_gradients[{record.node, record.tensor}] = record;
    Q_EMIT gradientsChanged();
}

void DebugService::forgetGradients() {
    if (m_gradients.empty())
        return;
    m_gradients.clear();
    m_loss.clear();
    Q_EMIT gradientsChanged();
}

} // namespace fx
