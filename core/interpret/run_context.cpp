// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/interpret/interpreter.h"

#include <algorithm>

namespace fx {

LibraryRunner& RunContext::library() {
    if (!m_library)
        m_library = std::make_unique<LibraryRunner>(m_model, state);
    return *m_library;
}

std::vector<std::pair<std::string, at::Tensor>> RunContext::stateDict() {
    constexpr int kDeepest = 200;
    std::vector<std::pair<std::string, at::Tensor>> out;
    const std::function<void(ModuleId, const std::string&, int)> visit = [&](ModuleId id,
                                                                             const std::string& prefix,
                                                                             int depth) {
        if (depth > kDeepest)
            throw Error("", "modules are nested too deeply for a state_dict");
        const Module& module = m_model.module(id);
        for (const bool wantsParameters : {true, false})
            for (const NamedTensor& entry : module.tensors) {
                const bool isWanted =
                    wantsParameters ? entry.role == TensorRole::Parameter : entry.role == TensorRole::Buffer;
                if (!isWanted || !entry.tensor)
                    continue;
                // A class may have put another tensor in the place of its own.
                std::optional<at::Tensor> now = m_library ? m_library->tensor(id, entry) : std::nullopt;
                out.emplace_back(prefix + entry.name, now ? *now : state.tensor(entry.tensor, entry.role));
            }
        for (const NamedModule& child : module.children)
            visit(child.module, prefix + child.name + '.', depth + 1);
    };
    visit(m_model.root(), "", 0);
    return out;
}

std::optional<Value> Interpreter::runCompiled(ModuleId module, const GraphInputs& inputs) {
    const bool isWanted =
        m_isPlain && !m_keepsValues && m_context->compiled.isMarked(module) &&
        m_context->settings.gradMode != GradMode::Grad &&
        std::ranges::none_of(m_context->observers, [](Observer* each) { return each->seesWithin(); });
    return isWanted ? m_context->compiled.run(module, inputs) : std::nullopt;
}

/// The value, with the tensors of the module in the place of what the graph's arguments have for them.
Value Interpreter::withTensors(const Value& value) const {
    const auto* leaf = value.as<Argument>();
    const auto* opaque = leaf ? leaf->as<OpaqueValue>() : nullptr;
    if (opaque && !opaque->attribute.empty()) {
        const NamedTensor* entry = model().module(module()).tensor(opaque->attribute);
        if (!entry) // of a part that was cut out
            entry = model().module(model().root()).tensor(opaque->attribute);
        if (!entry || !entry->tensor)
            throw Error("", "the tensor '" + opaque->attribute + "' is not there");
        return c10::IValue(m_context->state.tensor(entry->tensor, entry->role));
    }
    if (auto* sequence = value.as<SequenceObject>())
        for (Value& item : sequence->items)
            item = withTensors(item);
    if (auto* dict = value.as<DictObject>())
        for (const DictObject::Entry& entry : std::vector(dict->entries()))
            dict->set(entry.key, withTensors(entry.value));
    return value;
}

} // namespace fx
