// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/attributes.h"

#include "core/base/error.h"
#include "core/ir/dtype.h"
#include "core/torch/call.h"
#include "core/torch/operators.h"
#include "core/torch/python_numbers.h"

#include <ATen/ATen.h>

#include <unordered_map>

namespace fx {

namespace {

using c10::IValue;

Value dtypeValue(c10::ScalarType type) {
    return Object{Argument(type)};
}

Value sizeValue(c10::IntArrayRef sizes) {
    return Object{SizeObject{sizes.vec()}};
}

using Attribute = Value (*)(const at::Tensor&);

const std::unordered_map<std::string, Attribute>& tensorAttributes() {
    static const std::unordered_map<std::string, Attribute> kAttributes = {
        {"shape", [](const at::Tensor& t) { return sizeValue(t.sizes()); }},
        {"dtype", [](const at::Tensor& t) { return dtypeValue(t.scalar_type()); }},
        {"device", [](const at::Tensor& t) -> Value { return IValue(t.device()); }},
        {"layout", [](const at::Tensor& t) -> Value { return Object{Argument(t.layout())}; }},
        {"ndim", [](const at::Tensor& t) -> Value { return IValue(t.dim()); }},
        {"requires_grad", [](const at::Tensor& t) -> Value { return IValue(t.requires_grad()); }},
        {"is_cuda", [](const at::Tensor& t) -> Value { return IValue(t.is_cuda()); }},
        {"is_cpu", [](const at::Tensor& t) -> Value { return IValue(t.is_cpu()); }},
        {"is_meta", [](const at::Tensor& t) -> Value { return IValue(t.is_meta()); }},
        {"is_nested", [](const at::Tensor& t) -> Value { return IValue(t.is_nested()); }},
        {"is_sparse", [](const at::Tensor& t) -> Value { return IValue(t.is_sparse()); }},
        {"is_quantized", [](const at::Tensor& t) -> Value { return IValue(t.is_quantized()); }},
        {"is_nested", [](const at::Tensor& t) -> Value { return IValue(t.is_nested()); }},
        {"is_leaf", [](const at::Tensor& t) -> Value { return IValue(t.is_leaf()); }},
        {"itemsize",
         [](const at::Tensor& t) -> Value { return IValue(static_cast<int64_t>(t.element_size())); }},
        {"nbytes", [](const at::Tensor& t) -> Value { return IValue(static_cast<int64_t>(t.nbytes())); }},
        {"T", [](const at::Tensor& t) -> Value { return IValue(t.numpy_T()); }},
        {"mT", [](const at::Tensor& t) -> Value { return IValue(t.mT()); }},
        {"H", [](const at::Tensor& t) -> Value { return IValue(t.matrix_H()); }},
        {"mH", [](const at::Tensor& t) -> Value { return IValue(t.mH()); }},
        {"real", [](const at::Tensor& t) -> Value { return IValue(at::real(t)); }},
        {"imag", [](const at::Tensor& t) -> Value { return IValue(at::imag(t)); }},
        {"data", [](const at::Tensor& t) -> Value { return IValue(t.detach()); }},
        {"grad", [](const at::Tensor&) -> Value { return {}; }},
        {"grad_fn", [](const at::Tensor&) -> Value { return {}; }},
    };
    return kAttributes;
}

template <c10::ScalarType type>
Value cast(const Value& self, const Values&, const NamedValues&) {
    return IValue(self.data().toTensor().to(type));
}

/// x.to(device), x.to(dtype), x.to(device, dtype), x.to(other), each with non_blocking, copy and
/// memory_format.
Value converted(const Value& self, const Values& args, const NamedValues& kwargs) {
    const at::Tensor& tensor = self.data().toTensor();
    std::optional<c10::Device> device;
    std::optional<c10::ScalarType> dtype;
    std::optional<c10::MemoryFormat> format;
    bool isNonBlocking = false, copies = false;
    size_t flags = 0;
    const auto take = [&](const Value& value) {
        const auto* leaf = value.as<Argument>();
        if (value.isTensor()) {
            device = value.data().toTensor().device();
            dtype = value.data().toTensor().scalar_type();
        } else if (value.isData() && value.data().isDevice()) {
            device = value.data().toDevice();
        } else if (isString(value)) {
            device = c10::Device(value.text());
        } else if (value.isInt()) {
            device = c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(value.data().toInt()));
        } else if (leaf && leaf->as<c10::ScalarType>()) {
            dtype = *leaf->as<c10::ScalarType>();
        } else if (value.isBool()) {
            (flags++ == 0 ? isNonBlocking : copies) = value.data().toBool();
        } else if (!value.isNone()) {
            raise("TypeError",
                  "to() received an invalid combination of arguments - got (" + typeName(value) + ')');
        }
    };
    for (const Value& value : args)
        take(plainOf(value));
    for (const auto& [name, value] : kwargs) {
        const auto* leaf = value.as<Argument>();
        if (name == "non_blocking")
            isNonBlocking = isTrue(value);
        else if (name == "copy")
            copies = isTrue(value);
        else if (name == "memory_format" && leaf && leaf->as<c10::MemoryFormat>())
            format = *leaf->as<c10::MemoryFormat>();
        else if (name == "device" || name == "dtype" || name == "other")
            take(plainOf(value));
        else if (name != "memory_format")
            raise("TypeError", "to() got an unexpected keyword argument '" + name + '\'');
    }
    return IValue(tensor.to(at::TensorOptions().device(device).dtype(dtype), isNonBlocking, copies, format));
}

/// x.type() names the old class of tensors; x.type(dtype or such a name) converts.
Value typed(const Value& self, const Values& args, const NamedValues& kwargs) {
    static constexpr std::pair<c10::ScalarType, std::string_view> kClasses[] = {
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
        {c10::ScalarType::ComplexDouble, "ComplexDouble"}};
    const at::Tensor& tensor = self.data().toTensor();
    Value wanted = args.empty() ? Value() : plainOf(args[0]);
    bool isNonBlocking = args.size() > 1 && isTrue(args[1]);
    for (const auto& [name, value] : kwargs) {
        if (name == "dtype")
            wanted = plainOf(value);
        else if (name == "non_blocking")
            isNonBlocking = isTrue(value);
    }
    const auto textOf = [](std::string_view name, bool isCuda) {
        return std::string(isCuda ? "torch.cuda." : "torch.") + std::string(name) + "Tensor";
    };
    if (wanted.isNone()) {
        for (const auto& [dtype, name] : kClasses)
            if (dtype == tensor.scalar_type())
                return IValue(textOf(name, tensor.is_cuda()));
        return IValue(tensor.toString());
    }
    if (const auto* leaf = wanted.as<Argument>(); leaf && leaf->as<c10::ScalarType>())
        return IValue(tensor.to(*leaf->as<c10::ScalarType>(), isNonBlocking));
    if (!isString(wanted))
        raise("TypeError", "dtype must be a type, str, or dtype object");
    for (const auto& [dtype, name] : kClasses)
        for (const bool isCuda : {false, true})
            if (wanted.text() == textOf(name, isCuda))
                return IValue(tensor.to(c10::Device(isCuda ? c10::kCUDA : c10::kCPU), dtype, isNonBlocking));
    raise("ValueError", "invalid type: '" + wanted.text() + '\'');
}

Value nested(const at::Tensor& tensor) {
    if (tensor.dim() == 0)
        return IValue(tensor.item());
    Values items;
    for (const at::Tensor& part : tensor.unbind(0))
        items.push_back(nested(part));
    return makeSequence(std::move(items), true);
}

Value oneSize(const Value& self, const Values& args, bool isStride) {
    const at::Tensor& tensor = self.data().toTensor();
    if (!args.empty())
        return IValue(isStride ? tensor.stride(asInt(args[0])) : tensor.size(asInt(args[0])));
    if (!isStride)
        return sizeValue(tensor.sizes());
    Values strides;
    for (int64_t stride : tensor.strides())
        strides.emplace_back(IValue(stride));
    return makeSequence(std::move(strides), false);
}

const std::unordered_map<std::string, PythonMethod>& tensorMethods() {
    static const std::unordered_map<std::string, PythonMethod> kMethods = {
        {"float", cast<c10::ScalarType::Float>},
        {"double", cast<c10::ScalarType::Double>},
        {"half", cast<c10::ScalarType::Half>},
        {"bfloat16", cast<c10::ScalarType::BFloat16>},
        {"int", cast<c10::ScalarType::Int>},
        {"long", cast<c10::ScalarType::Long>},
        {"short", cast<c10::ScalarType::Short>},
        {"char", cast<c10::ScalarType::Char>},
        {"byte", cast<c10::ScalarType::Byte>},
        {"bool", cast<c10::ScalarType::Bool>},
        {"cfloat", cast<c10::ScalarType::ComplexFloat>},
        {"cpu",
         [](const Value& s, const Values&, const NamedValues&) -> Value {
             return IValue(s.data().toTensor().cpu());
         }},
        {"to", converted},
        {"__float__",
         [](const Value& s, const Values&, const NamedValues&) -> Value {
             return IValue(s.data().toTensor().item().toDouble());
         }},
        {"__int__",
         [](const Value& s, const Values&, const NamedValues&) {
             return toNumber(IValue(s.data().toTensor().item()), true);
         }},
        {"type", typed},
        {"new_tensor",
         [](const Value& s, const Values& a, const NamedValues& k) -> Value {
             NamedValues named = k;
             const at::Tensor& like = s.data().toTensor();
             const auto has = [&](const char* name) {
                 return std::any_of(named.begin(), named.end(),
                                    [&](const auto& n) { return n.first == name; });
             };
             if (!has("dtype"))
                 named.emplace_back("dtype", dtypeValue(like.scalar_type()));
             if (!has("device"))
                 named.emplace_back("device", IValue(like.device()));
             return callFunction("torch.tensor", a, named);
         }},
        {"item",
         [](const Value& s, const Values&, const NamedValues&) -> Value {
             return IValue(s.data().toTensor().item());
         }},
        {"tolist",
         [](const Value& s, const Values&, const NamedValues&) { return nested(s.data().toTensor()); }},
        {"dim",
         [](const Value& s, const Values&, const NamedValues&) -> Value {
             return IValue(s.data().toTensor().dim());
         }},
        {"size", [](const Value& s, const Values& a, const NamedValues&) { return oneSize(s, a, false); }},
        {"stride", [](const Value& s, const Values& a, const NamedValues&) { return oneSize(s, a, true); }},
        {"nelement",
         [](const Value& s, const Values&, const NamedValues&) -> Value {
             return IValue(s.data().toTensor().numel());
         }},
        {"element_size",
         [](const Value& s, const Values&, const NamedValues&) -> Value {
             return IValue(static_cast<int64_t>(s.data().toTensor().element_size()));
         }},
        {"storage_offset",
         [](const Value& s, const Values&, const NamedValues&) -> Value {
             return IValue(s.data().toTensor().storage_offset());
         }},
        {"is_contiguous",
         [](const Value& s, const Values&, const NamedValues&) -> Value {
             return IValue(s.data().toTensor().is_contiguous());
         }},
    };
    return kMethods;
}

Value dictEntries(const Value& self, bool withKeys, bool withValues) {
    Values out;
    for (const auto& [key, value, hash] : self.as<DictObject>()->entries())
        out.push_back(!withValues ? key : !withKeys ? value : makeSequence({key, value}, false));
    return makeSequence(std::move(out), true);
}

const std::unordered_map<std::string, PythonMethod>& dictMethods() {
    static const std::unordered_map<std::string, PythonMethod> kMethods = {
        {"keys",
         [](const Value& s, const Values&, const NamedValues&) { return dictEntries(s, true, false); }},
        {"values",
         [](const Value& s, const Values&, const NamedValues&) { return dictEntries(s, false, true); }},
        {"items",
         [](const Value& s, const Values&, const NamedValues&) { return dictEntries(s, true, true); }},
    };
    return kMethods;
}

const std::unordered_map<std::string, PythonMethod>& sizeMethods() {
    static const std::unordered_map<std::string, PythonMethod> kMethods = {
        {"numel", [](const Value& s, const Values&, const NamedValues&) -> Value {
             return IValue(c10::multiply_integers(s.as<SizeObject>()->sizes));
         }}};
    return kMethods;
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
        if (const auto dtype = dtypeFromName(name))
            return dtypeValue(*dtype);
        if (const auto layout = layoutFromName(name))
            return Value(Object{Argument(*layout)});
        if (const auto format = memoryFormatFromName(name))
            return Value(Object{Argument(*format)});
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

PythonMethod findPythonMethod(const Value& self, const std::string& name) {
    const auto find = [&](const std::unordered_map<std::string, PythonMethod>& table) {
        const auto found = table.find(name);
        return found == table.end() ? nullptr : found->second;
    };
    if (self.isTensor())
        return find(tensorMethods());
    if (self.as<DictObject>())
        return find(dictMethods());
    if (self.as<SizeObject>())
        return find(sizeMethods());
    return nullptr;
}

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
    if (value.isTensor()) {
        if (const auto found = tensorAttributes().find(name); found != tensorAttributes().end()) {
            Value result;
            guarded([&] { result = found->second(value.data().toTensor()); });
            return result;
        }
        if (findPythonMethod(value, name) || !findOverloads("aten::" + name).empty())
            return Value(Object{MethodObject{value, name}});
        return std::nullopt;
    }
    if (findPythonMethod(value, name))
        return Value(Object{MethodObject{value, name}});
    if (std::optional<Value> field = namedField(value, name))
        return field;
    if (value.isData() && value.data().isDevice()) {
        const c10::Device device = value.data().toDevice();
        if (name == "type")
            return Value(IValue(c10::DeviceTypeName(device.type(), true)));
        if (name == "index")
            return device.has_index() ? Value(IValue(int64_t(device.index()))) : Value();
    }
    if (const auto* leaf = value.as<Argument>(); leaf && leaf->as<c10::ScalarType>()) {
        const c10::ScalarType type = *leaf->as<c10::ScalarType>();
        if (name == "is_floating_point")
            return Value(IValue(c10::isFloatingType(type)));
        if (name == "is_complex")
            return Value(IValue(c10::isComplexType(type)));
        if (name == "itemsize")
            return Value(IValue(static_cast<int64_t>(c10::elementSize(type))));
    }
    return std::nullopt;
}

Value attributeOf(const Value& value, const std::string& name) {
    if (std::optional<Value> found = findAttributeOf(value, name))
        return std::move(*found);
    if (const auto* space = value.as<NamespaceObject>())
        raise("AttributeError", "module '" + space->path + "' has no attribute '" + name + '\'');
    raise("AttributeError", '\'' + typeName(value) + "' object has no attribute '" + name + '\'');
}

} // namespace fx
