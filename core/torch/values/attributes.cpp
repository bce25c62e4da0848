// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/attributes.h"

#include "core/base/error.h"
#include "core/ir/dtype.h"
#include "core/ir/torch_constants.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operators.h"
#include "core/torch/host/function_table.h"
#include "core/torch/values/generators.h"
#include "core/torch/values/symbolic_tensors.h"
#include "core/torch/values/thread_modes.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/variable.h>

#include <functional>
#include <unordered_map>

namespace fx {

namespace {

using c10::IValue;

Value dtypeValue(c10::ScalarType type) {
    return Object{Argument(type)};
}

Value gradient(const at::Tensor& tensor) {
    const at::Tensor& grad = tensor.grad();
    return grad.defined() ? Value(IValue(grad)) : Value();
}

/// A node of autograd's own graph is no value here.
Value gradientFunction(const at::Tensor& tensor) {
    if (!tensor.requires_grad() || tensor.is_leaf())
        return {};
    throw Error("", "grad_fn is not supported: autograd's own graph cannot be seen here")
        .hint("requires_grad and is_leaf say whether there is one");
}

template <bool (at::TensorBase::*question)() const>
Value answer(const at::Tensor& tensor) {
    return IValue(std::invoke(question, tensor));
}

template <c10::DeviceType type>
Value isOn(const at::Tensor& tensor) {
    return IValue(tensor.device().type() == type);
}

using ReadAttribute = Value (*)(const at::Tensor&);

const std::unordered_map<std::string, ReadAttribute>& tensorAttributes() {
    static const std::unordered_map<std::string, ReadAttribute> kAttributes = {
        {"shape", [](const at::Tensor& t) { return shapeValue(t); }},
        {"dtype", [](const at::Tensor& t) { return dtypeValue(t.scalar_type()); }},
        {"device", [](const at::Tensor& t) -> Value { return IValue(t.device()); }},
        {"layout", [](const at::Tensor& t) -> Value { return Object{Argument(t.layout())}; }},
        {"ndim", [](const at::Tensor& t) -> Value { return IValue(t.dim()); }},
        {"itemsize", [](const at::Tensor& t) { return makeInt(static_cast<int64_t>(t.element_size())); }},
        {"nbytes", [](const at::Tensor& t) { return makeInt(static_cast<int64_t>(t.nbytes())); }},
        {"requires_grad", answer<&at::TensorBase::requires_grad>},
        {"is_leaf", answer<&at::TensorBase::is_leaf>},
        {"retains_grad", answer<&at::TensorBase::retains_grad>},
        {"is_cpu", answer<&at::TensorBase::is_cpu>},
        {"is_cuda", answer<&at::TensorBase::is_cuda>},
        {"is_meta", answer<&at::TensorBase::is_meta>},
        {"is_xla", isOn<c10::kXLA>},
        {"is_xpu", isOn<c10::kXPU>},
        {"is_mps", isOn<c10::kMPS>},
        {"is_ipu", isOn<c10::kIPU>},
        {"is_maia", isOn<c10::kMAIA>},
        {"is_mtia", isOn<c10::kMTIA>},
        {"is_vulkan", isOn<c10::kVulkan>},
        {"is_mkldnn", answer<&at::TensorBase::is_mkldnn>},
        {"is_nested", answer<&at::TensorBase::is_nested>},
        {"is_sparse", answer<&at::TensorBase::is_sparse>},
        {"is_sparse_csr", [](const at::Tensor& t) -> Value { return IValue(t.layout() == at::kSparseCsr); }},
        {"is_quantized", answer<&at::TensorBase::is_quantized>},
        {"T", [](const at::Tensor& t) -> Value { return IValue(t.numpy_T()); }},
        {"mT", [](const at::Tensor& t) -> Value { return IValue(t.mT()); }},
        {"H", [](const at::Tensor& t) -> Value { return IValue(t.matrix_H()); }},
        {"mH", [](const at::Tensor& t) -> Value { return IValue(t.mH()); }},
        {"real", [](const at::Tensor& t) -> Value { return IValue(at::real(t)); }},
        {"imag", [](const at::Tensor& t) -> Value { return IValue(at::imag(t)); }},
        {"data", [](const at::Tensor& t) -> Value { return IValue(t.variable_data()); }},
        {"grad", gradient},
        {"_grad", gradient},
        {"grad_fn", gradientFunction},
        {"_grad_fn", gradientFunction},
        {"grad_dtype", [](const at::Tensor& t) { return dtypeValue(t.scalar_type()); }},
        {"_version", [](const at::Tensor& t) -> Value { return IValue(t._version()); }},
        {"output_nr", [](const at::Tensor& t) -> Value { return IValue(t.output_nr()); }},
        {"name", [](const at::Tensor&) { return Value(); }},
        {"volatile", [](const at::Tensor&) -> Value { return IValue(false); }},
        {"_backward_hooks", [](const at::Tensor&) { return Value(); }},
        {"_base",
         [](const at::Tensor& t) -> Value { return t.is_view() ? Value(IValue(t._base())) : Value(); }},
    };
    return kAttributes;
}

std::optional<Value> attributeOfTensor(const Value& value, const std::string& name) {
    if (const auto found = tensorAttributes().find(name); found != tensorAttributes().end()) {
        Value result;
        guarded([&] { result = found->second(value.data().toTensor()); });
        return result;
    }
    const FunctionRow* row = findTensorMember(name);
    const bool isMethod = row && (row->kind == FunctionKind::Builtin || row->kind == FunctionKind::Python ||
                                  row->kind == FunctionKind::Body);
    return isMethod ? std::optional<Value>(Object{MethodObject{value, name}}) : std::nullopt;
}

std::optional<Value> attributeOfDevice(c10::Device device, const std::string& name) {
    if (name == "type")
        return makeText(c10::DeviceTypeName(device.type(), true));
    if (name == "index")
        return device.has_index() ? makeInt(device.index()) : Value();
    if (name == "__enter__")
        return makeNative("__enter__", [device](Evaluator&, Values&, NamedValues&) -> Value {
            deviceContexts().push_back(device);
            return {};
        });
    if (name == "__exit__")
        return makeNative("__exit__", [](Evaluator&, Values&, NamedValues&) -> Value {
            if (!deviceContexts().empty())
                deviceContexts().pop_back();
            return {};
        });
    return std::nullopt;
}

std::optional<Value> attributeOfDtype(c10::ScalarType type, const std::string& name) {
    if (name == "is_floating_point")
        return Value(IValue(c10::isFloatingType(type)));
    if (name == "is_complex")
        return Value(IValue(c10::isComplexType(type)));
    if (name == "is_signed")
        return Value(IValue(c10::isSignedType(type)));
    if (name == "itemsize")
        return makeInt(static_cast<int64_t>(c10::elementSize(type)));
    if (name == "abbr")
        return makeText(std::string(dtypeAbbreviation(type)));
    if (name != "to_real" && name != "to_complex")
        return std::nullopt;
    return makeNative("torch.dtype." + name, [type, isReal = name == "to_real"](Evaluator&, Values&,
                                                                                NamedValues&) {
        Value result;
        guarded([&] { result = dtypeValue(isReal ? c10::toRealValueType(type) : c10::toComplexType(type)); });
        return result;
    });
}

/// The field of a result that the operator's schema names: x.sort().values.
std::optional<Value> namedField(const Value& value, const std::string& name) {
    if (!value.isData() || !value.data().isTuple())
        return std::nullopt;
    const auto& tuple = value.data().toTupleRef();
    const auto type = tuple.type<c10::TupleType>();
    if (const auto names = type->names())
        for (size_t i = 0; i < names->size() && i < tuple.elements().size(); ++i)
            if ((*names)[i] == name)
                return Value(tuple.elements()[i]);
    return std::nullopt;
}

/// torch.float32, torch.strided, torch.contiguous_format, torch.inf, math.pi.
std::optional<Value> constantIn(const std::string& module, const std::string& name) {
    if (module == "torch") {
        if (auto constant = torchConstant(name))
            return Value(Object{std::move(*constant)});
        if (name == "default_generator")
            return Value(IValue(defaultGenerator()));
    }
    static const std::unordered_map<std::string, double> kNumbers = {
        {"inf", std::numeric_limits<double>::infinity()},
        {"nan", std::numeric_limits<double>::quiet_NaN()},
        {"pi", 3.141592653589793},
        {"e", 2.718281828459045}};
    if (const auto number = kNumbers.find(name); number != kNumbers.end())
        return Value(IValue(number->second));
    return std::nullopt;
}

} // namespace

std::optional<Value> findAttributeOf(const Value& value, const std::string& name) {
    if (const auto* space = value.as<NamespaceObject>()) {
        if (const std::optional<Value> constant = constantIn(space->path, name))
            return *constant;
        const std::string path = space->path + '.' + name;
        if (isKnownFunction(path))
            return Value(Object{FunctionObject{path}});
        static constexpr std::string_view kModules[] = {"torch.nn",  "torch.nn.functional", "torch.linalg",
                                                        "torch.fft", "torch.special",       "torch.ops"};
        const bool isModule = std::find(std::begin(kModules), std::end(kModules), path) != std::end(kModules);
        if (!isModule && space->path.find("torch.ops") != 0)
            return std::nullopt;
        return Value(Object{NamespaceObject{path}});
    }
    if (const auto* function = value.as<FunctionObject>()) {
        // torch.ops.aten.add is callable, and its overloads hang from it.
        const Target overload(function->target.name() + '.' + name);
        if (findOperator(overload))
            return Value(Object{FunctionObject{overload}});
        return std::nullopt;
    }
    if (value.isTensor())
        return attributeOfTensor(value, name);
    if (value.isData() && value.data().isDevice())
        return attributeOfDevice(value.data().toDevice(), name);
    if (value.isData() && value.data().isGenerator() && name == "device")
        return Value(IValue(value.data().toGenerator().device()));
    if (const auto* leaf = value.as<Argument>(); leaf && leaf->as<c10::ScalarType>())
        return attributeOfDtype(*leaf->as<c10::ScalarType>(), name);
    return namedField(value, name);
}

} // namespace fx
