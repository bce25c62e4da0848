// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/infer_shapes.h"

#include "core/base/error.h"
#include "core/interpret/interpreter.h"
#include "core/torch/bind/data_stand_ins.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <unordered_set>

namespace fx {

namespace {

/// None for a value that is not known well enough.
std::optional<Value> onMeta(const ValueMeta& meta);

struct MetaMaker {
    std::optional<Value> operator()(const NoneValue&) const { return Value(); }
    std::optional<Value> operator()(TensorMeta meta) const {
        if (!areKnown(meta.shape) || meta.layout != c10::Layout::Strided ||
            meta.dtype == c10::ScalarType::Undefined)
            return std::nullopt;
        if (!areKnown(meta.stride))
            meta.stride.clear();
        return Value(c10::IValue(withoutData(meta)));
    }
    std::optional<Value> operator()(const SymbolicScalar& scalar) const {
        if (!scalar.hint)
            return std::nullopt;
        switch (scalar.kind) {
        case SymbolicScalar::Kind::Int:
            return Value(c10::IValue(static_cast<int64_t>(*scalar.hint)));
        case SymbolicScalar::Kind::Float:
            return Value(c10::IValue(*scalar.hint));
        default:
            return Value(c10::IValue(*scalar.hint != 0));
        }
    }
    std::optional<Value> operator()(const Argument& argument) const {
        if (const auto* number = argument.as<int64_t>())
            return Value(c10::IValue(*number));
        if (const auto* number = argument.as<double>())
            return Value(c10::IValue(*number));
        if (const auto* flag = argument.as<bool>())
            return Value(c10::IValue(*flag));
        return std::nullopt;
    }
    std::optional<Value> operator()(const std::vector<ValueMeta>& items) const {
        Values out;
        for (const ValueMeta& item : items) {
            const std::optional<Value> one = onMeta(item);
            if (!one)
                return std::nullopt;
            out.push_back(*one);
        }
        return makeTuple(std::move(out));
    }

private:
    static bool areKnown(const std::vector<Dimension>& dimensions) {
        return std::ranges::all_of(dimensions, [](const Dimension& dimension) {
            const auto* symbol = std::get_if<SymbolicInt>(&dimension);
            return !symbol || symbol->hint;
        });
    }
};

std::optional<Value> onMeta(const ValueMeta& meta) {
    return std::visit(MetaMaker(), meta.value);
}

class OneByOne {
public:
    OneByOne(const Model& model, ModuleId module)
        : m_model(model), m_graph(model.graph(module)),
          m_interpreter(std::make_shared<RunContext>(model, RunSettings{.device = c10::Device(c10::kMeta)}),
                        module) {
        m_interpreter.keepValues();
        m_interpreter.begin({});
    }

    InferredShapes run(const std::vector<NodeId>& nodes) {
        for (const NodeId id : nodes)
            if (!m_out.faulty)
                run(m_graph.node(id));
        return std::move(m_out);
    }

private:
    void run(const Node& node) {
        if (node.opcode == Opcode::Placeholder || node.opcode == Opcode::Output)
            return;
        for (const InputUse& use : node.inputs)
            if (m_unknown.contains(use.node) ||
                (!m_interpreter.value(use.node) && !supply(m_graph.node(use.node)))) {
                m_unknown.insert(node.id);
                return;
            }
        DataStandIns data(0);
        try {
            m_interpreter.jumpTo(node.id);
            m_interpreter.step(); // takes the jump
            m_interpreter.step();
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            m_unknown.insert(node.id);
            if (!data.wasAsked()) {
                m_out.faulty = node.id;
                m_out.fault = error.message();
            }
            return;
        }
        if (data.wasAsked()) {
            m_unknown.insert(node.id);
            return;
        }
        ValueMeta value = describeValue(*m_interpreter.value(node.id));
        setDevice(value, deviceOf(node));
        m_out.values.emplace(node.id, std::move(value));
    }

    bool supply(const Node& input) {
        std::optional<Value> value = valueOnMeta(m_model, m_interpreter.module(), input);
        if (!value)
            return false;
        m_interpreter.setValue(input.id, std::move(*value));
        return true;
    }

    /// Of what the node reads; a run on meta does not tell.
    c10::Device deviceOf(const Node& node) const {
        for (const InputUse& use : node.inputs)
            if (const ValueMeta* known = knownValue(m_graph.node(use.node).meta))
                if (const auto* tensor = std::get_if<TensorMeta>(&known->value))
                    return tensor->device;
        return c10::Device(c10::kCPU);
    }

    static void setDevice(ValueMeta& value, c10::Device device) {
        if (auto* tensor = std::get_if<TensorMeta>(&value.value))
            tensor->device = device;
        else if (auto* items = std::get_if<std::vector<ValueMeta>>(&value.value))
            for (ValueMeta& item : *items)
                setDevice(item, device);
    }

    const Model& m_model;
    const Graph& m_graph;
    Interpreter m_interpreter;
    std::unordered_set<NodeId> m_unknown; ///< of those that were tried
    InferredShapes m_out;
};

} // namespace

std::optional<Value> valueOnMeta(const Model& model, ModuleId module, const Node& node) {
    std::optional<Value> value;
    if (const ValueMeta* known = knownValue(node.meta))
        value = onMeta(*known);
    if (value || node.opcode != Opcode::GetAttr)
        return value;
    const Attribute found = model.resolve(module, node.target.name());
    return found.tensor ? onMeta(ValueMeta{model.tensor(found.tensor).meta()}) : std::nullopt;
}

InferredShapes inferShapes(const Model& model, ModuleId module, const std::vector<NodeId>& nodes) {
    return OneByOne(model, module).run(nodes);
}

} // namespace fx
