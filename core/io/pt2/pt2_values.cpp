// SPDX-License-Identifier: GPL-3.0-or-later
// Each call is made once more on the meta device, with the sizes of what it reads: for one choice of the
// symbols, or for several, whose results tell which formula a size is.
#include "core/io/pt2/pt2_values.h"

#include "core/base/error.h"
#include "core/io/pt2/pt2_dialect.h"
#include "core/io/pt2/pt2_lift.h"
#include "core/io/pt2/pt2_value_writer.h"
#include "core/io/pt2/size_formulas.h"
#include "core/module/edit.h"
#include "core/module/known_faults.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operators.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <set>

namespace fx {

namespace {

using UnchangedCalls = std::set<std::pair<ModuleId, std::string>>;

class GraphValues {
public:
    GraphValues(Edit& edit, SizeFormulas& formulas, const OpenedModel& opened,
                const UnchangedCalls& unchanged, Progress& progress, bool isUnderAutocast)
        : m_edit(edit), m_graph(edit.graph()), m_formulas(formulas), m_opened(opened), m_unchanged(unchanged),
          m_progress(progress), m_autocasts(isUnderAutocast) {}

    void complete() {
        std::vector<NodeId> nodes;
        for (const Node& node : m_graph)
            nodes.push_back(node.id);
        for (NodeId id : nodes) {
            m_progress.step(0.1, "shapes");
            const Node& node = m_graph.node(id);
            if (node.opcode == Opcode::Placeholder)
                completeInput(node);
            else if (node.opcode == Opcode::CallFunction)
                completeCall(node);
        }
    }

private:
    static const ValueMeta* valueOf(const Node& node) { return node.meta.find<ValueMeta>(meta::kValue); }

    static Error unknown(const Node& node, const std::string& why) {
        return Error("node '" + node.name + "'",
                     "gives a value of unknown shape" + (why.empty() ? std::string() : ": " + why))
            .hint("run the pass shape-prop on the model first");
    }

    // --- Inputs

    void completeInput(const Node& node) {
        const size_t index = m_inputs++;
        if (node.meta.find(kIsAnother))
            m_others.insert(node.id);
        if (valueOf(node))
            return;
        if (const auto* seen = node.meta.find<ValueMeta>(meta::kTensorMeta)) {
            m_edit.setMeta(node.id, meta::kValue, *seen);
            return;
        }
        if (m_opened.examples && m_edit.module() == m_edit.model().root()) {
            const Values examples = m_opened.examples();
            // Inputs come last, after the tensors of the model.
            const size_t left = m_graph.findNodes(Opcode::Placeholder).size() - index;
            if (left <= examples.size()) {
                m_edit.setMeta(node.id, meta::kValue, describeValue(examples[examples.size() - left]));
                return;
            }
        }
        throw unknown(node, "");
    }

    // --- Calls

    void completeCall(const Node& node) {
        const ValueMeta* recorded = valueOf(node);
        const TorchOperator* op = findOperator(node.target);
        m_autocasts += node.target == Target("torch.amp.autocast_mode._enter_autocast");
        m_autocasts -= node.target == Target("torch.amp.autocast_mode._exit_autocast");
        if ((recorded && isUnchanged(node)) || (op && op->schema->returns().empty()))
            return;
        std::string why;
        const std::vector<ValueMeta> seen = seenValues(node, op, why);
        const auto isStillSo = [&](const ValueMeta& value) {
            return isStill(*recorded, value, m_formulas.choices()[static_cast<size_t>(&value - seen.data())]);
        };
        if (recorded && std::ranges::all_of(seen, isStillSo))
            return;
        m_others.insert(node.id);
        std::vector<const ValueMeta*> views;
        for (const ValueMeta& value : seen)
            views.push_back(&value);
        if (seen.size() < m_formulas.choices().size()) {
            const auto* shown = node.meta.find<ValueMeta>(meta::kTensorMeta);
            if (!shown || m_formulas.choices().size() > 1)
                throw unknown(node, why);
            views = {shown};
        }
        m_edit.setMeta(node.id, meta::kValue, joined(node, views));
    }

