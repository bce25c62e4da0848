// SPDX-License-Identifier: GPL-3.0-or-later
// What torch's names are: functions by the table, classes, and modules that are the library's own text.
#include "core/base/error.h"
#include "core/ir/dtype.h"
#include "core/python/types/sequences.h"
#include "core/torch/attributes.h"
#include "core/torch/call.h"
#include "core/torch/generators.h"
#include "core/torch/library_texts.h"
#include "core/torch/live_host.h"
#include "core/torch/python_functions.h"
#include "core/torch/storages.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

bool isNamespace(const std::string& path) {
    const FunctionRow* row = path == "torch" ? nullptr : findFunction(path);
    return path == "torch" || path.starts_with("torch.ops") || (row && row->kind == FunctionKind::Module);
}

Value makeDevice(const Values& args, const NamedValues& kwargs) {
    const auto argument = [&](size_t index, const char* name) {
        for (const auto& [key, value] : kwargs)
            if (key == name)
                return value;
        return index < args.size() ? args[index] : Value();
    };
    const Value type =
        kwargs.size() == 1 && kwargs[0].first == "device" ? kwargs[0].second : argument(0, "type");
    const Value index = argument(1, "index");
    Value out;
    guarded([&] {
        if (type.isData() && type.data().isDevice()) {
            out = type;
        } else if (type.isInt()) {
            out = c10::IValue(c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(type.data().toInt())));
        } else if (type.isString()) {
            c10::Device device(type.text());
            if (index.isInt())
                device = c10::Device(device.type(), static_cast<c10::DeviceIndex>(index.data().toInt()));
            out = c10::IValue(device);
        } else {
            raise("TypeError", "Device must be a string, an int or a device, not " + typeName(type));
        }
    });
    return out;
}

/// The methods of Tensor that are Python in PyTorch, as functions.
DictObject& tensorText(Evaluator& evaluator) {
    return *evaluator.runLibrary("torch._tensor").as<SourceModuleObject>()->dict.as<DictObject>();
}

/// torch.Tensor.add: takes the tensor first.
std::optional<Value> unboundMethod(const std::string& name) {
    const FunctionRow* row = findTensorMember(name);
    if (!row || (row->kind != FunctionKind::Builtin && row->kind != FunctionKind::Python))
        return std::nullopt;
    const bool isC = row->kind == FunctionKind::Builtin;
    return makeNative("torch.Tensor." + name, [name, isC](Evaluator& e, Values& args, NamedValues& kwargs) {
        if (args.empty())
            raise("TypeError", "unbound method TensorBase." + name + "() needs an argument");
        if (isC && !dynamic_cast<LiveHost&>(e.host()).isTensorLike(args[0]))
            raise("TypeError", "descriptor '" + name +
                                   "' for 'torch._C.TensorBase' objects doesn't apply to a '" +
                                   typeName(args[0]) + "' object");
        const bool isOthers = !plainOf(args[0]).isTensor() && !args[0].as<ProxyObject>();
        const Value* body = isOthers ? tensorText(e).find(name) : nullptr;
        if (body) // a function of Python's, which takes anything
            return e.call(*body, args, std::move(kwargs));
        return e.callMethod(args[0], name, Values(args.begin() + 1, args.end()), std::move(kwargs));
    });
}

} // namespace

bool isModuleInstance(const Value& value) {
    const auto* instance = value.as<InstanceObject>();
    return instance && instance->type.as<ClassObject>()->data->isModule;
}

bool isParameter(const Value& value) {
    const auto* instance = value.as<InstanceObject>();
    return instance && instance->payload.isTensor() &&
           instance->type.as<ClassObject>()->data->name == "Parameter";
}

DictObject* moduleTable(const Value& module, const TextKey& table) {
    auto* instance = module.as<InstanceObject>();
    Value* found = instance ? instance->dict.as<DictObject>()->find(table) : nullptr;
    return found ? plainOf(*found).as<DictObject>() : nullptr;
}

