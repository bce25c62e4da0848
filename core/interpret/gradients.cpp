// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/gradients.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/structure.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>
#include <ATen/SequenceNumber.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_set>

namespace fx {

namespace {

using torch::autograd::variable_list;

bool isDifferentiable(const at::Tensor& tensor) {
    return tensor.defined() && (tensor.is_floating_point() || tensor.is_complex());
}

/// The end of autograd's graph at an input, as AccumulateGrad is at a parameter. The tensor itself is no
/// leaf, so that a graph may write into it.
struct InputEnd : torch::autograd::Node {
    variable_list apply(variable_list&&) override { return {}; }
    std::string name() const override { return "Input"; }
};

at::Tensor tracked(const at::Tensor& tensor) {
    if (!isDifferentiable(tensor) || tensor.requires_grad())
        return tensor;
    at::Tensor out = tensor.is_inference() ? tensor.clone() : tensor.variable_data();
    torch::autograd::set_history(out, c10::make_intrusive<InputEnd>());
    return out;
}

/// Why nothing can be said of the tensor's gradient, as it comes out of a node; empty: something can.
std::string whyNotRecorded(const at::Tensor& tensor) {
    if (tensor.requires_grad())
        return {};
    if (!at::GradMode::is_enabled() || tensor.is_inference())
        return "it was computed where gradients are off";
    return "it depends on no input and no parameter that has a gradient";
}

/// What has the numbers of a gradient.
at::Tensor plainNumbers(const at::Tensor& gradient) {
    return gradient.is_sparse() ? gradient._values() : gradient;
}

GradientRecord recordOf(NodeRef node, TensorId tensor, const Value& gradient) {
    GradientRecord out{node, tensor, describeValue(gradient)};
    for (const Value& leaf : flattened(gradient)) {
        if (!leaf.isTensor() || !leaf.data().toTensor().defined())
            continue;
        const at::Tensor& each = leaf.data().toTensor();
        out.health.add(healthOf(Value(c10::IValue(plainNumbers(each)))));
    }
    return out;
}

Health healthOf(const variable_list& gradients) {
    Health out;
    for (const at::Tensor& each : gradients)
        if (each.defined())
            out.add(fx::healthOf(Value(c10::IValue(plainNumbers(each)))));
    return out;
}

/// "NaN in 1 of 3 elements, first at [0]".
std::string unhealthText(const variable_list& gradients, const Health& health) {
    for (const at::Tensor& each : gradients) {
        if (!each.defined() || fx::healthOf(Value(c10::IValue(plainNumbers(each)))).isFinite())
            continue;
        const at::Tensor numbers = plainNumbers(each);
        const at::Tensor bad = health.hasNan ? numbers.isnan() : numbers.isinf();
        if (!bad.any().item<bool>())
            continue;
        const at::Tensor first = bad.nonzero().select(0, 0).cpu();
        std::string at;
        for (int64_t i = 0; i < first.numel(); ++i)
            at += (i ? ", " : "") + std::to_string(first[i].item<int64_t>());
        return std::string(health.hasNan ? "NaN" : "Inf") + " in " +
               std::to_string(bad.sum().item<int64_t>()) + " of " +
               plural(static_cast<size_t>(numbers.numel()), "element") + ", first at [" + at + ']';
    }
    return health.hasNan ? "NaN" : "Inf";
}

} // namespace

Loss lossOf(const Value& value, const std::string& name) {
    const Values leaves = flattened(value);
    for (size_t i = 0; i < leaves.size(); ++i) {
        if (!leaves[i].isTensor())
            continue;
        const at::Tensor& tensor = leaves[i].data().toTensor();
        if (!tensor.defined() || !tensor.is_floating_point() || !tensor.requires_grad())
            continue;
        const std::string part = leaves.size() > 1 ? name + '[' + std::to_string(i) + ']' : name;
        if (tensor.numel() == 1)
            return {tensor.reshape({}), part};
        return {tensor.sum(), "the sum of " + part};
    }
    throw Error("", "there is nothing to differentiate: " + name +
                        " holds no floating-point tensor that depends on an " +
                        "input or a parameter with a gradient")
        .hint("a loss is such a value, computed outside no_grad; --grad EXPRESSION names another one");
}

std::string lossText(const Loss& loss) {
    return loss.text + " = " + valueText(Value(c10::IValue(loss.value.item())));
}

/// What hooks share. They stay on values when the tape is gone.
struct GradientTape::State {
    struct Watched {
        uint64_t turn = 0; ///< the hooks of an earlier turn tell nothing
        Value value;       ///< where it is more than a tensor
        std::vector<at::Tensor> gradients;
        GradientRecord record;
    };
    Keep keep;
    std::mutex mutex;
    std::map<NodeRef, Watched> watched;
    std::optional<uint64_t> faulty; ///< the function that made the first gradient that is not finite
    std::string faultText;
    std::function<bool()> isCancelled;

