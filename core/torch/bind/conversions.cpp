// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor.to, .cpu(), .cuda(), .float() and .type(): another dtype, another device.
#include "core/base/error.h"
#include "core/python/evaluator.h"
#include "core/torch/bind/hand_bound.h"
#include "core/torch/bind/unpack.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

using c10::IValue;

/// The tensor itself where nothing changes, as Python gives it.
Value orSelf(const Value* self, at::Tensor converted) {
    return converted.is_same(tensorOf(self)) ? *self : Value(IValue(std::move(converted)));
}

Value to(const ParsedCall& call, const Value* self) {
    const at::Tensor& tensor = tensorOf(self);
    std::optional<c10::Device> device;
    std::optional<c10::ScalarType> dtype;
    size_t next = 1;
    switch (call.signature->parameters[0].type) {
    case ParameterType::Device:
        device = unpackDevice(call, 0);
        dtype = unpackDType(call, 1);
        next = 2;
        break;
    case ParameterType::DType:
        dtype = unpackDType(call, 0);
        break;
    default: {
        const at::Tensor like = unpack(call, 0).toTensor();
        device = like.device();
        dtype = like.scalar_type();
    }
    }
    const bool isNonBlocking = unpackBool(call, next, false), copies = unpackBool(call, next + 1, false);
    const auto format = unpackMemoryFormat(call, next + 2);
    // The same overloads as PyTorch's binding, since captures record them.
    if (device && dtype)
        return orSelf(self, tensor.to(*device, *dtype, isNonBlocking, copies, format));
    if (dtype)
        return orSelf(self, tensor.to(*dtype, isNonBlocking, copies, format));
    return orSelf(self, tensor.to(device ? tensor.options().device(*device) : tensor.options(), isNonBlocking,
                                  copies, format));
}

template <c10::ScalarType type>
Value cast(const ParsedCall& call, const Value* self) {
    return orSelf(self, tensorOf(self).to(type, false, false, unpackMemoryFormat(call, 0)));
}

Value cpu(const ParsedCall& call, const Value* self) {
    return orSelf(self, tensorOf(self).to(tensorOf(self).options().device(c10::kCPU), false, false,
                                          unpackMemoryFormat(call, 0)));
}

Value cuda(const ParsedCall& call, const Value* self) {
    const c10::Device device =
        call.isGiven(0) ? *unpackDevice(call, 0) : deviceOf(IValue(c10::Device(c10::kCUDA)));
    if (!device.is_cuda())
        raise("RuntimeError", "Invalid device, must be cuda device");
    return orSelf(self, tensorOf(self).to(tensorOf(self).options().device(device), unpackBool(call, 1, false),
                                          false, unpackMemoryFormat(call, 2)));
}

// --- The classes that tensors had before they had dtypes.

constexpr std::pair<c10::ScalarType, std::string_view> kDtypeClasses[] = {
    {c10::ScalarType::Float, "Float"},
    {c10::ScalarType::Double, "Double"},
    {c10::ScalarType::Half, "Half"},
    {c10::ScalarType::BFloat16, "BFloat16"},
    {c10::ScalarType::Int, "Int"},
    {c10::ScalarType::Long, "Long"},
    {c10::ScalarType::Short, "Short"},
    {c10::ScalarType::Char, "Char"},
    {c10::ScalarType::Byte, "Byte"},
    {c10::ScalarType::Bool, "Bool"},
    {c10::ScalarType::ComplexFloat, "ComplexFloat"},
    {c10::ScalarType::ComplexDouble, "ComplexDouble"},
};

std::string className(std::string_view dtype, bool isCuda, bool isSparse) {
    return std::string("torch.") + (isCuda ? "cuda." : "") + (isSparse ? "sparse." : "") +
           std::string(dtype) + "Tensor";
}

std::string classOf(const at::Tensor& tensor) {
    for (const auto& [dtype, name] : kDtypeClasses)
        if (dtype == tensor.scalar_type())
            return className(name, tensor.is_cuda(), tensor.is_sparse());
    return className(c10::toString(tensor.scalar_type()), tensor.is_cuda(), tensor.is_sparse());
}

/// "torch.DoubleTensor" of the class or its name.
std::string nameOfClass(const Value& value) {
    if (const auto* type = value.as<ClassObject>())
        return type->data->isBuiltin && type->data->module.empty()
                   ? type->data->name
                   : type->data->module + '.' + type->data->name;
    if (const auto* function = value.as<FunctionObject>())
        return function->target.name();
    if (!value.isString())
        raise("TypeError", "dtype must be a type, str, or dtype object");
    return value.text();
}

Value type(const ParsedCall& call, const Value* self) {
    const at::Tensor& tensor = tensorOf(self);
    if (!call.isGiven(0))
        return makeText(classOf(tensor));
    const bool isNonBlocking = unpackBool(call, 1, false);
    const auto format = unpackMemoryFormat(call, 2);
    const Value& wanted = plainOf(*call.values[0]);
    if (const auto* leaf = wanted.as<Argument>(); leaf && leaf->as<c10::ScalarType>())
        return orSelf(self, tensor.to(*leaf->as<c10::ScalarType>(), isNonBlocking, false, format));
    const std::string name = nameOfClass(wanted);
    if (name == "torch.Tensor" || name == "Tensor")
        return orSelf(self, tensor.to(c10::get_default_dtype_as_scalartype(), isNonBlocking, false, format));
    for (const auto& [dtype, word] : kDtypeClasses)
        for (const bool isCuda : {false, true})
            if (name == className(word, isCuda, false))
                return orSelf(self, tensor.to(deviceOf(IValue(c10::Device(isCuda ? c10::kCUDA : c10::kCPU))),
                                              dtype, isNonBlocking, false, format));
    raise("ValueError", "invalid type: '" + name + '\'');
}

} // namespace

void addConversions(HandBoundTable& methods) {
    methods["to"] = to;
    methods["cpu"] = cpu;
    methods["cuda"] = cuda;
    methods["type"] = type;
    methods["float"] = cast<c10::ScalarType::Float>;
    methods["double"] = cast<c10::ScalarType::Double>;
    methods["half"] = cast<c10::ScalarType::Half>;
    methods["bfloat16"] = cast<c10::ScalarType::BFloat16>;
    methods["int"] = cast<c10::ScalarType::Int>;
    methods["long"] = cast<c10::ScalarType::Long>;
    methods["short"] = cast<c10::ScalarType::Short>;
    methods["char"] = cast<c10::ScalarType::Char>;
    methods["byte"] = cast<c10::ScalarType::Byte>;
    methods["bool"] = cast<c10::ScalarType::Bool>;
    methods["cfloat"] = cast<c10::ScalarType::ComplexFloat>;
    methods["cdouble"] = cast<c10::ScalarType::ComplexDouble>;
}

} // namespace fx
