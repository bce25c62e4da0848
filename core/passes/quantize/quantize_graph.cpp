// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/quantize_graph.h"

#include "core/passes/clean/inline_modules.h"
#include "core/passes/pass_runner.h"
#include "core/passes/quantize/recurrent_layers.h"

#include <algorithm>
#include <limits>

namespace fx {

namespace {

constexpr const char* kQuantize = "torch.ops.quantized_decomposed.quantize_per_tensor.";
constexpr const char* kDequantize = "torch.ops.quantized_decomposed.dequantize_per_tensor.";

class ValueQuantizer {
public:
    explicit ValueQuantizer(Edit& edit) : m_edit(edit) {
        for (const Node& node : edit.graph())
            if (node.opcode == Opcode::Placeholder)
                m_lastInput = node.id;
    }

    void quantize(QuantizedValue& value) {
        m_value = value.value;
        m_at = m_edit.node(m_value).opcode == Opcode::Placeholder ? m_lastInput : m_value;
        std::vector<NodeId> readers = value.readers;
        if (value.isForAll) {
            readers.clear();
            for (const NodeId user : m_edit.node(m_value).users)
                readers.push_back(user);
        }
        const std::string overload = value.isDynamic ? "tensor" : "default";
        Argument scale = value.scale, zeroPoint = value.zeroPoint;
        const IntegerScheme& scheme = value.scheme;
        if (value.isDynamic) {
            const NodeId chosen =
                add("torch.ops.quantized_decomposed.choose_qparams.tensor",
                    {m_value, scheme.least, scheme.most,
                     static_cast<double>(std::numeric_limits<float>::epsilon()), scheme.dtype});
            scale = add("operator.getitem", {chosen, 0});
            zeroPoint = add("operator.getitem", {chosen, 1});
            record(chosen, std::vector<ValueMeta>{one(c10::kDouble), one(c10::kLong)});
            record(scale.node(), one(c10::kDouble).value);
            record(zeroPoint.node(), one(c10::kLong).value);
        }
        value.quantized =
            add(kQuantize + overload, {m_value, scale, zeroPoint, scheme.least, scheme.most, scheme.dtype});
        value.restored = add(kDequantize + overload,
                             {value.quantized, scale, zeroPoint, scheme.least, scheme.most, scheme.dtype});
        copyMeta(value.quantized, scheme.dtype);
        copyMeta(value.restored, c10::kFloat);
        for (const NodeId reader : readers)
            m_edit.replaceInputWith(reader, m_value, value.restored);
    }

private:
    NodeId add(const std::string& function, Arguments args) {
        const Edit::InsertPoint point = m_edit.insertingAfter(m_at);
        m_at = m_edit.callFunction(function, std::move(args));
        for (const std::string_view key : {meta::kModuleStack, meta::kStackTrace})
            if (const SharedMeta known = m_edit.node(m_value).meta.shared(key))
                m_edit.setMeta(m_at, key, known);
        return m_at;
    }

    static ValueMeta one(c10::ScalarType dtype) {
        TensorMeta meta;
        meta.dtype = dtype;
        meta.shape = meta.stride = {int64_t(1)};
        return {meta};
    }

    /// Where values are recorded, those of the new nodes are, too.
    template <class T>
    void record(NodeId node, const T& value) {
        for (const std::string_view key : {meta::kValue, meta::kTensorMeta})
            if (m_edit.node(m_value).meta.find<ValueMeta>(key))
                m_edit.setMeta(node, key, MetaValue(ValueMeta{value}));
    }

    void copyMeta(NodeId node, c10::ScalarType dtype) {
        for (const std::string_view key : {meta::kValue, meta::kTensorMeta}) {
            const auto* known = m_edit.node(m_value).meta.find<ValueMeta>(key);
            const auto* tensor = known ? std::get_if<TensorMeta>(&known->value) : nullptr;
            if (!tensor)
                continue;
            TensorMeta other = *tensor;
            other.dtype = dtype;
            m_edit.setMeta(node, key, MetaValue(ValueMeta{std::move(other)}));
        }
    }

    Edit& m_edit;
    NodeId m_lastInput, m_value, m_at;
};

} // namespace

bool isOfAten(const Graph& graph) {
    const GraphDialect dialect = dialectOf(graph);
    return dialect.dialect == Dialect::Aten && !dialect.isEither;
}

std::vector<Layer> inlinedLayers(Edit& edit, const QuantizationPlan& plan, std::map<NodeId, NodeId>& moved) {
    std::vector<NodeId> calls;
    for (const QuantizableUnit& unit : plan.units)
        if (unit.layer && unit.layer->module)
            calls.push_back(unit.node);
    LeftAlone left;
    for (const auto& [call, function] : inlineModules(edit, calls, left))
        moved.emplace(call, function);
    std::vector<Layer> layers;
    for (const QuantizableUnit& unit : plan.units) {
        if (!unit.layer)
            continue;
        const auto found = moved.find(unit.node);
        const NodeId call = found == moved.end() ? unit.node : found->second;
        for (Layer& matrix : recurrentAt(edit.model(), edit.module(), call))
            if (matrix.weightReader)
                layers.push_back(std::move(matrix));
        std::optional<Layer> layer = layerAt(edit.model(), edit.module(), call);
        if (!layer)
            layer = tableAt(edit.model(), edit.module(), call);
        if (layer && layer->weightReader)
            layers.push_back(std::move(*layer));
    }
    return layers;
}

QuantizedGraph quantizeGraph(Edit& edit, const QuantizationPlan& plan) {
    QuantizedGraph out;
    out.values = plan.values;
    if (plan.weights)
        out.weights = quantizeWeights(edit, inlinedLayers(edit, plan, out.moved), *plan.weights, plan.isAten);
    ValueQuantizer quantizer(edit);
    for (QuantizedValue& value : out.values) {
        value.value = out.now(value.value);
        for (NodeId& reader : value.readers)
            reader = out.now(reader);
        quantizer.quantize(value);
    }
    return out;
}

} // namespace fx
