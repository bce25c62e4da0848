// SPDX-License-Identifier: GPL-3.0-or-later
// The gradients of a session's run: which loss is differentiated, and what is told of it.
#pragma once

#include "core/interpret/gradients.h"
#include "core/run/session_values.h"

#include <functional>
#include <string>

namespace fx {

class SessionGradients {
public:
    /// `loss`: as in DebugOptions.
    SessionGradients(SessionValues& values, std::string loss)
        : m_values(values), m_loss(std::move(loss)),
          m_tape([&values](const GradientRecord& record, const Value& gradient) {
              values.gradients().put(record, gradient);
          }) {}

    GradientTape& tape() { return m_tape; }
    /// The node's value was replaced.
    void watchAgain(NodeRef node) {
        if (const Value* value = m_values.store().find(node))
            m_tape.watch(node, *value);
    }
    /// Once the run is over; `result` is what its caller gets. Throws an Error where there is no such loss.
    Differentiated differentiate(const Value& result, const RunTensors& state,
                                 const std::function<bool()>& isCancelled);

    /// Where a gradient is not finite: at the node that ran when what made it was recorded.
    std::optional<Failed> failure(const Model& model, const FrameStack& frames) const;

private:
    SessionValues& m_values;
    const std::string m_loss;
    GradientTape m_tape;
};

} // namespace fx
