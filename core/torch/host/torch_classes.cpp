// SPDX-License-Identifier: GPL-3.0-or-later
// The classes of torch that are C in PyTorch.
#include "core/python/types/sequences.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/python_functions.h"
#include "core/torch/host/operator_attributes.h"
#include "core/torch/host/torch_hosts.h"
#include "core/torch/values/generators.h"
#include "core/torch/values/storages.h"
#include "core/torch/values/symbolic_tensors.h"
#include "core/torch/values/thread_modes.h"

#include <ATen/ATen.h>
#include <ATen/SequenceNumber.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>

namespace fx {

namespace {

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
DictObject& tensorNames(Evaluator& evaluator) {
    return *evaluator.modules().runLibrary("torch._tensor").as<SourceModuleObject>()->dict.as<DictObject>();
}

/// torch.Tensor.add: takes the tensor first.
std::optional<Value> unboundMethod(const std::string& name) {
    const FunctionRow* row = findTensorMember(name);
    if (row && row->kind == FunctionKind::Property)
        return Object{PropertyObject{makeNative("torch.Tensor." + name,
                                                [name](Evaluator& e, Values& args, NamedValues&) {
                                                    return e.attribute(args.at(0), name);
                                                }),
                                     Value(), Value()}};
    if (!row || (row->kind != FunctionKind::Builtin && row->kind != FunctionKind::Python))
        return std::nullopt;
    const bool isC = row->kind == FunctionKind::Builtin;
    return makeNative("torch.Tensor." + name, [name, isC](Evaluator& e, Values& args, NamedValues& kwargs) {
        if (args.empty())
            raise("TypeError", "unbound method TensorBase." + name + "() needs an argument");
        if (isC && !plainOf(args[0]).isTensor())
            raise("TypeError", "descriptor '" + name +
                                   "' for 'torch._C.TensorBase' objects doesn't apply to a '" +
                                   typeName(args[0]) + "' object");
        const bool isOthers = !plainOf(args[0]).isTensor() && !asProxy(args[0]);
        const Value* body = isOthers ? tensorNames(e).find(name) : nullptr;
        if (body) // a function of Python's, which takes anything
            return e.call(*body, args, std::move(kwargs));
        return e.callMethod(args[0], name, Values(args.begin() + 1, args.end()), std::move(kwargs));
    });
}

} // namespace

void addTorchClasses(Evaluator& evaluator) {
    const auto add = [&](const char* name, const char* module, const char* base = "object") -> ClassData& {
        ClassData& type = evaluator.types().add(name, base);
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
        return makeParameter(e, clone.data().toTensor());
    };
    tensor.add("__deepcopy__", copied);
    // Each method is one object, as programs compare what `__torch_function__` is passed with it.
    tensor.unlisted = [known = std::make_shared<std::unordered_map<std::string, std::optional<Value>>>()](
                          const std::string& name) {
        const auto [method, isNew] = known->try_emplace(name);
        if (isNew)
            method->second = unboundMethod(name);
        return method->second;
    };
    // (cls, function, types, args=(), kwargs=None)
    tensor.addClassMethod("__torch_function__", [](Evaluator& e, Values& args, NamedValues& kwargs) {
        return e.call(*tensorNames(e).find("__torch_function__"), args, std::move(kwargs));
    });
    tensor.add("__copy__", [](Evaluator&, Values& args, NamedValues&) { return args.at(0); });
    ClassData& parameter = add("Parameter", "torch.nn.parameter", "Tensor");
    parameter.construct = nullptr;
    add("torch.Size", "torch", "tuple").construct = [](Evaluator& e, const Value&, Values& args,
                                                       NamedValues&) -> Value {
        Values items = args.empty() ? Values() : e.items(args[0]);
        if (std::ranges::any_of(items, [](const Value& item) { return symbolicNumber(item); }))
            return Value(Object{
                InstanceObject{e.type("torch.Size"), Object{DictObject()}, makeTuple(std::move(items))}});
        return makeSize(&e, items);
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
    addSymbolicClasses(evaluator);
    addGeneratorClass(add(kGeneratorType, "torch._C"));
    addOperatorClasses(evaluator);
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
            std::optional<NotRecorded> making;
            if (!isFake(data.data().toTensor())) // such a tensor is of a class of its own in PyTorch
                making.emplace();
            tensor = data.data().toTensor().detach();
            tensor.set_requires_grad(wantsGrad);
        });
        return makeParameter(e, tensor);
    });
    for (const char* name :
         {"_vmap_increment_nesting", "_vmap_decrement_nesting", "_add_batch_dim", "_remove_batch_dim"})
        native(name, [function = findPythonFunction(std::string("torch._functorch.predispatch.") + name)](
                         Evaluator&, Values& args, NamedValues& kwargs) { return function(args, kwargs); });
    native("_default_dtype", [](Evaluator&, Values&, NamedValues&) -> Value {
        return Object{Argument(c10::get_default_dtype_as_scalartype())};
    });
    native("_sequence_number", [](Evaluator&, Values&, NamedValues&) {
        return makeInt(static_cast<int64_t>(at::sequence_number::peek()));
    });
    native("_tensor_names", [](Evaluator&, Values&, NamedValues&) {
        Values names;
        for (const std::string_view name : namesOfTensor())
            names.push_back(makeText(std::string(name)));
        return makeList(std::move(names));
    });
    // The tensor as an instance of a class that a program derives from Tensor.
    native("_as_subclass", [](Evaluator& e, Values& args, NamedValues&) -> Value {
        requireArguments("as_subclass", args, 2, 2);
        const Value& tensor = plainOf(args[0]);
        if (!args[1].as<ClassObject>() || !isSubclass(e, args[1], e.type("Tensor")))
            raise("RuntimeError", "cls must be a type that inherits from Tensor");
        return args[1].as<ClassObject>()->data->isBuiltin ? tensor : makeInstance(args[1], tensor);
    });
    // The Parameter that was made of a tensor, or None.
    native("_parameter_of", [](Evaluator& e, Values& args, NamedValues&) -> Value {
        const at::Tensor& tensor = plainOf(args.at(0)).data().toTensor();
        return isOfParameter(tensor) ? makeParameter(e, tensor) : Value();
    });
    native("_is_parameter", [](Evaluator&, Values& args, NamedValues&) -> Value {
        return c10::IValue(isParameter(args.at(0)));
    });
}

} // namespace fx
