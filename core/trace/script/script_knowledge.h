// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the values of a TorchScript program while it is traced: those that can be computed
// (script_fold.cpp), the shapes of others, and which tensors stand for numbers (script_numbers.cpp).
#pragma once

#include "core/trace/script/script_tracer.h"

#include <torch/csrc/jit/ir/ir.h>

#include <map>
#include <unordered_map>

namespace fx {

class ScriptKnowledge {
public:
    explicit ScriptKnowledge(ScriptTracer& tracer) : m_tracer(tracer) {}

    bool isKnown(const Value& value) const;
    /// What the node gives where all that it reads is known.
    std::optional<Values> fold(const torch::jit::Node& node, const Values& inputs);

    bool hasShapes() const { return !m_shapes.empty(); }
    /// Takes the sizes of an input, or of tensors in it, from an example, and its device.
    void setExample(const Value& proxy, const Value& example);
    /// The same on the meta device, where the shapes of all that it reads are known.
    std::optional<Values> foldShapes(const torch::jit::Node& node, const Values& inputs);
    /// The value with tensors on the meta device; none where that is not known.
    std::optional<Value> shapeOf(const Value& value) const;
    void keepShapes(const Value& result, const Value& shapes);

    /// While one lives, everything is on the meta device, and nothing is recorded.
    class Shadow {
    public:
        explicit Shadow(ScriptKnowledge& knowledge) : m_count(knowledge.m_shadows) { ++m_count; }
        Shadow(const Shadow&) = delete;
        Shadow& operator=(const Shadow&) = delete;
        ~Shadow() { --m_count; }

    private:
        int& m_count;
    };
    bool isShadow() const { return m_shadows > 0; }

    /// The number that a tensor without dimensions stands for: a size, or a constant of a traced program.
    std::optional<Value> numberOf(const Value& value) const;
    bool isNumber(NodeId node) const { return m_numbers.contains(node); }
    void setNumber(NodeId node) { m_numbers[node] = true; }
    static bool isArithmetic(const std::string& name, const Values& args);
    /// What tracing has turned into tensors becomes numbers again; true where all of them are numbers.
    bool restoreNumbers(const std::string& name, Values& args) const;

private:
    /// Whether the value is sure to be a tensor of floats.
    bool isFloating(const Value& value, int depth = 0) const;
    std::optional<Values> runOnMeta(const torch::jit::Node& node, Values metas) const;

    ScriptTracer& m_tracer;
    std::unordered_map<NodeId, Value> m_shapes;
    std::map<NodeId, bool> m_numbers;    ///< nodes whose value is a number as a tensor
    std::optional<c10::Device> m_device; ///< of the examples; none where they differ
    uint64_t m_foldedBytes = 0;
    int m_shadows = 0;
};

} // namespace fx
