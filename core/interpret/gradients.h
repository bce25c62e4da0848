// SPDX-License-Identifier: GPL-3.0-or-later
// The gradient of a loss for each value of a run. An observer of the one loop puts a hook of autograd's on
// each value as it comes; autograd's engine then goes back from the loss. What is kept of the gradients, and
// for how long, says who asks for them.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/interpret/interpreter.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// What is differentiated.
struct Loss {
    at::Tensor value; ///< of one element
    std::string text; ///< "the sum of output[0]"
};
/// The first floating-point tensor of the value that has a gradient: itself where it has one element, else
/// its sum. `name`: what the value is called. Throws an Error where there is no such tensor.
Loss lossOf(const Value& value, const std::string& name);

/// A function of autograd's that was given finite gradients only, and gave NaN or Inf.
struct BackwardFault {
    std::vector<NodeRef> nodes; ///< that made it in the forward run, innermost last; none: the loss did
    std::string message;
};

/// "the sum of output[0] = 1.25".
std::string lossText(const Loss& loss);

class GradientTape : public Observer {
public:
    /// Is told of a gradient as soon as it is known, one at a time, from any thread.
    using Keep = std::function<void(const GradientRecord& record, const Value& gradient)>;

    explicit GradientTape(Keep keep);
    ~GradientTape() override;

    /// The inputs that the run is to have, so that gradients reach them: the same memory, of which autograd
    /// knows. Inputs that require gradients already stay as they are.
    GraphInputs track(GraphInputs inputs);
    void beforeNode(Interpreter& interpreter, const Node& node) override;
    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override;
    /// The node's value is this one from now on.
    void watch(NodeRef node, const Value& value);

    /// Goes back from the loss, through what the run has recorded, and lets go of that. `isCancelled` is
    /// asked on the way, and then Cancelled is thrown. Throws an Error where LibTorch cannot differentiate.
    void differentiate(const Loss& loss, const RunTensors& state, const std::function<bool()>& isCancelled);
    /// What is known of all gradients then: of nodes in the order in which they ran, then of parameters.
    std::vector<GradientRecord> records() const;
    const std::optional<BackwardFault>& fault() const;

private:
    struct State;
    struct Span {
        uint64_t first, last; ///< numbers of autograd's functions
        NodeRef node;
    };
    std::vector<NodeRef> nodesThatMade(uint64_t function) const;

    std::shared_ptr<State> m_state;       ///< hooks outlive the tape with the values that they are on
    std::map<uint64_t, uint64_t> m_begun; ///< by activation: the next function when its node began to run
    std::vector<Span> m_spans;            ///< inner nodes before those that they run in
    std::vector<NodeRef> m_order;
    std::vector<GradientRecord> m_parameters;
    std::optional<BackwardFault> m_fault;
};

} // namespace fx