    /// Whether the call and what it reads are as they were when the value was recorded.
    bool isUnchanged(const Node& node) const {
        return m_unchanged.contains({m_edit.module(), node.name}) &&
               std::ranges::none_of(node.inputs,
                                    [&](const InputUse& use) { return m_others.contains(use.node); });
    }

    /// What the call gives for each choice of the symbols; fewer where it cannot be called, and why.
    std::vector<ValueMeta> seenValues(const Node& node, const TorchOperator* op, std::string& why) const {
        std::vector<ValueMeta> seen;
        if (m_autocasts != 0)
            why = "autocast chooses its dtype";
        else if (!op && !isSymbolicFunction(node.target) && node.target != Target("operator.getitem"))
            why = "it is not known what " + node.target.name() + " gives";
        else if (op && isDataDependent(*op))
            why = "its size depends on what its tensors hold";
        for (size_t choice = 0; why.empty() && choice < m_formulas.choices().size(); ++choice)
            try {
                seen.push_back(call(node, choice));
            } catch (const Error& error) {
                why = error.message();
            }
        return seen;
    }

    static bool isDataDependent(const TorchOperator& op) {
        const auto handle = c10::Dispatcher::singleton().findOp(op.schema->operator_name());
        return handle && (handle->hasTag(at::Tag::dynamic_output_shape) ||
                          handle->hasTag(at::Tag::data_dependent_output));
    }

    /// On the meta device; what has nothing to run there runs on zeros.
    ValueMeta call(const Node& node, size_t choice) const {
        try {
            return describeValue(call(node, choice, c10::kMeta));
        } catch (const Error&) {
            return describeValue(call(node, choice, c10::kCPU));
        }
    }

    Value call(const Node& node, size_t choice, c10::DeviceType device) const {
        const auto value = [&](NodeId id) -> Value {
            const ValueMeta* known = valueOf(m_graph.node(id));
            std::optional<Value> made =
                known ? example(*known, m_formulas.choices()[choice], device) : std::nullopt;
            if (!made)
                throw Error("", "the value of '" + m_graph.node(id).name + "' is not known");
            return std::move(*made);
        };
        const auto placed = [&](const Argument& argument) {
            return argument.as<c10::Device>() ? Argument(c10::Device(device)) : argument;
        };
        Values args;
        NamedValues kwargs;
        for (const Argument& argument : node.args)
            args.push_back(makeValue(placed(argument), value));
        for (const auto& [key, argument] : node.kwargs)
            kwargs.emplace_back(key, makeValue(placed(argument), value));
        const at::NoGradGuard noGrad;
        return callFunction(node.target, args, kwargs);
    }

    // --- What was recorded

    std::optional<int64_t> sizeAt(const Dimension& size, const SymbolValues& choice) const {
        if (const auto* fixed = std::get_if<int64_t>(&size))
            return *fixed;
        return m_formulas.evaluate(std::get<SymbolicInt>(size).formula, choice);
    }

    /// Whether a value of these symbols is as recorded. What cannot be told is believed.
    bool isStill(const ValueMeta& recorded, const ValueMeta& seen, const SymbolValues& choice) const {
        if (const auto* tensor = std::get_if<TensorMeta>(&recorded.value)) {
            const auto* now = std::get_if<TensorMeta>(&seen.value);
            if (!now || now->dtype != tensor->dtype || now->shape.size() != tensor->shape.size())
                return false;
            for (size_t i = 0; i < now->shape.size(); ++i) {
                const auto size = sizeAt(tensor->shape[i], choice);
                if (size && *size != std::get<int64_t>(now->shape[i]))
                    return false;
            }
            return true;
        }
        if (const auto* items = std::get_if<std::vector<ValueMeta>>(&recorded.value)) {
            const auto* now = std::get_if<std::vector<ValueMeta>>(&seen.value);
            if (!now || now->size() != items->size())
                return false;
            for (size_t i = 0; i < items->size(); ++i)
                if (!isStill((*items)[i], (*now)[i], choice))
                    return false;
            return true;
        }
        if (pt2KindOf(&recorded) != pt2KindOf(&seen))
            return std::holds_alternative<NoneValue>(recorded.value);
        const auto* symbolic = std::get_if<SymbolicScalar>(&recorded.value);
        const auto* now = std::get_if<Argument>(&seen.value);
        if (!symbolic || !now)
            return recorded == seen;
        const auto number = m_formulas.evaluate(symbolic->formula, choice);
        return !number || !now->as<int64_t>() || *number == *now->as<int64_t>();
    }

