// SPDX-License-Identifier: GPL-3.0-or-later
// torch.tensor and its kin: tensors from Python's data, and the sparse ones.
#include "core/torch/bind/hand_bound.h"
#include "core/torch/bind/unpack.h"
#include "core/torch/values/nested_data.h"
#include "core/torch/values/thread_modes.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/variable.h>

#include <sstream>

namespace fx {

namespace {

using c10::IValue;

size_t at(const ParsedCall& call, std::string_view name) {
    for (size_t i = 0; i < call.signature->parameters.size(); ++i)
        if (call.signature->parameters[i].name == name)
            return i;
    return 0;
}

bool has(const ParsedCall& call, std::string_view name) {
    return call.signature->parameters[at(call, name)].name == name;
}

struct Options {
    std::optional<c10::ScalarType> dtype;
    std::optional<c10::Device> device;
    bool requiresGrad = false;

    explicit Options(const ParsedCall& call)
        : dtype(unpackDType(call, fx::at(call, "dtype"))), device(unpackDevice(call, fx::at(call, "device"))),
          requiresGrad(has(call, "requires_grad") && unpackBool(call, fx::at(call, "requires_grad"), false)) {
    }

    Value finish(at::Tensor tensor) const {
        if (requiresGrad && !c10::isFloatingType(tensor.scalar_type()) &&
            !c10::isComplexType(tensor.scalar_type()))
            raise("RuntimeError", "Only Tensors of floating point and complex dtype can require gradients");
        if (requiresGrad)
            tensor.set_requires_grad(true);
        return IValue(std::move(tensor));
    }
};

/// How it is made is no part of what the program computes; that it is new there, is.
at::Tensor writtenDown(const Value& data, std::optional<c10::ScalarType> dtype,
                       std::optional<c10::Device> device) {
    at::Tensor made;
    {
        const NotRecorded making;
        const c10::impl::ExcludeDispatchKeyGuard plain(c10::DispatchKeySet(
            {c10::DispatchKey::FuncTorchDynamicLayerFrontMode,
             c10::DispatchKey::FuncTorchDynamicLayerBackMode, c10::DispatchKey::Functionalize}));
        made = tensorFromData(data, dtype, device);
    }
    return at::lift_fresh(made);
}

/// A tensor of data; of a tensor a copy where it `copies`, else itself if dtype and device allow.
at::Tensor dataTensor(const Value& data, std::optional<c10::ScalarType> dtype,
                      std::optional<c10::Device> device, bool copies) {
    const Value& plain = plainOf(data);
    if (!plain.isTensor())
        return writtenDown(data, dtype, device);
    const at::Tensor& given = plain.data().toTensor();
    const at::Tensor tensor = copies ? given.detach() : given;
    return tensor.to(device.value_or(tensor.device()), dtype.value_or(tensor.scalar_type()), false, copies);
}

Value makeTensor(const ParsedCall& call, const Value*) {
    const Options options(call);
    return options.finish(dataTensor(*call.values[0], options.dtype, options.device, true).detach_());
}

Value makeNewTensor(const ParsedCall& call, const Value* self) {
    const at::Tensor& like = plainOf(*self).data().toTensor();
    const Options options(call);
    return options.finish(dataTensor(*call.values[0], options.dtype.value_or(like.scalar_type()),
                                     options.device.value_or(like.device()), true)
                              .detach_());
}

Value asTensor(const ParsedCall& call, const Value*) {
    const Options options(call);
    const at::Tensor out = dataTensor(*call.values[0], options.dtype, options.device, false);
    const Value& plain = plainOf(*call.values[0]);
    return plain.isTensor() && out.is_same(plain.data().toTensor()) ? *call.values[0] : Value(IValue(out));
}

at::Tensor bufferTensor(const std::string& bytes, c10::ScalarType dtype) {
    const auto count = static_cast<int64_t>(bytes.size() / c10::elementSize(dtype));
    return at::from_blob(const_cast<char*>(bytes.data()), {count}, dtype).clone();
}

[[noreturn]] void cannotAlias(std::string_view what, const auto& from, std::string_view to,
                              const auto& wanted) {
    std::ostringstream text;
    text << "can't alias tensor " << what << " '" << from << "' " << to << " '" << wanted << "'.";
    raise("ValueError", text.str());
}

at::Tensor aliasOrCopy(at::Tensor tensor, const Options& options, std::optional<bool> copies) {
    const bool isOtherDevice = options.device && *options.device != tensor.device();
    const bool isOtherType = options.dtype && *options.dtype != tensor.scalar_type();
    if (copies.value_or(isOtherDevice || isOtherType))
        return tensor.to(options.device.value_or(tensor.device()),
                         options.dtype.value_or(tensor.scalar_type()), false, true);
    if (isOtherDevice)
        cannotAlias("from device", tensor.device(), "to", *options.device);
    if (isOtherType)
        cannotAlias("with dtype", tensor.scalar_type(), "into dtype", *options.dtype);
    return tensor;
}

Value asArray(const ParsedCall& call, const Value*) {
    Options options(call);
    const Value& data = plainOf(*call.values[0]);
    const size_t copyAt = fx::at(call, "copy"), gradAt = fx::at(call, "requires_grad");
    const std::optional<bool> copies =
        call.isGiven(copyAt) ? std::optional(unpackBool(call, copyAt, false)) : std::nullopt;
    const auto* bytes = data.as<BytesObject>();
    if (!data.isTensor() && !bytes) {
        if (copies == false)
            raise("ValueError", "can't alias arbitrary sequence into a tensor.");
        return options.finish(writtenDown(data, options.dtype, options.device));
    }
    at::Tensor out = data.isTensor()
                         ? aliasOrCopy(data.data().toTensor(), options, copies)
                         : bufferTensor(bytes->bytes, options.dtype.value_or(c10::ScalarType::Float));
    if (call.isGiven(gradAt)) {
        if (!out.is_leaf() && !options.requiresGrad)
            out = out.detach();
        else if (out.requires_grad() != options.requiresGrad)
            out.set_requires_grad(options.requiresGrad);
    }
    return IValue(std::move(out));
}

Value fromBuffer(const ParsedCall& call, const Value*) {
    const auto* buffer = plainOf(*call.values[0]).as<BytesObject>();
    if (!buffer)
        raise("ValueError", "object does not implement Python buffer protocol.");
    const c10::ScalarType dtype = *unpackDType(call, 1);
    const auto size = static_cast<int64_t>(c10::elementSize(dtype)),
               length = static_cast<int64_t>(buffer->bytes.size());
    int64_t count = call.isGiven(2) ? unpack(call, 2).toInt() : -1;
    const int64_t offset = call.isGiven(3) ? unpack(call, 3).toInt() : 0;
    const auto number = [](int64_t n) { return std::to_string(n); };
    if (length == 0 || count == 0)
        raise("ValueError",
              "both buffer length (" + number(length) + ") and count (" + number(count) + ") must not be 0");
    if (offset < 0 || offset >= length)
        raise("ValueError", "offset (" + number(offset) +
                                " bytes) must be non-negative and no greater than buffer length (" +
                                number(length) + " bytes) minus 1");
    if (count < 0 && (length - offset) % size != 0)
        raise("ValueError", "buffer length (" + number(length - offset) + " bytes) after offset (" +
                                number(offset) + " bytes) must be a multiple of element size (" +
                                number(size) + ")");
    count = count < 0 ? (length - offset) / size : count;
    if (offset + count * size > length)
        raise("ValueError", "requested buffer length (" + number(count) + " * " + number(size) +
                                " bytes) after offset (" + number(offset) +
                                " bytes) must not be greater than actual buffer length (" + number(length) +
                                " bytes)");
    at::Tensor out = bufferTensor(
        buffer->bytes.substr(static_cast<size_t>(offset), static_cast<size_t>(count * size)), dtype);
    if (unpackBool(call, 4, false))
        out.set_requires_grad(true);
    return IValue(std::move(out));
}

std::optional<bool> invariants(const ParsedCall& call) {
    const size_t place = fx::at(call, "check_invariants");
    return call.isGiven(place) ? std::optional(unpackBool(call, place, false)) : std::nullopt;
}

Value makeSparse(const ParsedCall& call, const Value*) {
    const Options options(call);
    const bool hasSize = has(call, "size"), hasValues = has(call, "values");
    const auto sizes = hasSize ? unpack(call, fx::at(call, "size")).toIntVector() : std::vector<int64_t>();
    const auto build = [&](c10::ScalarType dtype, c10::Device device) {
        return c10::TensorOptions().dtype(dtype).device(device).layout(c10::kSparse);
    };
    if (!hasValues)
        return options.finish(
            at::sparse_coo_tensor(sizes, build(options.dtype.value_or(c10::get_default_dtype_as_scalartype()),
                                               options.device.value_or(c10::kCPU))));
    const at::Tensor values = dataTensor(*call.values[1], options.dtype, options.device, false);
    const at::Tensor indices =
        dataTensor(*call.values[0], c10::ScalarType::Long, values.device(), false).detach();
    const auto wanted = build(values.scalar_type(), values.device());
    const size_t coalescedAt = fx::at(call, "is_coalesced");
    const std::optional<bool> isCoalesced =
        call.isGiven(coalescedAt) ? std::optional(unpackBool(call, coalescedAt, false)) : std::nullopt;
    (void)invariants(call);
    return options.finish(hasSize ? at::sparse_coo_tensor(indices, values, sizes, wanted, isCoalesced)
                                  : at::sparse_coo_tensor(indices, values, wanted, isCoalesced));
}

/// An index tensor keeps int32 and int64, all else becomes int64.
at::Tensor compressedIndices(const Value& data, c10::Device device) {
    const Value& plain = plainOf(data);
    const bool isInt32 = plain.isTensor() && plain.data().toTensor().scalar_type() == c10::ScalarType::Int;
    return dataTensor(data, isInt32 ? c10::ScalarType::Int : c10::ScalarType::Long, device, false);
}

Value makeCompressed(const ParsedCall& call, std::optional<c10::Layout> own) {
    const Options options(call);
    const size_t layoutAt = fx::at(call, "layout");
    const std::optional<c10::Layout> given =
        call.isGiven(layoutAt) ? std::optional(*call.values[layoutAt]->as<Argument>()->as<c10::Layout>())
                               : std::nullopt;
    const std::string name(call.signature->name);
    if (!own && !given)
        raise("RuntimeError", name + " expected sparse compressed tensor layout but got none");
    if (own && given && *own != *given) {
        std::ostringstream text;
        text << name << " expected layout" << *own << " but got layout " << *given;
        raise("RuntimeError", text.str());
    }
    const at::Tensor values = dataTensor(*call.values[2], options.dtype, options.device, false);
    const at::Tensor compressed = compressedIndices(*call.values[0], values.device());
    const at::Tensor plain = compressedIndices(*call.values[1], values.device());
    const auto wanted =
        c10::TensorOptions().dtype(values.scalar_type()).device(values.device()).layout(own ? *own : *given);
    if (has(call, "size"))
        return options.finish(at::sparse_compressed_tensor(
            compressed, plain, values, unpack(call, fx::at(call, "size")).toIntVector(), wanted));
    return options.finish(at::sparse_compressed_tensor(compressed, plain, values, wanted));
}

template <c10::Layout layout>
Value makeCompressedAs(const ParsedCall& call, const Value*) {
    return makeCompressed(call, layout);
}

} // namespace

void addTensorConstructors(HandBoundTable& functions, HandBoundTable& methods) {
    functions["tensor"] = makeTensor;
    functions["as_tensor"] = asTensor;
    functions["asarray"] = asArray;
    functions["frombuffer"] = fromBuffer;
    functions["sparse_coo_tensor"] = makeSparse;
    functions["sparse_csr_tensor"] = makeCompressedAs<c10::Layout::SparseCsr>;
    functions["sparse_csc_tensor"] = makeCompressedAs<c10::Layout::SparseCsc>;
    functions["sparse_bsr_tensor"] = makeCompressedAs<c10::Layout::SparseBsr>;
    functions["sparse_bsc_tensor"] = makeCompressedAs<c10::Layout::SparseBsc>;
    functions["sparse_compressed_tensor"] = [](const ParsedCall& call, const Value*) {
        return makeCompressed(call, std::nullopt);
    };
    methods["new_tensor"] = makeNewTensor;
}

} // namespace fx
