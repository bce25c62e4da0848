// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_state.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <ATen/ATen.h>

namespace fx {

const Value& ScriptFrames::value(const JitValue* key) const {
    const auto found = m_frames.back().values.find(key);
    if (found == m_frames.back().values.end())
        throw Error("", "the program reads a value before it is made: %" + key->debugName());
    return found->second;
}

const Value* ScriptFrames::find(const JitValue* key) const {
    const auto found = m_frames.back().values.find(key);
    return found == m_frames.back().values.end() ? nullptr : &found->second;
}

Values ScriptFrames::inputs(const JitNode& node) const {
    Values out;
    out.reserve(node.inputs().size());
    for (const JitValue* input : node.inputs())
        out.push_back(input->type()->kind() == c10::TypeKind::FunctionType ? Value() : value(input));
    return out;
}

void ScriptFrames::setOutputs(const JitNode& node, const Values& values) {
    for (size_t i = 0; i < node.outputs().size(); ++i)
        set(node.outputs()[i], i < values.size() ? values[i] : Value());
}

void ScriptFrames::forEach(const std::function<void(const Value&)>& visit) const {
    for (const Frame& frame : m_frames)
        for (const auto& [key, held] : frame.values)
            visit(held);
}

void ScriptFrames::replace(const at::Tensor& tensor, const Value& with) {
    for (Frame& frame : m_frames)
        for (auto& [key, held] : frame.values)
            if (held.isTensor() && held.data().toTensor().is_same(tensor))
                held = with;
}

void ScriptState::noteType(const Value& value, const c10::TypePtr& type) {
    const auto* proxy = value.as<ProxyObject>();
    if (!proxy)
        return;
    const auto [known, isNew] = types.try_emplace(proxy->node, type);
    if (!isNew && type->isSubtypeOf(*known->second))
        known->second = type;
}

void ScriptState::countStep() {
    constexpr uint64_t kMostSteps = 2'000'000;
    if (++m_steps > kMostSteps)
        tracer.fail("", "stopped after " + countText(kMostSteps) + " steps of the program");
}

} // namespace fx
