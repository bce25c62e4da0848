// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/session_gradients.h"

#include "core/torch/bind/call.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

namespace fx {

Differentiated SessionGradients::differentiate(const Value& result, const RunTensors& state,
                                               const std::function<bool()>& isCancelled) {
    const at::AutoGradMode grad(true); // whatever the graph has left
    m_values.setResult(result);
    Loss loss;
    guarded([&] {
        loss = m_loss.empty() ? lossOf(result, "output") : lossOf(m_values.evaluate(m_loss), m_loss);
    });
    m_tape.differentiate(loss, state, isCancelled);
    const std::vector<GradientRecord> records = m_tape.records();
    m_values.gradients().end(records);
    return {lossText(loss), records};
}

std::optional<Failed> SessionGradients::failure(const Model& model, const FrameStack& frames) const {
    const std::optional<BackwardFault>& fault = m_tape.fault();
    if (!fault)
        return std::nullopt;
    Failed out{{}, "the loss", fault->message};
    for (const NodeRef node : fault->nodes) {
        out.node = node;
        out.place = nodePlace(model.graph(node.module), node.node);
        out.frames.push_back({node, frames.pathOf(node.module)});
    }
    return out;
}

} // namespace fx
