// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/nn_modules.h"

#include <unordered_map>

namespace fx {

bool isModuleInstance(const Value& value) {
    const auto* instance = value.as<InstanceObject>();
    return instance && instance->type.as<ClassObject>()->data->isModule();
}

bool isParameter(const Value& value) {
    const auto* instance = value.as<InstanceObject>();
    return instance && instance->payload.isTensor() &&
           instance->type.as<ClassObject>()->data->name == "Parameter";
}

namespace {

/// The tensors of parameters. Operators are given tensors alone, which know nothing of it.
using ParameterTensors = std::unordered_map<const c10::TensorImpl*, c10::weak_intrusive_ptr<c10::TensorImpl>>;

ParameterTensors& parameterTensors() {
    thread_local ParameterTensors tensors;
    return tensors;
}

} // namespace

Value makeParameter(Evaluator& evaluator, const at::Tensor& tensor) {
    ParameterTensors& known = parameterTensors();
    thread_local size_t nextCleaning = 1024;
    if (known.size() >= nextCleaning) {
        std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
        nextCleaning = 1024 + 2 * known.size();
    }
    known.insert_or_assign(tensor.unsafeGetTensorImpl(),
                           c10::weak_intrusive_ptr<c10::TensorImpl>(tensor.getIntrusivePtr()));
    return makeInstance(evaluator.type("Parameter"), c10::IValue(tensor));
}

bool isOfParameter(const at::Tensor& tensor) {
    return parameterTensors().contains(tensor.unsafeGetTensorImpl());
}

DictObject* moduleTable(const Value& module, const TextKey& table) {
    auto* instance = module.as<InstanceObject>();
    Value* found = instance ? instance->dict.as<DictObject>()->find(table) : nullptr;
    return found ? plainOf(*found).as<DictObject>() : nullptr;
}

void NnModules::moduleLoaded(Evaluator&, const std::string& name, const Value& module) {
    if (name != "torch.nn.modules.module")
        return;
    const Value* found = module.as<SourceModuleObject>()->dict.as<DictObject>()->find("Module");
    if (!found || !found->as<ClassObject>())
        return;
    ClassData& type = *found->as<ClassObject>()->data;
    type.members = this;
    type.add("__getattr__", [this](Evaluator& e, Values& args, NamedValues&) -> Value {
        requireArguments("__getattr__", args, 2, 2);
        const Value self = args[0];
        if (std::optional<Value> found = find(e, self, args[1].text()))
            return std::move(*found);
        raise("AttributeError",
              '\'' + typeName(self) + "' object has no attribute '" + args[1].text() + '\'');
    });
    type.add("__call__", [this](Evaluator& e, Values& args, NamedValues& kwargs) -> Value {
        const Value self = std::move(args.at(0));
        args.erase(args.begin());
        return m_patch ? m_patch->callModule(e, self, std::move(args), std::move(kwargs))
                       : callPlainly(e, self, std::move(args), std::move(kwargs));
    });
}

std::optional<Value> NnModules::find(Evaluator& evaluator, const Value& module, const TextKey& name) {
    using Member = ModulePatch::Member;
    static const std::pair<TextKey, Member> kTables[] = {
        {kParameterTable, Member::Parameter}, {kBufferTable, Member::Buffer}, {kModuleTable, Member::Module}};
    for (const auto& [table, member] : kTables)
        if (DictObject* entries = moduleTable(module, table))
            if (const Value* entry = entries->find(name)) {
                const Value found = *entry;
                return m_patch
                           ? m_patch->moduleMember(evaluator, module, std::string(name.text), found, member)
                           : found;
            }
    return std::nullopt;
}

Value NnModules::callPlainly(Evaluator& evaluator, const Value& module, Values args, NamedValues kwargs) {
    return evaluator.callMethod(module, "_call_impl", std::move(args), std::move(kwargs));
}

} // namespace fx
