// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/layer_errors.h"

#include "core/interpret/structure.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

enum class RunKind { Accumulated, Isolated, Weights };

/// Compares values as they come, and hands on those from before quantization where the run is not to carry
/// errors along.
class ErrorObserver : public Observer {
public:
    ErrorObserver(RunKind kind, ModuleId module, const QuantizationPlan& plan, const QuantizedGraph& graph,
                  const Calibration& calibration, GraphError& out)
        : m_kind(kind), m_module(module), m_out(out) {
        for (size_t i = 0; i < plan.units.size(); ++i)
            if (const at::Tensor reference = calibration.reference(plan.units[i].last); reference.defined())
                m_units[graph.now(plan.units[i].last)] = {i, reference};
        for (size_t i = 0; i < plan.values.size(); ++i) {
            const QuantizedValue& value = graph.values[i];
            const at::Tensor reference = calibration.reference(plan.values[i].value);
            if (!value.isDynamic)
                m_values[value.value] = {plan.values[i].value, &value};
            if (reference.defined() && kind != RunKind::Accumulated) {
                m_exact[value.value] = reference;
                if (kind == RunKind::Weights)
                    m_exact[value.restored] = reference;
            }
        }
        for (const auto& [node, unit] : m_units)
            if (kind != RunKind::Accumulated)
                m_exact[node] = unit.second;
    }

private:
    void beforeNode(Interpreter& interpreter, const Node&) override {
        if (m_pending && interpreter.module() == m_module) {
            // What writes in place must not write into the copy that others are compared with.
            interpreter.setValue(m_pending, Value(c10::IValue(m_exact.at(m_pending).clone())));
            m_pending = {};
        }
    }

    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override {
        if (interpreter.module() != m_module || !value.isTensor())
            return;
        const at::Tensor& tensor = value.data().toTensor();
        if (const auto unit = m_units.find(node.id); unit != m_units.end()) {
            const auto& [index, reference] = unit->second;
            UnitError& error = m_out.units[index];
            std::optional<TensorError>& into = m_kind == RunKind::Accumulated ? error.accumulated
                                               : m_kind == RunKind::Isolated  ? error.isolated
                                                                              : error.byWeights;
            if (tensor.sizes() == reference.sizes())
                into = tensorError(reference, tensor);
        }
        if (const auto found = m_values.find(node.id);
            found != m_values.end() && m_kind == RunKind::Accumulated && tensor.numel() > 0) {
            const auto& [original, at] = found->second;
            const double low = (static_cast<double>(at->scheme.least - at->zeroPoint) - 0.5) * at->scale,
                         high = (static_cast<double>(at->scheme.most - at->zeroPoint) + 0.5) * at->scale;
            const int64_t outside =
                at::count_nonzero((tensor < low).logical_or(tensor > high)).item<int64_t>();
            m_out.clipped[original] = static_cast<double>(outside) / static_cast<double>(tensor.numel());
        }
        if (m_exact.contains(node.id))
            m_pending = node.id;
    }

    RunKind m_kind;
    ModuleId m_module;
    GraphError& m_out;
    std::map<NodeId, std::pair<size_t, at::Tensor>> m_units;
    std::map<NodeId, std::pair<NodeId, const QuantizedValue*>> m_values;
    std::map<NodeId, at::Tensor> m_exact;
    NodeId m_pending;
};

/// All float tensors of a value as one row.
at::Tensor rowOfNumbers(const Value& value) {
    std::vector<at::Tensor> rows;
    for (const Value& leaf : flattened(value))
        if (leaf.isTensor() && leaf.data().toTensor().defined() && leaf.data().toTensor().is_floating_point())
            rows.push_back(leaf.data().toTensor().detach().to(at::kDouble).flatten());
    return rows.empty() ? at::Tensor() : at::cat(rows);
}

} // namespace

GraphError measureErrors(const Model& model, ModuleId module, const QuantizationPlan& plan,
                         const QuantizedGraph& graph, const Calibration& calibration,
                         const GraphInputs& inputs, const RunSettings& settings, Observer& progress,
                         bool areUnitsWanted) {
    GraphError out;
    out.units.resize(plan.units.size());
    for (const RunKind kind : {RunKind::Accumulated, RunKind::Isolated, RunKind::Weights}) {
        if (kind != RunKind::Accumulated && !areUnitsWanted)
            break;
        ErrorObserver observer(kind, module, plan, graph, calibration, out);
        const auto context = std::make_shared<RunContext>(model, comparable(settings));
        context->observers = {&observer, &progress};
        const Value result = Interpreter(context, model.root()).run(inputs);
        if (kind != RunKind::Accumulated)
            continue;
        const at::Tensor was = rowOfNumbers(calibration.result()), is = rowOfNumbers(result);
        if (was.defined() && is.defined() && was.sizes() == is.sizes())
            out.result = tensorError(was, is);
    }
    return out;
}

} // namespace fx