void LiveHost::prepare(Evaluator& evaluator) {
    const auto add = [&](const char* name, const char* module, const char* base = "object") -> ClassData& {
        ClassData& type = evaluator.addType(name, base);
        const std::string full = name;
        const size_t dot = full.rfind('.');
        type.name = type.qualifiedName = dot == std::string::npos ? full : full.substr(dot + 1);
        type.module = module;
        evaluator.builtins().erase(name);
        return type;
    };
    ClassData& tensor = add("Tensor", "torch");
    tensor.construct = [](Evaluator&, const Value&, Values& args, NamedValues& kwargs) -> Value {
        if (args.empty())
            return c10::IValue(at::empty({0}));
        if (args[0].isInt())
            return callFunction("torch.empty", args, kwargs);
        return callFunction("torch.tensor", {args[0]}, {{"dtype", Object{Argument(c10::ScalarType::Float)}}});
    };
    const auto copied = [](Evaluator& e, Values& args, NamedValues&) -> Value {
        const Value clone = c10::IValue(plainOf(args.at(0)).data().toTensor().detach().clone());
        if (!isParameter(args[0]))
            return clone;
        const bool wantsGrad = plainOf(args[0]).data().toTensor().requires_grad();
        clone.data().toTensor().set_requires_grad(wantsGrad);
        return e.makeInstance(e.type("Parameter"), clone);
    };
    tensor.add("__deepcopy__", copied);
    tensor.unlisted = unboundMethod;
    tensor.add("__copy__", [](Evaluator&, Values& args, NamedValues&) { return args.at(0); });
    ClassData& parameter = add("Parameter", "torch.nn.parameter", "Tensor");
    parameter.construct = nullptr;
    add("torch.Size", "torch", "tuple").construct = [](Evaluator& e, const Value&, Values& args,
                                                       NamedValues&) -> Value {
        return makeSize(&e, args.empty() ? Values() : e.items(args[0]));
    };
    evaluator.classOf(evaluator.type("torch.Size"))
        .add("numel", [](Evaluator&, Values& args, NamedValues&) -> Value {
            const auto* size = plainOf(args.at(0)).as<SizeObject>();
            if (!size)
                raise("TypeError",
                      "numel() is a method of torch.Size, not of '" + fx::typeName(args[0]) + '\'');
            return makeInt(c10::multiply_integers(size->sizes));
        });
    for (const char* name : {"torch.dtype", "torch.layout", "torch.memory_format", "torch.qscheme",
                             "torch.SymInt", "torch.SymFloat", "torch.SymBool"})
        add(name, "torch");
    addGeneratorClass(add(kGeneratorType, "torch._C"));
    addStorageClass(add(kStorageType, "torch.storage"));
    addInferenceModeClass(add("torch._C._InferenceMode", "torch._C"));
    add("torch.device", "torch").construct = [](Evaluator&, const Value&, Values& args, NamedValues& kwargs) {
        return makeDevice(args, kwargs);
    };
    const auto native = [&](const char* name, NativeObject::Call call) {
        evaluator.builtins().set(name, makeNative(name, std::move(call)));
    };
    native("_make_parameter", [](Evaluator& e, Values& args, NamedValues&) -> Value {
        requireArguments("_make_parameter", args, 2, 2);
        const Value& data = plainOf(args[0]);
        if (!data.isTensor())
            raise("TypeError", "Parameter data should be a Tensor, not " + fx::typeName(data));
        const bool wantsGrad = e.isTrue(args[1]);
        at::Tensor tensor;
        guarded([&] {
            tensor = data.data().toTensor().detach();
            tensor.set_requires_grad(wantsGrad);
        });
        return e.makeInstance(e.type("Parameter"), c10::IValue(tensor));
    });
    for (const char* name :
         {"_vmap_increment_nesting", "_vmap_decrement_nesting", "_add_batch_dim", "_remove_batch_dim"})
        native(name, [function = findPythonFunction(std::string("torch._functorch.predispatch.") + name)](
                         Evaluator&, Values& args, NamedValues& kwargs) { return function(args, kwargs); });
    native("_is_parameter", [](Evaluator&, Values& args, NamedValues&) -> Value {
        return c10::IValue(isParameter(args.at(0)));
    });
}

std::optional<Value> LiveHost::name(Evaluator& evaluator, const std::string& name) {
    if (!m_variables)
        return std::nullopt;
    // Console and input specs: variables, then torch's names without their module.
    if (const std::optional<Value> value = m_variables(name))
        return value;
    if (name == "torch")
        return Value(Object{NamespaceObject{"torch"}});
    if (name == "F")
        return Value(Object{NamespaceObject{"torch.nn.functional"}});
    if (name == "math" || name == "operator")
        return evaluator.importModule(name);
    if (const auto dtype = dtypeFromName(name))
        return Value(Object{Argument(*dtype)});
    return namespaceAttribute(evaluator, "torch", name);
}

