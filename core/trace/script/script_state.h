// SPDX-License-Identifier: GPL-3.0-or-later
// What a TorchScript program that is traced has in hand: its calls' values, what is known of them, its
// objects. Who runs a part of the program takes this (script_interpreter.h says which file does what).
#pragma once

#include "core/trace/script/script_instances.h"
#include "core/trace/script/script_knowledge.h"

#include <torch/csrc/jit/ir/ir.h>

#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace fx {

/// The values of the program, call by call.
class ScriptFrames {
public:
    using JitNode = torch::jit::Node;
    using JitValue = torch::jit::Value;

    /// While one lives, a function runs, whose values are new.
    class Scope {
    public:
        Scope(ScriptFrames& frames, std::string function) : m_frames(frames) {
            m_frames.m_frames.push_back({{}, std::move(function)});
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope() { m_frames.m_frames.pop_back(); }

    private:
        ScriptFrames& m_frames;
    };
    size_t depth() const { return m_frames.size(); }
    const std::string& function() const { return m_frames.back().function; }

    const Value& value(const JitValue* key) const;
    /// Null where the value is not made yet.
    const Value* find(const JitValue* key) const;
    Values inputs(const JitNode& node) const;
    void set(const JitValue* key, Value value) { m_frames.back().values[key] = std::move(value); }
    void setOutput(const JitNode& node, Value value) { set(node.output(), std::move(value)); }
    /// None for those of the node's outputs that there is no value for.
    void setOutputs(const JitNode& node, const Values& values);
    void forEach(const std::function<void(const Value&)>& visit) const;
    /// Whoever holds the tensor has the other value from now on.
    void replace(const at::Tensor& tensor, const Value& with);

private:
    struct Frame {
        std::unordered_map<const JitValue*, Value> values;
        std::string function;
    };
    std::vector<Frame> m_frames;
};

struct ScriptState {
    explicit ScriptState(ScriptTracer& t) : tracer(t), knowledge(t), instances(t) {}

    ScriptTracer& tracer;
    ScriptFrames frames;
    ScriptKnowledge knowledge;
    ScriptInstances instances;
    std::unordered_map<NodeId, c10::TypePtr> inputTypes; ///< by placeholder
    std::unordered_set<NodeId> loopValues;               ///< placeholders for what loops carry
    std::unordered_map<NodeId, c10::TypePtr> types;      ///< the narrowest that the program gives to a proxy
    std::unordered_set<NodeId> ownContainers; ///< lists and dicts of the graph that the program alone has
    std::unordered_map<const Object*, Value> frozen; ///< containers that are part of such values
    /// Notes the type that the program gives to a value; a wider one than is known changes nothing.
    void noteType(const Value& value, const c10::TypePtr& type);
    /// Throws where the program does not come to an end.
    void countStep();
    /// Enters a function or method of the program; gives what it returns.
    std::function<Value(const torch::jit::Function&, Values args)> call;

private:
    uint64_t m_steps = 0;
};

} // namespace fx
