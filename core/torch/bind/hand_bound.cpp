// SPDX-License-Identifier: GPL-3.0-or-later
// What is about a tensor itself: its sizes, its numbers, its place in memory.
#include "core/torch/bind/hand_bound.h"

#include "core/base/error.h"
#include "core/python/big_int.h"
#include "core/python/evaluator.h"
#include "core/torch/bind/operator_bounds.h"
#include "core/torch/bind/signature_call.h"
#include "core/torch/bind/unpack.h"
#include "core/torch/values/symbolic_tensors.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/variable.h>

#include <cmath>

namespace fx {

namespace {

using c10::IValue;

Value tupleOf(std::vector<at::Tensor> tensors) {
    std::vector<IValue> items(std::make_move_iterator(tensors.begin()),
                              std::make_move_iterator(tensors.end()));
    return IValue(c10::ivalue::Tuple::create(std::move(items)));
}

/// The number of a tensor that has just one.
IValue soleNumber(const at::Tensor& tensor) {
    if (tensor.numel() != 1)
        raise("ValueError", "only one element tensors can be converted to Python scalars");
    return IValue(tensor.item());
}

/// Returns an element as a Python number. A uint64 may exceed int64.
Value numberOfElement(const at::Scalar& element) {
    if (element.isUnsigned())
        return makeInteger(*BigInt::parse(std::to_string(element.toUInt64()), 10));
    return IValue(element);
}

Value listOf(const at::Tensor& tensor) {
    if (tensor.dim() == 0)
        return numberOfElement(tensor.item());
    Values items;
    for (const at::Tensor& part : tensor.unbind(0))
        items.push_back(listOf(part));
    return makeList(std::move(items));
}

/// tolist() of a tensor, which may have many more elements than its storage.
Value allOf(const at::Tensor& tensor) {
    constexpr double kElementBytes = 64;
    const std::optional<int64_t> count = tensor.sym_numel().maybe_as_int();
    if (Evaluator* evaluator = Evaluator::current(); evaluator && count)
        evaluator->reserve(static_cast<uint64_t>(static_cast<double>(*count) * kElementBytes));
    return listOf(tensor);
}

Value size(const ParsedCall& call, const Value* self) {
    if (call.isGiven(0))
        return IValue(tensorOf(self).sym_size(unpack(call, 0).toInt()));
    return shapeValue(tensorOf(self));
}

Value stride(const ParsedCall& call, const Value* self) {
    if (call.isGiven(0))
        return IValue(tensorOf(self).sym_stride(unpack(call, 0).toInt()));
    Values strides;
    for (const c10::SymInt& stride : tensorOf(self).sym_strides())
        strides.emplace_back(IValue(stride));
    return makeTuple(std::move(strides));
}

Value contiguous(const ParsedCall& call, const Value* self) {
    const auto format = unpackMemoryFormat(call, 0).value_or(c10::MemoryFormat::Contiguous);
    if (tensorOf(self).is_contiguous(format))
        return *self;
    return IValue(tensorOf(self).contiguous(format));
}

Value isContiguous(const ParsedCall& call, const Value* self) {
    return IValue(
        tensorOf(self).is_contiguous(unpackMemoryFormat(call, 0).value_or(c10::MemoryFormat::Contiguous)));
}

Value copyInto(const ParsedCall& call, const Value* self) {
    at::Tensor target = tensorOf(self);
    target.copy_(unpack(call, 0).toTensor(), unpackBool(call, 1, false));
    return *self;
}

Value requireGrad(const ParsedCall& call, const Value* self) {
    const bool wanted = unpackBool(call, 0, true);
    const at::Tensor& tensor = tensorOf(self);
    if (!tensor.is_leaf() && !wanted)
        raise("RuntimeError",
              "you can only change requires_grad flags of leaf variables. If you want to use a computed "
              "variable in "
              "a subgraph that doesn't require differentiation use var_no_grad = var.detach().");
    if (wanted && !c10::isFloatingType(tensor.scalar_type()) && !c10::isComplexType(tensor.scalar_type()))
        raise("RuntimeError", "only Tensors of floating point dtype can require gradients");
    tensor.set_requires_grad(wanted);
    return *self;
}

/// `source`: a tensor or a storage. What it lacks for the sizes is added, and zero.
template <class Source>
Value setTo(at::Tensor target, const Source& source, const ParsedCall& call) {
    withZeroedGrowth({target, source}, [&] {
        if (call.values.size() == 1)
            target.set_(source);
        else
            target.set_(source, unpack(call, 1).toInt(), unpack(call, 2).toIntVector(),
                        call.isGiven(3) ? unpack(call, 3).toIntVector() : std::vector<int64_t>());
    });
    return IValue(std::move(target));
}

Value setData(const ParsedCall& call, const Value* self) {
    at::Tensor target = tensorOf(self);
    const size_t given = call.values.size();
    if (given == 0)
        return IValue(target.set_());
    if (call.signature->parameters[0].type != ParameterType::Tensor)
        return setTo(std::move(target), plainOf(*call.values[0]).data().toStorage(), call);
    const at::Tensor source = unpack(call, 0).toTensor();
    if (given == 1 && source.dtype() != target.dtype())
        raise("RuntimeError", "Could not set tensor of type " + std::string(source.dtype().name()) +
                                  " to a tensor of type " + std::string(target.dtype().name()));
    return setTo(std::move(target), source, call);
}

Value nonzero(const ParsedCall& call, const Value* self) {
    const bool asTuple = !call.values.empty() && unpackBool(call, 0, false);
    return asTuple ? tupleOf(tensorOf(self).nonzero_numpy()) : Value(IValue(tensorOf(self).nonzero()));
}

Value nonzeroFunction(const ParsedCall& call, const Value*) {
    const at::Tensor input = unpack(call, 0).toTensor();
    const bool asTuple = unpackBool(call, 1, false);
    if (!call.isGiven(2))
        return asTuple ? tupleOf(input.nonzero_numpy()) : Value(IValue(input.nonzero()));
    if (asTuple)
        raise("RuntimeError", "nonzero does not support the out kwarg when as_tuple is True");
    at::Tensor out = unpack(call, 2).toTensor();
    return IValue(at::nonzero_out(out, input));
}

Value range(const ParsedCall& call, const Value*) {
    const auto start = unpack(call, 0).toScalar(), end = unpack(call, 1).toScalar();
    const c10::Scalar step = call.isGiven(2) ? unpack(call, 2).toScalar() : c10::Scalar(1);
    if (call.isGiven(3)) {
        at::Tensor out = unpack(call, 3).toTensor();
        return IValue(at::range_out(out, start, end, step));
    }
    at::Tensor out =
        at::range(start, end, step,
                  c10::TensorOptions()
                      .dtype(unpackDType(call, 4).value_or(c10::get_default_dtype_as_scalartype()))
                      .device(unpackDevice(call, 6)));
    if (unpackBool(call, 7, false))
        out.set_requires_grad(true);
    return IValue(std::move(out));
}

Value asInt(const ParsedCall&, const Value* self) {
    const IValue number = soleNumber(tensorOf(self));
    if (!number.isDouble())
        return makeInt(number.toScalar().toLong());
    const double value = number.toDouble();
    if (!std::isfinite(value))
        raise(std::isnan(value) ? "ValueError" : "OverflowError",
              std::isnan(value) ? "cannot convert float NaN to integer"
                                : "cannot convert float infinity to integer");
    return makeInt(static_cast<int64_t>(value));
}

Value asIndex(const ParsedCall&, const Value* self) {
    if (!isIndexLike(*self))
        raise("TypeError", "only integer tensors of a single element can be converted to an index");
    return makeInt(soleNumber(tensorOf(self)).toScalar().toLong());
}

Value invert(const ParsedCall&, const Value* self) {
    if (!c10::isIntegralType(tensorOf(self).scalar_type(), true))
        raise("TypeError", "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
    return IValue(tensorOf(self).bitwise_not());
}

Value isEqualTo(const ParsedCall& call, const Value* self) {
    const SignatureGroup& eq = *findSignatures("torch.Tensor", "eq");
    return callSignature(parseArguments(eq, {*call.values[0]}, {}), self);
}

Value refuseNumpy(const ParsedCall&, const Value*) {
    throw Error("", "numpy() is not supported: NumPy's arrays have no place here")
        .kind("RuntimeError")
        .hint("use torch's own functions, or tolist() for numbers");
}

Value refuseAddress(const ParsedCall&, const Value*) {
    refuseAddressOf("torch.Tensor.data_ptr");
}

/// What needs no arguments and gives a number.
template <auto number>
Value numberOf(const ParsedCall&, const Value* self) {
    return number(tensorOf(self));
}

} // namespace

void addHandBoundFunctions(HandBoundTable& functions) {
    functions["nonzero"] = nonzeroFunction;
    functions["range"] = range;
    // The dispatcher would hand these a tensor whose bits are resolved.
    functions["is_conj"] = [](const ParsedCall& call, const Value*) -> Value {
        return IValue(unpack(call, 0).toTensor().is_conj());
    };
    functions["is_neg"] = [](const ParsedCall& call, const Value*) -> Value {
        return IValue(unpack(call, 0).toTensor().is_neg());
    };
    functions["numel"] = [](const ParsedCall& call, const Value*) {
        return Value(IValue(unpack(call, 0).toTensor().sym_numel()));
    };
    functions["get_device"] = [](const ParsedCall& call, const Value*) {
        return makeInt(unpack(call, 0).toTensor().get_device());
    };
}

void addHandBoundMethods(HandBoundTable& methods) {
    using Tensor = at::Tensor;
    methods["size"] = size;
    methods["stride"] = stride;
    methods["dim"] = numberOf<[](const Tensor& t) { return makeInt(t.dim()); }>;
    methods["numel"] = numberOf<[](const Tensor& t) { return Value(IValue(t.sym_numel())); }>;
    methods["element_size"] =
        numberOf<[](const Tensor& t) { return makeInt(static_cast<int64_t>(t.element_size())); }>;
    methods["is_conj"] = numberOf<[](const Tensor& t) -> Value { return IValue(t.is_conj()); }>;
    methods["is_neg"] = numberOf<[](const Tensor& t) -> Value { return IValue(t.is_neg()); }>;
    methods["storage_offset"] =
        numberOf<[](const Tensor& t) { return Value(IValue(t.sym_storage_offset())); }>;
    methods["get_device"] = numberOf<[](const Tensor& t) { return makeInt(t.get_device()); }>;
    methods["_is_view"] = numberOf<[](const Tensor& t) { return Value(IValue(t.is_view())); }>;
    methods["data_ptr"] = methods["const_data_ptr"] = refuseAddress;
    methods["untyped_storage"] = numberOf<[](const Tensor& t) { return Value(IValue(t.storage())); }>;
    methods["numpy"] = refuseNumpy;
    methods["item"] = numberOf<[](const Tensor& t) { return numberOfElement(t.item()); }>;
    methods["tolist"] = numberOf<allOf>;
    methods["__float__"] =
        numberOf<[](const Tensor& t) { return Value(IValue(soleNumber(t).toScalar().toDouble())); }>;
    methods["__complex__"] =
        numberOf<[](const Tensor& t) { return Value(IValue(soleNumber(t).toScalar().toComplexDouble())); }>;
    methods["__int__"] = methods["__long__"] = asInt;
    methods["__index__"] = asIndex;
    methods["__bool__"] = methods["__nonzero__"] =
        numberOf<[](const Tensor& t) { return Value(IValue(t.is_nonzero())); }>;
    methods["__invert__"] = invert;
    methods["__eq__"] = isEqualTo;
    methods["contiguous"] = contiguous;
    methods["is_contiguous"] = isContiguous;
    methods["copy_"] = copyInto;
    methods["requires_grad_"] = requireGrad;
    methods["set_"] = setData;
    methods["nonzero"] = nonzero;
}

const at::Tensor& tensorOf(const Value* self) {
    return plainOf(*self).data().toTensor();
}

HandBound findHandBound(bool isMethod, std::string_view name) {
    static const auto tables = [] {
        std::pair<HandBoundTable, HandBoundTable> out; // functions, methods
        addHandBoundFunctions(out.first);
        addTensorConstructors(out.first, out.second);
        addHandBoundMethods(out.second);
        addConversions(out.second);
        return out;
    }();
    const HandBoundTable& table = isMethod ? tables.second : tables.first;
    const auto found = table.find(name);
    return found == table.end() ? nullptr : found->second;
}

} // namespace fx