    // --- What was seen, as formulas

    ValueMeta joined(const Node& node, const std::vector<const ValueMeta*>& seen) {
        const ValueMeta& first = *seen[0];
        const auto all = [&](const auto& test) {
            return std::ranges::all_of(seen, [&](const ValueMeta* value) { return test(*value); });
        };
        if (const auto* tensor = std::get_if<TensorMeta>(&first.value)) {
            const auto isAlike = [&](const ValueMeta& value) {
                const auto* other = std::get_if<TensorMeta>(&value.value);
                return other && other->dtype == tensor->dtype &&
                       other->shape.size() == tensor->shape.size() &&
                       other->stride.size() == tensor->stride.size();
            };
            if (!all(isAlike))
                throw unknown(node, "it depends on the sizes of the inputs what kind of value it is");
            TensorMeta out = *tensor;
            out.device = deviceOf(node);
            out.requiresGrad = false;
            for (size_t i = 0; i < out.shape.size(); ++i)
                out.shape[i] = joinedSize(node, seen, &TensorMeta::shape, i);
            if (all(isRowMajor)) {
                Dimension stride = int64_t(1);
                for (size_t i = out.stride.size(); i-- > 0; stride = m_formulas.product(stride, out.shape[i]))
                    out.stride[i] = stride;
                return {std::move(out)};
            }
            for (size_t i = 0; i < out.stride.size(); ++i)
                out.stride[i] = joinedSize(node, seen, &TensorMeta::stride, i);
            return {std::move(out)};
        }
        if (const auto* items = std::get_if<std::vector<ValueMeta>>(&first.value)) {
            std::vector<ValueMeta> out;
            if (!all([&](const ValueMeta& value) {
                    const auto* others = std::get_if<std::vector<ValueMeta>>(&value.value);
                    return others && others->size() == items->size();
                }))
                throw unknown(node, "how many values it gives depends on the sizes of the inputs");
            for (size_t i = 0; i < items->size(); ++i) {
                std::vector<const ValueMeta*> parts;
                for (const ValueMeta* value : seen)
                    parts.push_back(&std::get<std::vector<ValueMeta>>(value->value)[i]);
                out.push_back(joined(node, parts));
            }
            return {std::move(out)};
        }
        if (all([&](const ValueMeta& value) { return value == first; }))
            return first;
        std::vector<int64_t> numbers;
        for (const ValueMeta* value : seen)
            if (const auto* number = std::get_if<Argument>(&value->value); number && number->as<int64_t>())
                numbers.push_back(*number->as<int64_t>());
        const auto fitted = numbers.size() == seen.size() ? m_formulas.fit(numbers) : std::nullopt;
        const auto* formula = fitted ? std::get_if<SymbolicInt>(&*fitted) : nullptr;
        if (!formula)
            throw unknown(node, "it is a number that depends on the inputs in a way that is not known");
        return {SymbolicScalar{SymbolicScalar::Kind::Int, formula->formula,
                               static_cast<double>(formula->hint.value_or(0))}};
    }

    static bool isRowMajor(const ValueMeta& value) {
        const auto& tensor = std::get<TensorMeta>(value.value);
        int64_t stride = 1;
        for (size_t i = tensor.stride.size(); i-- > 0; stride *= std::get<int64_t>(tensor.shape[i]))
            if (std::get<int64_t>(tensor.stride[i]) != stride || std::get<int64_t>(tensor.shape[i]) == 0)
                return false;
        return true;
    }

