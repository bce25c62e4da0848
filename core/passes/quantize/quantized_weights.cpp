// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/quantized_weights.h"

#include "core/base/text.h"
#include "core/passes/clean/lazy_tensor.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/quantize/scheme.h"
#include "core/passes/quantize/sqnr.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

using WeightParts = std::vector<at::Tensor>;

constexpr const char* kDecomposedOperators = "torch.ops.quantized_decomposed.";

IntegerScheme schemeOf(const WeightPlan& plan) {
    return plan.form == WeightForm::Int4 ? IntegerScheme{at::kChar, -8, 7, true} : IntegerScheme::weights();
}

/// One number for each channel in the shape in which they meet the weight.
at::Tensor besideChannels(const at::Tensor& numbers, const at::Tensor& weight, int64_t axis) {
    std::vector<int64_t> shape(static_cast<size_t>(weight.dim()), 1);
    shape[static_cast<size_t>(axis)] = -1;
    return numbers.view(shape);
}

/// The weight's integers, scales and zero points; of float16 the weight alone.
WeightParts formOf(const at::Tensor& weight, const WeightPlan& plan, std::optional<int64_t> axis) {
    if (plan.form == WeightForm::Float16)
        return {weight.detach().to(at::kHalf)};
    const IntegerScheme scheme = schemeOf(plan);
    const at::Tensor values = weight.detach().to(at::kFloat);
    if (plan.form == WeightForm::Int4) {
        const at::Tensor groups = values.reshape({-1, plan.groupSize});
        const QuantizationParameters found = parametersOf(rangeOf(groups, 0), scheme);
        const at::Tensor whole = weightIntegers(groups, found.scale, 0, scheme).reshape_as(values);
        return {whole, found.scale.reshape({values.size(0), -1}),
                found.zeroPoint.reshape({values.size(0), -1}).to(at::kInt)};
    }
    const QuantizationParameters found = parametersOf(rangeOf(values, axis), scheme);
    return {weightIntegers(values, found.scale, axis, scheme), found.scale, found.zeroPoint};
}

/// What a layer computes with, in float32.
at::Tensor restored(const at::Tensor& weight, const WeightPlan& plan, std::optional<int64_t> axis) {
    const WeightParts form = formOf(weight, plan, axis);
    if (plan.form == WeightForm::Float16)
        return form[0].to(at::kFloat);
    if (plan.form == WeightForm::Int4)
        return (form[0].reshape({-1, plan.groupSize}) * form[1].reshape({-1, 1})).reshape_as(weight);
    return form[0] * (axis ? besideChannels(form[1], weight, *axis) : form[1]);
}

class WeightQuantizer {
public:
    WeightQuantizer(Edit& edit, const WeightPlan& plan, bool isAten)
        : m_edit(edit), m_plan(plan), m_isAten(isAten), m_reads(edit.model()) {}

    WeightBytes run(const std::vector<Layer>& layers) {
        std::map<NodeId, std::vector<const Layer*>> byReader;
        for (const Layer& layer : layers)
            byReader[layer.weightReader].push_back(&layer);
        for (const auto& [reader, same] : byReader)
            quantize(reader, same);
        return m_bytes;
    }

private:
    void quantize(NodeId reader, const std::vector<const Layer*>& layers) {
        const Layer& layer = *layers.front();
        const TensorEntry entry = *tensorEntry(m_edit.model(), m_edit.module(), layer.weightPath);
        const TensorSlot weight = m_edit.model().tensor(entry.tensor);
        const std::optional<int64_t> axis = channelAxis(layer, m_plan);
        std::unordered_set<NodeId> users;
        for (const Layer* each : layers)
            users.insert(each->weightUser);
        const bool isOwn = m_reads.readsOf(entry) == 1 && m_edit.node(reader).users.size() == users.size() &&
                           !m_reads.isInCalled(entry.owner);
        const std::vector<TensorSlot> made =
            lazyTensors({weight}, [plan = m_plan, axis](const WeightParts& given) {
                return formOf(given[0], plan, axis);
            });
        const std::string path = isOwn ? layer.weightPath : free(layer.weightPath + "_quantized");
        if (isOwn)
            makePlain(layer.weightPath);
        set(path, made[0]);
        m_bytes.before += weight.byteCount();
        m_bytes.after += isOwn ? 0 : weight.byteCount();
        NodeId at = reader;
        const NodeId whole = isOwn ? reader : at = readAfter(at, path, reader);
        Arguments args = {whole};
        if (m_plan.form != WeightForm::Float16)
            for (size_t i = 1; i < made.size(); ++i) {
                const std::string part = free(path + (i == 1 ? "_scale" : "_zero_point"));
                set(part, made[i]);
                args.emplace_back(at = readAfter(at, part, reader));
            }
        const NodeId restored = restoreAfter(at, std::move(args), axis, weight.meta().dtype);
        copyPlace(m_edit, reader, restored);
        for (const std::string_view key : {meta::kValue, meta::kTensorMeta})
            if (const SharedMeta known = m_edit.node(reader).meta.shared(key)) {
                m_edit.setMeta(restored, key, known);
                if (isOwn)
                    m_edit.setMeta(reader, key, MetaValue(ValueMeta{made[0].meta()}));
            }
        for (const NodeId user : users)
            m_edit.replaceInputWith(user, reader, restored);
    }

