// SPDX-License-Identifier: GPL-3.0-or-later
// The modules of a model as instances of their classes, with the tensors and attributes that the model holds:
// the other half of what tracing records of instances (core/trace/copy_referenced.cpp).
#pragma once

#include "core/interpret/captured_objects.h"
#include "core/interpret/source_modules.h"
#include "core/module/model.h"

#include <functional>
#include <unordered_map>

namespace fx {

class ModuleInstances {
public:
    /// Where tensors come from, and objects that are no instances of torch.nn.Module.
    struct Parts {
        std::function<at::Tensor(TensorId, TensorRole)> tensor;
        std::function<Value(ModuleId)> scriptObject;
        /// For a module with a graph an instance without attributes; unset: such modules are refused.
        std::function<Value(ModuleId)> graphModule = nullptr;
    };
    /// All of them must outlive this.
    ModuleInstances(const Model& model, Evaluator& evaluator, SourceModules& sources, Parts parts);
    /// Throws an Error for a class that is not known here.
    Value of(ModuleId module);
    /// Null for a module that was not asked for.
    const Value* known(ModuleId module) const;
    const std::unordered_map<ModuleId, Value>& all() const { return m_instances; }

private:
    Value classOf(const Module& module);
    void addHooks(const Module& module, const Value& instance);
    CapturedPlaces placesOf(const Module& module);
    /// An object that hooks share, from the module whose hooks have its content.
    std::optional<Value> shared(int64_t number);
    /// The class of a module whose tensors are made anew when they are read (register_parametrization).
    std::optional<Value> parametrizedClass(const Module& module);

    const Model& m_model;
    Evaluator& m_evaluator;
    SourceModules& m_sources;
    Parts m_parts;
    std::unordered_map<ModuleId, Value> m_instances;
    CapturedObjects m_captured; ///< by hooks
    struct SharedContent {
        ModuleId module;
        const Argument* value; ///< captured.shared with its content
    };
    std::optional<std::unordered_map<int64_t, SharedContent>> m_shared; ///< once it is asked for
};

} // namespace fx
