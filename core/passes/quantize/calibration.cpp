// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/calibration.h"

#include "core/interpret/structure.h"
#include "core/ir/dtype.h"
#include "core/torch/bind/data_stand_ins.h"

namespace fx {

Calibration::Calibration(const Model& model, ModuleId module, const std::vector<QuantizableUnit>& units,
                         ObserverKind kind, double share)
    : m_model(model), m_module(module), m_writes(model, module), m_kind(kind), m_share(share) {
    for (const QuantizableUnit& unit : units) {
        for (const NodeId input : unit.inputs)
            m_groups.try_emplace(input, input);
        // As torch.ao has it: all are observed with the first that it is given, also where one of them had
        // another before.
        const NodeId first =
            unit.kind == UnitKind::Shares && !unit.inputs.empty() ? m_groups.at(unit.inputs[0]) : unit.last;
        if (unit.kind == UnitKind::Shares)
            for (const NodeId input : unit.inputs)
                m_groups[input] = first;
        m_groups[unit.last] = first;
    }
}

RunSettings comparable(RunSettings settings) {
    if (settings.gradMode == GradMode::Grad)
        settings.gradMode = GradMode::NoGrad;
    settings.seed = settings.seed.value_or(0);
    return settings;
}

void Calibration::run(const GraphInputs& inputs, const RunSettings& settings, Observer& progress) {
    const auto context = std::make_shared<RunContext>(m_model, comparable(settings));
    context->observers = {this, &progress};
    const Value result = Interpreter(context, m_model.root()).run(inputs);
    if (m_runs++ == 0)
        m_result = result;
}

bool Calibration::takeRecordedTypes() {
    m_hasRanges = false;
    for (const auto& [id, group] : m_groups) {
        const ValueMeta* known = knownValue(m_model.graph(m_module).node(id).meta);
        if (!known)
            return false;
        const auto* tensor = std::get_if<TensorMeta>(&known->value);
        m_seen[id] = {.isTensor = tensor != nullptr, .dtype = tensor ? tensor->dtype : at::kFloat};
    }
    return true;
}

void Calibration::findTypes(const GraphInputs& inputs, const RunSettings& settings, Observer& progress) {
    m_hasRanges = false;
    m_seen.clear();
    RunSettings onMeta = settings;
    onMeta.device = c10::Device(c10::kMeta);
    try {
        const DataStandIns data(0);
        run(onDevice(inputs, onMeta.device), onMeta, progress);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        m_seen.clear();
        run(inputs, settings, progress);
    }
}

void Calibration::afterNode(const Interpreter& interpreter, const Node& node, const Value& value) {
    if (interpreter.module() != m_module || !m_groups.contains(node.id))
        return;
    Seen& seen = m_seen[node.id];
    if (!value.isTensor() || !value.data().toTensor().defined()) {
        seen.isTensor = false;
        return;
    }
    const at::Tensor& tensor = value.data().toTensor();
    seen.isTensor = true;
    seen.dtype = tensor.scalar_type();
    const bool isFloat = seen.dtype == at::kFloat;
    if ((!isFloat && seen.dtype != at::kBFloat16) || tensor.is_meta() || !m_hasRanges)
        return;
    if (m_runs == 0)
        seen.first = m_writes.isWritten(node.id) ? tensor.clone() : tensor;
    if (isFloat)
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
        if (!m_hasRanges)
            continue;
        const RangeObserver* observer = rangeOf(value);
        if (!observer || !observer->hasSeen())
            return "as they have no values to observe";
        if (!observer->isFinite())
            return "as their values are not finite";
    }
    return {};
}

const RangeObserver* Calibration::rangeOf(NodeId value) const {
    const auto found = m_observers.find(groupOf(value));
    return found == m_observers.end() ? nullptr : &found->second;
}

at::Tensor Calibration::reference(NodeId value) const {
    const auto seen = m_seen.find(value);
    return seen == m_seen.end() ? at::Tensor() : seen->second.first;
}

} // namespace fx
