// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a model to see which values its units read and give: their ranges, and what they were without
// quantization, to compare with. Values that must have one scale have one observer.
#pragma once

#include "core/interpret/interpreter.h"
#include "core/passes/quantize/range_observer.h"
#include "core/passes/quantize/units.h"

#include <ATen/ATen.h>

#include <map>

namespace fx {

/// Of runs whose values are compared: without gradients, and with the same random numbers.
RunSettings comparable(RunSettings settings);

class Calibration : public Observer {
public:
    Calibration(const Model& model, ModuleId module, const std::vector<QuantizableUnit>& units,
                ObserverKind kind, double share);

    /// One run of the model's root; may be called again with other inputs.
    void run(const GraphInputs& inputs, const RunSettings& settings, Observer& progress);
    // In the place of runs, where no ranges are wanted but what the values are: by what is recorded on the
    // nodes (false: that is not enough), or by a run on the device meta, or, where the model cannot run
    // there, one of the model.
    bool takeRecordedTypes();
    void findTypes(const GraphInputs& inputs, const RunSettings& settings, Observer& progress);

    /// Why the unit cannot be quantized after all; empty: it can.
    std::string obstacle(const QuantizableUnit& unit) const;
    /// Those inputs of the unit that are tensors.
    std::vector<NodeId> tensorInputs(const QuantizableUnit& unit) const;
    /// Null after `findTypes`.
    const RangeObserver* rangeOf(NodeId value) const;
    /// Values with the same number have one scale.
    NodeId groupOf(NodeId value) const { return m_groups.at(value); }
    /// What the value was in the first run; undefined where it was no tensor.
    at::Tensor reference(NodeId value) const;
    const Value& result() const { return m_result; } ///< of the first run
    size_t runs() const { return m_runs; }

private:
    struct Seen {
        bool isTensor = false;
        at::ScalarType dtype = at::kFloat;
        at::Tensor first;
    };
    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override;

    const Model& m_model;
    ModuleId m_module;
    SharedWrites m_writes;
    ObserverKind m_kind;
    double m_share;
    bool m_hasRanges = true;
    std::map<NodeId, NodeId> m_groups; ///< by value
    std::map<NodeId, RangeObserver> m_observers;
    std::map<NodeId, Seen> m_seen;
    Value m_result;
    size_t m_runs = 0;
};

} // namespace fx