std::optional<Value> LiveHost::importModule(Evaluator&, const std::string& name) {
    if (name == "torch._functorch.predispatch")
        return Value(Object{NamespaceObject{name}});
    if (isNamespace(name) &&
        (name == "torch" || name == "torch.nn" || !isTextModule(name) || name == "torch.nn.functional" ||
         name == "torch.functional" || name == "torch.nn.init"))
        return Value(Object{NamespaceObject{name}});
    return std::nullopt;
}

const LibraryModule* LiveHost::libraryModule(const std::string& name) {
    return findTextModule(name);
}

void LiveHost::moduleLoaded(Evaluator&, const std::string& name, const Value& module) {
    if (name != "torch.nn.modules.module")
        return;
    // Module's two hot methods: what the tracer overrides is reached through the host.
    const Value* found = module.as<SourceModuleObject>()->dict.as<DictObject>()->find("Module");
    if (!found || !found->as<ClassObject>())
        return;
    ClassData& type = *found->as<ClassObject>()->data;
    type.isModule = true;
    type.add("__getattr__", [this](Evaluator& e, Values& args, NamedValues&) -> Value {
        requireArguments("__getattr__", args, 2, 2);
        const Value self = args[0];
        if (std::optional<Value> found = moduleMember(e, self, args[1].text()))
            return std::move(*found);
        raise("AttributeError",
              '\'' + fx::typeName(self) + "' object has no attribute '" + args[1].text() + '\'');
    });
    type.add("__call__", [this](Evaluator& e, Values& args, NamedValues& kwargs) -> Value {
        const Value self = std::move(args.at(0));
        args.erase(args.begin());
        return callModule(e, self, std::move(args), std::move(kwargs));
    });
}

std::optional<Value> LiveHost::moduleMember(Evaluator& evaluator, const Value& module, const TextKey& name) {
    static const std::pair<TextKey, Member> kTables[] = {
        {kParameterTable, Member::Parameter}, {kBufferTable, Member::Buffer}, {kModuleTable, Member::Module}};
    for (const auto& [table, member] : kTables)
        if (DictObject* entries = moduleTable(module, table))
            if (const Value* entry = entries->find(name))
                return moduleAttribute(evaluator, module, std::string(name.text), Value(*entry), member);
    return std::nullopt;
}

Value LiveHost::callModule(Evaluator& evaluator, const Value& module, Values args, NamedValues kwargs) {
    return evaluator.callMethod(module, "_call_impl", std::move(args), std::move(kwargs));
}

Value LiveHost::moduleAttribute(Evaluator&, const Value&, const std::string&, const Value& found, Member) {
    return found;
}

const FunctionRow* LiveHost::rowOf(Target target) {
    const auto [entry, isNew] = m_rows.try_emplace(target, nullptr);
    if (isNew && target.name().starts_with("torch.") && !target.isOperatorOverload())
        entry->second = findFunction(target.name());
    return entry->second;
}

namespace {

/// Where the text of a function may be: by its public name, and where PyTorch defines it.
std::vector<std::string> textNames(const FunctionRow* row, const std::string& name) {
    constexpr std::string_view kMethods = "torch.Tensor.";
    if (name.starts_with(kMethods))
        return {"torch._tensor." + name.substr(kMethods.size())};
    if (row)
        return {std::string(row->publicName), name};
    return {name};
}

std::string moduleOf(const std::string& name) {
    return name.substr(0, name.rfind('.'));
}

bool isInC(const FunctionRow* row) {
    return row && (row->kind == FunctionKind::Builtin || row->kind == FunctionKind::Native);
}

} // namespace

bool isPythonInTorch(Target target) {
    const std::string& name = target.name();
    if (!name.starts_with("torch.") || target.isOperatorOverload())
        return false;
    if (name.starts_with("torch.Tensor.")) {
        const FunctionRow* row = findTensorMember(name.substr(name.rfind('.') + 1));
        return row && (row->kind == FunctionKind::Python || row->kind == FunctionKind::Body);
    }
    const FunctionRow* row = findFunction(name);
    if (!row)
        return isTextModule(moduleOf(name));
    return row->kind == FunctionKind::Python || row->kind == FunctionKind::Switch ||
           row->kind == FunctionKind::Body;
}

