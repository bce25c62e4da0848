// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/calibration.h"

#include "core/ir/dtype.h"

namespace fx {

Calibration::Calibration(const Model& model, ModuleId module, const std::vector<QuantizableUnit>& units,
                         ObserverKind kind, double share)
    : m_model(model), m_module(module), m_writes(model, module), m_kind(kind), m_share(share) {
    for (const QuantizableUnit& unit : units) {
        m_parents.try_emplace(unit.last, unit.last);
        for (const NodeId input : unit.inputs) {
            m_parents.try_emplace(input, input);
            if (unit.kind == UnitKind::Shares)
                join(unit.last, input);
        }
    }
}

NodeId Calibration::groupOf(NodeId value) const {
    while (m_parents.at(value) != value)
        value = m_parents.at(value);
    return value;
}

/// The first in the graph stands for both.
void Calibration::join(NodeId a, NodeId b) {
    a = groupOf(a);
    b = groupOf(b);
    const Graph& graph = m_model.graph(m_module);
    if (a == b)
        return;
    if (graph.precedes(a, b))
        m_parents[b] = a;
    else
        m_parents[a] = b;
}

void Calibration::run(const GraphInputs& inputs, const RunSettings& settings, Observer& progress) {
    RunSettings chosen = settings;
    if (chosen.gradMode == GradMode::Grad)
        chosen.gradMode = GradMode::NoGrad;
    const auto context = std::make_shared<RunContext>(m_model, chosen);
    context->observers = {this, &progress};
    const Value result = Interpreter(context, m_model.root()).run(inputs);
    if (m_runs++ == 0)
        m_result = result;
}

void Calibration::afterNode(const Interpreter& interpreter, const Node& node, const Value& value) {
    if (interpreter.module() != m_module || !m_parents.contains(node.id))
        return;
    Seen& seen = m_seen[node.id];
    if (!value.isTensor() || !value.data().toTensor().defined()) {
        seen.isTensor = false;
        return;
    }
    const at::Tensor& tensor = value.data().toTensor();
    seen.isTensor = true;
    seen.dtype = tensor.scalar_type();
    if (seen.dtype != at::kFloat || tensor.is_meta())
        return;
    if (m_runs == 0)
        seen.first = m_writes.isWritten(node.id) ? tensor.clone() : tensor;
    m_observers.try_emplace(groupOf(node.id), m_kind, m_share).first->second.observe(tensor);
}

std::vector<NodeId> Calibration::tensorInputs(const QuantizableUnit& unit) const {
    std::vector<NodeId> out;
    for (const NodeId input : unit.inputs)
        if (const auto seen = m_seen.find(input); seen != m_seen.end() && seen->second.isTensor)
            out.push_back(input);
    return out;
}

std::string Calibration::obstacle(const QuantizableUnit& unit) const {
    std::vector<NodeId> values = tensorInputs(unit);
    if (values.empty())
        return "as the calibration did not reach them";
    values.push_back(unit.last);
    for (const NodeId value : values) {
        const auto seen = m_seen.find(value);
        if (seen == m_seen.end())
            return "as the calibration did not reach them";
        if (!seen->second.isTensor)
            return "as they give no tensor";
        if (seen->second.dtype != at::kFloat)
            return "as they compute in " + dtypeText(seen->second.dtype);
        if (m_writes.concerns(value))
            return "as their values are written in place";
        const auto observer = m_observers.find(groupOf(value));
        if (observer == m_observers.end() || !observer->second.hasSeen())
            return "as their values are empty";
        if (!observer->second.isFinite())
            return "as their values are not finite";
    }
    return {};
}

at::Tensor Calibration::reference(NodeId value) const {
    const auto seen = m_seen.find(value);
    return seen == m_seen.end() ? at::Tensor() : seen->second.first;
}

} // namespace fx
