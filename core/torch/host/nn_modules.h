// SPDX-License-Identifier: GPL-3.0-or-later
// Instances of torch.nn.Module, which is the library's own text but for its two hot methods: __getattr__ and
// __call__.
#pragma once

#include "core/python/evaluator.h"

namespace fx {

/// What stands in for the two methods, as torch.fx's Tracer does while it traces.
class ModulePatch {
public:
    virtual ~ModulePatch() = default;
    virtual Value callModule(Evaluator&, const Value& module, Values args, NamedValues kwargs) = 0;
    /// What was found among the parameters, buffers or children: what the program sees instead.
    enum class Member { Parameter, Buffer, Module };
    virtual Value moduleMember(Evaluator&, const Value& module, const std::string& name, const Value& found,
                               Member member) = 0;
};

/// Gives the class its two methods once its text has run.
class NnModules : public NameSource, public InstanceMembers {
public:
    void setPatch(ModulePatch* patch) { m_patch = patch; }
    void moduleLoaded(Evaluator&, const std::string& name, const Value& module) override;
    std::optional<Value> find(Evaluator&, const Value& module, const TextKey& name) override;
    /// Module.__call__ without a patch: the hooks and the forward.
    static Value callPlainly(Evaluator&, const Value& module, Values args, NamedValues kwargs);

private:
    ModulePatch* m_patch = nullptr;
};

/// Whether it is an instance of torch.nn.Module.
bool isModuleInstance(const Value& value);
/// A torch.nn.Parameter.
bool isParameter(const Value& value);
/// The tensor itself as a Parameter.
Value makeParameter(Evaluator& evaluator, const at::Tensor& tensor);
/// Whether a Parameter was made of the tensor on this thread.
bool isOfParameter(const at::Tensor& tensor);
inline const TextKey kParameterTable("_parameters"), kBufferTable("_buffers"), kModuleTable("_modules");
/// One of a module's three tables; null if there is none.
DictObject* moduleTable(const Value& module, const TextKey& table);

} // namespace fx