std::optional<Value> LiveHost::libraryFunction(Evaluator& evaluator, Target target) {
    const auto known = m_bodies.find(target);
    if (known != m_bodies.end())
        return known->second;
    std::optional<Value> body;
    const FunctionRow* row = rowOf(target);
    if (!isInC(row) && target.name().starts_with("torch."))
        for (const std::string& name : textNames(row, target.name())) {
            if (body || !isTextModule(moduleOf(name)))
                continue;
            const Value text = evaluator.runLibrary(moduleOf(name));
            const DictObject& names = *text.as<SourceModuleObject>()->dict.as<DictObject>();
            if (const Value* found = names.find(name.substr(name.rfind('.') + 1)))
                if (!found->as<FunctionObject>())
                    body = *found;
        }
    m_bodies[target] = body;
    return body;
}

std::optional<Value> LiveHost::namespaceAttribute(Evaluator& evaluator, const std::string& path,
                                                  const std::string& name) {
    const auto& names = m_namespaceCache[path];
    if (const auto known = names.find(name); known != names.end())
        return known->second;
    const std::string full = path + '.' + name;
    const auto find = [&]() -> std::optional<Value> {
        if (path.starts_with("torch.ops"))
            return findAttributeOf(Object{NamespaceObject{path}}, name);
        static const std::unordered_map<std::string, const char*> kClasses = {
            {"torch.Tensor", "Tensor"},
            {"torch.Size", "torch.Size"},
            {"torch.device", "torch.device"},
            {"torch.dtype", "torch.dtype"},
            {"torch.layout", "torch.layout"},
            {"torch.memory_format", "torch.memory_format"},
            {"torch.qscheme", "torch.qscheme"},
            {"torch.Generator", kGeneratorType},
            {"torch.UntypedStorage", kStorageType},
            {"torch.linalg.LinAlgError", "_LinAlgError"},
            {"torch.OutOfMemoryError", "OutOfMemoryError"},
            {"torch.cuda.OutOfMemoryError", "OutOfMemoryError"},
            {kGeneratorType, kGeneratorType},
            {"torch._C._InferenceMode", "torch._C._InferenceMode"},
            {"torch.SymInt", "torch.SymInt"},
            {"torch.SymFloat", "torch.SymFloat"},
            {"torch.SymBool", "torch.SymBool"}};
        if (const auto type = kClasses.find(full); type != kClasses.end())
            return evaluator.type(type->second);
        const FunctionRow* row = findFunction(full);
        const bool isFunction =
            row && (row->kind == FunctionKind::Builtin || row->kind == FunctionKind::Native ||
                    row->kind == FunctionKind::Python || row->kind == FunctionKind::Switch ||
                    row->kind == FunctionKind::Body);
        const bool isText = path == "torch.nn.init" && row && row->kind != FunctionKind::Python;
        if (isFunction && !isText && !path.starts_with("torch.nn.utils"))
            return Value(Object{FunctionObject{Target(row->publicName)}});
        if (row && row->kind == FunctionKind::Value && !row->value.as<OpaqueValue>())
            return makeValue(row->value, nullptr);
        // Functions and constants of the text come before the module's own submodules.
        if (isTextModule(path)) {
            const Value text = evaluator.runLibrary(path);
            if (std::optional<Value> found = evaluator.findAttribute(text, name))
                return found;
        }
        if (isNamespace(full) || isTextModule(full))
            return evaluator.importModule(full);
        if (row && row->kind == FunctionKind::Class)
            if (std::optional<Value> type = evaluator.libraryClass(row->target.name()))
                return type;
        if (std::optional<Value> constant = findAttributeOf(Object{NamespaceObject{path}}, name);
            constant && !constant->as<NamespaceObject>())
            return constant;
        // What PyTorch has and is not here counts as there, until it is called.
        const std::vector<std::string_view>* names = name.starts_with("__") ? nullptr : namesOfModule(path);
        if (names && std::ranges::binary_search(*names, std::string_view(name)))
            return makeNative(full, [full](Evaluator&, Values&, NamedValues&) -> Value {
                raise("NotImplementedError", full + " cannot be called here");
            });
        return std::nullopt;
    };
    std::optional<Value> found = find();
    if (found) // a module that is still being run may get more names
        m_namespaceCache[path].insert_or_assign(name, *found);
    return found;
}

} // namespace fx
