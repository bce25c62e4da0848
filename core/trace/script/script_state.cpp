// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_state.h"

#include "core/base/error.h"

#include <ATen/ATen.h>

namespace fx {

const Value& ScriptFrames::value(const JitValue* key) const {
    const auto found = m_frames.back().values.find(key);
    if (found == m_frames.back().values.end())
        throw Error("", "the program reads a value before it is made: %" + key->debugName());
    return found->second;
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

void ScriptFrames::replace(const at::Tensor& tensor, const Value& with) {
    for (Frame& frame : m_frames)
        for (auto& [key, held] : frame.values)
            if (held.isTensor() && held.data().toTensor().is_same(tensor))
                held = with;
}

} // namespace fx