    Dimension joinedSize(const Node& node, const std::vector<const ValueMeta*>& seen,
                         std::vector<Dimension> TensorMeta::*sizes, size_t index) {
        std::vector<int64_t> numbers;
        for (const ValueMeta* value : seen)
            numbers.push_back(std::get<int64_t>((std::get<TensorMeta>(value->value).*sizes)[index]));
        if (auto size = m_formulas.fit(numbers))
            return *std::move(size);
        throw unknown(node, "its size " + std::to_string(index) +
                                " depends on the inputs in a way that is not known");
    }

    /// Of the call's device argument, else of the first tensor that it reads.
    c10::Device deviceOf(const Node& node) const {
        std::optional<c10::Device> device;
        const auto look = [&](const Argument& part) {
            if (const auto* given = part.as<c10::Device>())
                device = *given;
        };
        for (const Argument& argument : node.args)
            forEachPart(argument, look);
        for (const auto& [key, argument] : node.kwargs)
            forEachPart(argument, look);
        for (const InputUse& use : node.inputs)
            if (const ValueMeta* value = device ? nullptr : valueOf(m_graph.node(use.node)))
                if (const auto* tensor = std::get_if<TensorMeta>(&value->value))
                    device = tensor->device;
        return device.value_or(c10::kCPU);
    }

    // --- Values to call with

    std::optional<Value> example(const ValueMeta& value, const SymbolValues& choice,
                                 c10::DeviceType device) const {
        if (const auto* tensor = std::get_if<TensorMeta>(&value.value)) {
            TensorMeta fixed = *tensor;
            for (auto* sizes : {&fixed.shape, &fixed.stride})
                for (Dimension& size : *sizes) {
                    const auto number = sizeAt(size, choice);
                    if (!number || *number < 0)
                        return std::nullopt;
                    size = *number;
                }
            if (fixed.layout != c10::kStrided)
                return std::nullopt;
            const at::Tensor bare = withoutData(fixed);
            return Value(c10::IValue(device == c10::kMeta ? bare : at::zeros_like(bare, device)));
        }
        if (const auto* items = std::get_if<std::vector<ValueMeta>>(&value.value)) {
            Values out;
            for (const ValueMeta& item : *items) {
                std::optional<Value> part = example(item, choice, device);
                if (!part)
                    return std::nullopt;
                out.push_back(std::move(*part));
            }
            return makeSequence(std::move(out), false);
        }
        if (const auto* symbolic = std::get_if<SymbolicScalar>(&value.value)) {
            const auto number = m_formulas.evaluate(symbolic->formula, choice);
            if (!number || symbolic->kind != SymbolicScalar::Kind::Int)
                return std::nullopt;
            return Value(c10::IValue(*number));
        }
        const auto* constant = std::get_if<Argument>(&value.value);
        return makeValue(constant ? *constant : Argument(), [](NodeId) { return Value(); });
    }

    Edit& m_edit;
    const Graph& m_graph;
    SizeFormulas& m_formulas;
    const OpenedModel& m_opened;
    const UnchangedCalls& m_unchanged;
    Progress& m_progress;
    std::set<NodeId> m_others; ///< nodes whose value is another than was recorded
    size_t m_inputs = 0;
    int m_autocasts; ///< regions that a node is in, whose calls choose their dtype by themselves
};

} // namespace

void completeValues(Model& lifted, const OpenedModel& opened, Pt2Record& record, Progress& progress) {
    SizeFormulas formulas(lifted, opened.symbols, record);
    const UnchangedCalls unchanged = unchangedCalls(opened.model, record);
    Edit edit(lifted, Edit::WithoutHistory());
    std::set<ModuleId> underAutocast;
    for (ModuleId module : graphsOf(lifted)) { // those that are nested come later
        const bool isUnder = underAutocast.contains(module);
        edit.enter(module);
        for (const Node& node : edit.graph())
            if (isUnder || node.target == Target("torch.ops.higher_order.wrap_with_autocast"))
                for (const InputUse& use : node.inputs)
                    if (const Node& read = edit.node(use.node); read.opcode == Opcode::GetAttr)
                        underAutocast.insert(lifted.resolve(module, read.target.name()).module);
        GraphValues(edit, formulas, opened, unchanged, progress, isUnder).complete();
    }
    edit.enter(lifted.root());
    edit.finish();
}

} // namespace fx