    void take(NodeRef node, uint64_t turn, size_t index, const at::Tensor& gradient) {
        const std::lock_guard lock(mutex);
        Watched& known = watched.at(node);
        if (known.turn != turn || !gradient.defined())
            return;
        Value whole = c10::IValue(gradient);
        if (!known.gradients.empty()) {
            known.gradients[index] = gradient;
            size_t next = 0;
            whole = mapTensors(known.value, [&](const at::Tensor&) { return known.gradients[next++]; });
        }
        known.record = recordOf(node, {}, whole);
        keep(known.record, whole);
    }

    void check(const torch::autograd::Node& function, const variable_list& made, const variable_list& given) {
        if (isCancelled && isCancelled())
            throw Cancelled();
        const std::lock_guard lock(mutex);
        if (faulty)
            return;
        const Health health = healthOf(made);
        if (health.isFinite())
            return;
        faulty = function.sequence_nr();
        const bool isMadeHere = healthOf(given).isFinite();
        faultText = isMadeHere ? function.name() + " makes " + unhealthText(made, health) +
                                     ", out of finite gradients"
                               : "the finite gradients that come to " + function.name() + " add up to " +
                                     unhealthText(given, healthOf(given));
    }
};

namespace {

/// Looks at what a function of autograd's has made.
template <class State>
struct Watch : torch::autograd::FunctionPostHook {
    Watch(const torch::autograd::Node& function, std::weak_ptr<State> state)
        : m_function(function), m_state(std::move(state)) {}
    variable_list operator()(const variable_list& made, const variable_list& given) override {
        if (const std::shared_ptr<State> state = m_state.lock())
            state->check(m_function, made, given);
        return made;
    }

private:
    const torch::autograd::Node& m_function; ///< which owns this
    std::weak_ptr<State> m_state;
};

/// All functions that the loss comes from.
std::vector<torch::autograd::Node*> functionsBehind(const at::Tensor& loss) {
    std::vector<torch::autograd::Node*> out;
    std::unordered_set<torch::autograd::Node*> known;
    const auto add = [&](torch::autograd::Node* function) {
        if (function && known.insert(function).second)
            out.push_back(function);
    };
    add(torch::autograd::impl::gradient_edge(loss).function.get());
    for (size_t next = 0; next < out.size(); ++next) // which grows
        for (const torch::autograd::Edge& edge : out[next]->next_edges())
            add(edge.function.get());
    return out;
}

} // namespace

GradientTape::GradientTape(Keep keep) : m_state(std::make_shared<State>()) {
    m_state->keep = std::move(keep);
}

GradientTape::~GradientTape() = default;

GraphInputs GradientTape::track(GraphInputs inputs) {
    const c10::InferenceMode plain(false);
    return mapTensors(std::move(inputs), tracked);
}

void GradientTape::beforeNode(Interpreter& interpreter, const Node&) {
    m_begun[interpreter.activation()] = at::sequence_number::peek();
}

void GradientTape::afterNode(const Interpreter& interpreter, const Node& node, const Value& value) {
    const NodeRef ref{interpreter.module(), node.id};
    const auto begun = m_begun.extract(interpreter.activation());
    m_spans.push_back({begun.mapped(), at::sequence_number::peek(), ref});
    watch(ref, value);
}

void GradientTape::watch(NodeRef node, const Value& value) {
    const Values leaves = flattened(value);
    if (std::ranges::none_of(leaves, [](const Value& leaf) {
            return leaf.isTensor() && isDifferentiable(leaf.data().toTensor());
        }))
        return;
    const auto [place, isNew] = m_state->watched.try_emplace(node);
    if (isNew)
        m_order.push_back(node);
    State::Watched& known = place->second;
    ++known.turn;
    known.record = {};
    known.record.node = node;
    known.record.absence = "the loss does not depend on it";
    known.gradients.clear();
    size_t index = 0;
    for (const Value& leaf : leaves) {
        if (!leaf.isTensor())
            continue;
        const at::Tensor& tensor = leaf.data().toTensor();
        if (isDifferentiable(tensor) && tensor.requires_grad())
            tensor.register_hook(
                [state = std::weak_ptr(m_state), node, turn = known.turn, index](const at::Tensor& gradient) {
                    if (const std::shared_ptr<State> there = state.lock())
                        there->take(node, turn, index, gradient);
                });
        else if (isDifferentiable(tensor))
            known.record.absence = whyNotRecorded(tensor);
        ++index;
    }
    if (!value.isTensor()) {
        known.value = value;
        known.gradients.resize(index);
    }
}

void GradientTape::differentiate(const Loss& loss, const RunTensors& state,
                                 const std::function<bool()>& isCancelled) {
    m_state->isCancelled = isCancelled;
    torch::autograd::edge_list ends;
    std::vector<const c10::TensorImpl*> leaves; ///< of the ends; null where it is none
    for (torch::autograd::Node* function : functionsBehind(loss.value)) {
        const auto* leaf = dynamic_cast<torch::autograd::AccumulateGrad*>(function);
        if (leaf || dynamic_cast<InputEnd*>(function)) {
            ends.emplace_back(function->getptr(), 0);
            leaves.push_back(leaf ? leaf->variable.unsafeGetTensorImpl() : nullptr);
        }
        function->add_post_hook(std::make_unique<Watch<State>>(*function, m_state));
    }
    variable_list gradients;
    guarded([&] {
        gradients = torch::autograd::Engine::get_default_engine().execute(
            {torch::autograd::impl::gradient_edge(loss.value)}, {at::ones_like(loss.value)}, false, false,
            false, ends);
    });
    std::map<const c10::TensorImpl*, at::Tensor> byLeaf;
    for (size_t i = 0; i < ends.size(); ++i)
        if (leaves[i])
            byLeaf[leaves[i]] = gradients[i];
    for (const auto& [id, tensor] : state.tensors()) {
        if (!tensor.requires_grad())
            continue;
        const at::Tensor gradient = byLeaf[tensor.unsafeGetTensorImpl()];
        GradientRecord& record = m_parameters.emplace_back();
        record.tensor = id;
        record.absence = "the loss does not depend on it";
        if (gradient.defined()) {
            record = recordOf({}, id, Value(c10::IValue(gradient)));
            m_state->keep(record, Value(c10::IValue(gradient)));
        }
    }
    std::ranges::sort(m_parameters, {}, &GradientRecord::tensor);
    if (m_state->faulty)
        m_fault = BackwardFault{nodesThatMade(*m_state->faulty), m_state->faultText};
    m_state->isCancelled = {};
}

/// Outermost first.
std::vector<NodeRef> GradientTape::nodesThatMade(uint64_t function) const {
    std::vector<NodeRef> out;
    for (const Span& span : m_spans)
        if (span.first <= function && function < span.last)
            out.insert(out.begin(), span.node);
    return out;
}

std::vector<GradientRecord> GradientTape::records() const {
    std::vector<GradientRecord> out;
    for (const NodeRef node : m_order)
        out.push_back(m_state->watched.at(node).record);
    out.insert(out.end(), m_parameters.begin(), m_parameters.end());
    return out;
}

const std::optional<BackwardFault>& GradientTape::fault() const {
    return m_fault;
}

} // namespace fx