    NodeId restoreAfter(NodeId at, Arguments args, std::optional<int64_t> axis, c10::ScalarType dtype) {
        const IntegerScheme scheme = schemeOf(m_plan);
        const Edit::InsertPoint point = m_edit.insertingAfter(at);
        switch (m_plan.form) {
        case WeightForm::Float16:
            args.emplace_back(dtype);
            return m_isAten ? m_edit.callFunction("torch.ops.aten.to.dtype", std::move(args))
                            : m_edit.callMethod("to", std::move(args));
        case WeightForm::Int4:
            for (const Argument& last : {Argument(scheme.least), Argument(scheme.most),
                                         Argument(scheme.dtype), Argument(m_plan.groupSize), Argument(dtype)})
                args.push_back(last);
            return m_edit.callFunction(
                kDecomposedOperators + std::string("dequantize_per_channel_group.default"), std::move(args));
        case WeightForm::Int8:
            break;
        }
        if (axis)
            args.emplace_back(*axis);
        for (const Argument& last : {Argument(scheme.least), Argument(scheme.most), Argument(scheme.dtype)})
            args.push_back(last);
        Keywords kwargs;
        if (dtype != c10::kFloat)
            kwargs.emplace_back("out_dtype", dtype);
        return m_edit.callFunction(kDecomposedOperators + std::string(axis ? "dequantize_per_channel.default"
                                                                           : "dequantize_per_tensor.tensor"),
                                   std::move(args), std::move(kwargs));
    }

    std::string free(const std::string& wish) const {
        return freePath(m_edit.model(), m_edit.module(), wish);
    }

    void set(const std::string& path, const TensorSlot& slot) {
        m_edit.setTensor(path, m_edit.createTensor(slot), TensorRole::Buffer);
        m_bytes.after += slot.byteCount();
    }

    NodeId readAfter(NodeId at, const std::string& path, NodeId like) {
        const Edit::InsertPoint point = m_edit.insertingAfter(at);
        const NodeId made = m_edit.getAttr(path);
        copyPlace(m_edit, like, made);
        if (m_edit.node(like).meta.shared(meta::kValue)) {
            const auto entry = tensorEntry(m_edit.model(), m_edit.module(), path);
            m_edit.setMeta(made, meta::kValue,
                           MetaValue(ValueMeta{m_edit.model().tensor(entry->tensor).meta()}));
        }
        return made;
    }

    /// The module that holds the weight is no nn.Linear any more, as nobody calls it, and integers are no
    /// weight for one.
    void makePlain(const std::string& weightPath) {
        const std::string path(parentPath(weightPath));
        const ModuleId old = path.empty() ? ModuleId() : m_edit.model().resolve(m_edit.module(), path).module;
        if (!old || m_edit.model().module(old).type == kPlainModule || m_edit.model().module(old).graph)
            return;
        const Module& was = m_edit.model().module(old);
        if (!was.type.starts_with("torch.nn.modules.conv.") &&
            !was.type.starts_with("torch.nn.modules.linear.") &&
            !was.type.starts_with("torch.nn.modules.sparse."))
            return;
        Module contents;
        contents.type = kPlainModule;
        contents.children = was.children;
        contents.tensors = was.tensors;
        contents.isTraining = was.isTraining;
        const ModuleId made = m_edit.createModule(kPlainModule);
        m_edit.fillModule(made, std::move(contents));
        m_edit.addSubmodule(path, made);
    }

    Edit& m_edit;
    const WeightPlan& m_plan;
    bool m_isAten;
    const StateReads m_reads;
    WeightBytes m_bytes;
};

TensorSlot weightOf(const Model& model, ModuleId module, const Layer& layer) {
    return model.tensor(tensorEntry(model, module, layer.weightPath)->tensor);
}

} // namespace

std::optional<int64_t> channelAxis(const Layer& layer, const WeightPlan& plan) {
    if (!plan.isPerChannel || (layer.kind == Layer::Kind::Transposed && layer.groups > 1))
        return std::nullopt;
    const bool isSecond = layer.kind == Layer::Kind::Transposed || layer.kind == Layer::Kind::LinearByRows;
    return isSecond ? 1 : 0;
}

std::string weightObstacle(const Model& model, ModuleId module, const Layer& layer, const WeightPlan& plan) {
    const TensorSlot weight = weightOf(model, module, layer);
    if (weight.elementCount() == 0)
        return "as their weights are empty";
    if (plan.form == WeightForm::Float16 && weight.meta().dtype != c10::kFloat)
        return "as their weights are as small";
    if (plan.form != WeightForm::Int4)
        return {};
    if (layer.kind != Layer::Kind::Linear || weight.meta().shape.size() != 2)
        return "as int4 is for linear layers";
    return std::get<int64_t>(weight.meta().shape[1]) % plan.groupSize
               ? "as their rows are no whole number of groups"
               : "";
}

double weightSqnr(const Model& model, ModuleId module, const Layer& layer, const WeightPlan& plan) {
    const at::NoGradGuard noGrad;
    const at::Tensor weight = weightOf(model, module, layer).value().detach().to(at::kFloat);
    return tensorError(weight, restored(weight, plan, channelAxis(layer, plan))).sqnr;
}

WeightBytes quantizeWeights(Edit& edit, const std::vector<Layer>& layers, const WeightPlan& plan,
                            bool isAten) {
    return WeightQuantizer(edit, plan, isAten).run(layers);
}

} // namespace fx
