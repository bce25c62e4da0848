// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/unpack.h"

#include "core/base/error.h"
#include "core/python/evaluator.h"
#include "core/torch/bind/argument_faults.h"
#include "core/torch/bind/meta_fallback.h"
#include "core/torch/values/devices.h"
#include "core/torch/values/symbolic_tensors.h"
#include "core/torch/values/thread_modes.h"

#include <ATen/ATen.h>
#include <ATen/ScalarOps.h>

#include <algorithm>

namespace fx {

using c10::IValue;

at::Tensor numberAsTensor(const IValue& number) {
    if (number.isSymInt() || number.isSymFloat())
        return wrappedNumber(number.isSymInt() ? number.toSymInt().toSymNode()
                                               : number.toSymFloat().toSymNodeImpl());
    at::Tensor tensor = c10::scalar_to_tensor(number.toScalar());
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    return tensor;
}

c10::ScalarType dtypeOf(const Value& given) {
    if (const auto* leaf = given.as<Argument>())
        return *leaf->as<c10::ScalarType>();
    const auto* type = given.as<ClassObject>();
    const std::string name = type ? type->data->name : given.as<FunctionObject>()->target.name();
    return name == "float"  ? c10::ScalarType::Double
           : name == "int"  ? c10::ScalarType::Long
           : name == "bool" ? c10::ScalarType::Bool
                            : c10::ScalarType::ComplexDouble;
}

int64_t unpackInt(const Value& given) {
    const Value& value = plainOf(given);
    if (value.isInt())
        return value.data().toInt();
    if (value.isBool())
        return value.data().toBool() ? 1 : 0;
    if (value.isTensor())
        return value.data().toTensor().item().toLong();
    if (SymbolicNumber* number = symbolicNumber(value))
        return number->guard_int(__FILE__, __LINE__);
    raise("ValueError", "Overflow when unpacking long long");
}

namespace {

/// item() of a tensor of one number, without the way through the dispatcher where it lies in plain memory.
IValue itemOf(const at::Tensor& tensor) {
    constexpr c10::DispatchKeySet kPlain{c10::DispatchKey::CPU, c10::DispatchKey::AutocastCPU,
                                         c10::DispatchKey::ADInplaceOrView, c10::DispatchKey::AutogradCPU};
    if ((tensor.key_set() | kPlain) == kPlain && tensor.numel() == 1) {
        switch (tensor.scalar_type()) {
        case c10::kLong:
            return *tensor.const_data_ptr<int64_t>();
        case c10::kFloat:
            return static_cast<double>(*tensor.const_data_ptr<float>());
        case c10::kDouble:
            return *tensor.const_data_ptr<double>();
        default:
            break;
        }
    }
    return tensor.item();
}

IValue numberOf(const Value& given) {
    const Value& value = plainOf(given);
    if (value.isTensor())
        return itemOf(value.data().toTensor());
    if (value.object())
        raise("OverflowError", "int too big to convert");
    return value.data();
}

double floatOf(const Value& given) {
    if (SymbolicNumber* number = symbolicNumber(plainOf(given)))
        return number->guard_float(__FILE__, __LINE__);
    return numberOf(given).toScalar().toDouble();
}

/// An int for each of the list's.
IValue sameInts(const SignatureParameter& parameter, const Value& given) {
    const std::vector<int64_t> same(parameter.size, unpackInt(given));
    return IValue(c10::List<int64_t>(c10::IntArrayRef(same)));
}

/// Of which some depend on symbols.
IValue symbolicList(const Values& values) {
    std::vector<c10::SymInt> out;
    for (const Value& item : values)
        out.push_back(symbolicNumber(plainOf(item)) ? plainOf(item).data().toSymInt()
                                                    : c10::SymInt(unpackInt(item)));
    return IValue(c10::SymIntArrayRef(out));
}

IValue intList(const ParsedCall& call, size_t index) {
    const CallSignature& signature = *call.signature;
    const SignatureParameter& parameter = signature.parameters[index];
    const Value* given = call.values[index];
    if (given && given->isData() && given->data().isIntList())
        return given->data();
    if (given && (given->isTensor() || isPythonInt(*given)))
        return sameInts(parameter, *given);
    std::optional<ListItems> items;
    if (given)
        items.emplace(*given);
    const Values& values = given ? items->values() : *call.sizes;
    if (std::ranges::any_of(values, [](const Value& item) { return symbolicNumber(plainOf(item)); }))
        return symbolicList(values);
    c10::List<int64_t> out;
    out.reserve(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
        const Value& item = plainOf(values[i]);
        if (item.isInt() || item.isBool()) // only the first must not be a bool
            out.push_back(item.data().toScalar().toLong());
        else if (isIndexLike(item))
            out.push_back(unpackInt(item));
        else
            raiseWrongItem(signature, parameter, i, pythonTypeName(values[i]));
    }
    return out;
}

IValue floatList(const ParsedCall& call, size_t index) {
    const SignatureParameter& parameter = call.signature->parameters[index];
    const ListItems items(*call.values[index]);
    c10::List<double> out;
    for (size_t i = 0; i < items.values().size(); ++i) {
        const Value& item = plainOf(items.values()[i]);
        if (!item.isTensor() && (!isPythonNumber(item) || item.data().isComplexDouble()))
            raise("TypeError", std::string(call.signature->name) + "(): argument '" +
                                   std::string(parameter.name) + "' must be " +
                                   std::string(typeText(parameter.type)) + ", but found element of type " +
                                   pythonTypeName(item) + " at pos " + std::to_string(i + 1));
        out.push_back(floatOf(item));
    }
    return out;
}

IValue tensorList(const Value& given) {
    if (given.isData() && given.data().isTensorList())
        return given.data();
    c10::List<at::Tensor> out;
    const ListItems items(given); // it may hold what values() gives
    for (const Value& item : items.values())
        out.push_back(plainOf(item).data().toTensor());
    return out;
}

IValue scalarList(const Value& given) {
    c10::impl::GenericList out(c10::NumberType::get());
    const ListItems items(given); // it may hold what values() gives
    for (const Value& item : items.values())
        out.push_back(numberOf(item));
    return IValue(out);
}

} // namespace

c10::Device deviceOf(const Value& given) {
    const Value& value = plainOf(given);
    const bool isDevice = value.isData() && value.data().isDevice();
    if (!isDevice && !value.isString())
        return acceleratorDevice(unpackInt(value));
    const c10::Device device = isDevice ? value.data().toDevice() : c10::Device(value.text());
    if (device.is_meta())
        supportMeta(); // a program computes there, as in Python
    return usableDevice(device);
}

IValue unpack(const ParsedCall& call, size_t index) {
    const SignatureParameter& parameter = call.signature->parameters[index];
    if (parameter.type == ParameterType::IntList)
        return intList(call, index);
    if (parameter.type == ParameterType::FloatList)
        return floatList(call, index);
    return unpackValue(parameter, *call.values[index]);
}

IValue unpackValue(const SignatureParameter& parameter, const Value& given) {
    const Value& value = plainOf(given);
    switch (parameter.type) {
    case ParameterType::IntList:
        if (const auto* sizes = value.as<SizeObject>())
            return IValue(c10::List<int64_t>(c10::IntArrayRef(sizes->sizes)));
        return sameInts(parameter, value);
    case ParameterType::Tensor:
        return value.isTensor() ? value.data() : IValue(numberAsTensor(numberOf(value)));
    case ParameterType::Scalar:
        return numberOf(value);
    case ParameterType::SymInt:
        if (symbolicNumber(value))
            return value.data();
        return unpackInt(value);
    case ParameterType::Int:
        return unpackInt(value);
    case ParameterType::Float:
        return floatOf(value);
    case ParameterType::TensorList:
        return tensorList(value);
    case ParameterType::ScalarList:
        return scalarList(value);
    case ParameterType::DType:
        return static_cast<int64_t>(dtypeOf(value));
    case ParameterType::Layout:
        return static_cast<int64_t>(*value.as<Argument>()->as<c10::Layout>());
    case ParameterType::MemoryFormat:
        return static_cast<int64_t>(*value.as<Argument>()->as<c10::MemoryFormat>());
    case ParameterType::Device:
        return deviceOf(value);
    default:
        return value.data();
    }
}

std::optional<c10::ScalarType> unpackDType(const ParsedCall& call, size_t parameter) {
    return call.isGiven(parameter) ? std::optional(dtypeOf(*call.values[parameter])) : std::nullopt;
}

namespace {

/// torch.utils._device's list: what makes tensors of nothing but sizes and data.
bool heedsContextDevice(std::string_view function) {
    static constexpr std::string_view kFunctions[] = {"arange",
                                                      "as_tensor",
                                                      "asarray",
                                                      "bartlett_window",
                                                      "blackman_window",
                                                      "empty",
                                                      "empty_permuted",
                                                      "empty_quantized",
                                                      "empty_strided",
                                                      "eye",
                                                      "fft_fftfreq",
                                                      "fft_rfftfreq",
                                                      "full",
                                                      "hamming_window",
                                                      "hann_window",
                                                      "kaiser_window",
                                                      "linspace",
                                                      "logspace",
                                                      "nested_tensor",
                                                      "ones",
                                                      "rand",
                                                      "randint",
                                                      "randn",
                                                      "randperm",
                                                      "range",
                                                      "scalar_tensor",
                                                      "sparse_bsc_tensor",
                                                      "sparse_bsr_tensor",
                                                      "sparse_compressed_tensor",
                                                      "sparse_coo_tensor",
                                                      "sparse_csc_tensor",
                                                      "sparse_csr_tensor",
                                                      "tensor",
                                                      "tril_indices",
                                                      "triu_indices",
                                                      "zeros"};
    return std::ranges::find(kFunctions, function) != std::end(kFunctions);
}

} // namespace

std::optional<c10::Device> unpackDevice(const ParsedCall& call, size_t parameter) {
    if (call.isGiven(parameter))
        return deviceOf(*call.values[parameter]);
    return heedsContextDevice(call.signature->name) ? contextDevice() : std::nullopt;
}

std::optional<c10::MemoryFormat> unpackMemoryFormat(const ParsedCall& call, size_t parameter) {
    if (!call.isGiven(parameter))
        return std::nullopt;
    return *call.values[parameter]->as<Argument>()->as<c10::MemoryFormat>();
}

bool unpackBool(const ParsedCall& call, size_t parameter, bool byDefault) {
    return call.isGiven(parameter) ? call.values[parameter]->data().toBool() : byDefault;
}

} // namespace fx
