// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/symbolic_tensors.h"

#include "core/base/text.h"
#include "core/ir/dtype.h"
#include "core/module/tensor_slot.h"

#include <ATen/ATen.h>
#include <ATen/ScalarOps.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

namespace fx {

bool hasSymbolicSizes(const at::Tensor& tensor) {
    return tensor.defined() && tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
}

namespace {

/// What tells the storages of fakeTensor() from others.
void letGo(void*) {}

constexpr const char* kNoData = "a tensor without data: it is being traced, and its data is not known";

Dimension dimensionOf(const c10::SymInt& size) {
    if (const std::optional<int64_t> number = size.maybe_as_int())
        return *number;
    SymbolicNumber* symbolic = symbolicNumber(size.toSymNode());
    const std::optional<double> hint = symbolic ? symbolic->hint() : std::nullopt;
    return SymbolicInt{size.toSymNode()->str(),
                       hint ? std::optional(static_cast<int64_t>(*hint)) : std::nullopt};
}

std::vector<c10::SymInt> numbers(const std::vector<Dimension>& dimensions, SymbolEnvironment& environment) {
    std::vector<c10::SymInt> out;
    for (const Dimension& dimension : dimensions) {
        if (const auto* number = std::get_if<int64_t>(&dimension)) {
            out.emplace_back(*number);
            continue;
        }
        const auto& symbolic = std::get<SymbolicInt>(dimension);
        const c10::SymNode node = environment.number(symbolic.formula);
        out.push_back(node ? c10::SymInt(node) : c10::SymInt(symbolic.hint.value_or(1)));
    }
    return out;
}

bool areSymbolic(const std::vector<Dimension>& dimensions) {
    return std::ranges::any_of(
        dimensions, [](const Dimension& each) { return std::holds_alternative<SymbolicInt>(each); });
}

} // namespace

TensorMeta describeSymbolic(const at::Tensor& tensor) {
    if (!hasSymbolicSizes(tensor))
        return describe(tensor);
    TensorMeta meta;
    meta.dtype = tensor.scalar_type();
    meta.device = tensor.device();
    meta.layout = tensor.layout();
    meta.requiresGrad = tensor.requires_grad();
    for (const c10::SymInt& size : tensor.sym_sizes())
        meta.shape.push_back(dimensionOf(size));
    for (const c10::SymInt& stride : tensor.sym_strides())
        meta.stride.push_back(dimensionOf(stride));
    return meta;
}

at::Tensor withoutData(const TensorMeta& meta, SymbolEnvironment& environment) {
    if (!areSymbolic(meta.shape) && !areSymbolic(meta.stride))
        return withoutData(meta);
    const auto options = at::TensorOptions(c10::kMeta).dtype(meta.dtype);
    const std::vector<c10::SymInt> sizes = numbers(meta.shape, environment);
    return meta.stride.size() == meta.shape.size()
               ? at::empty_strided_symint(sizes, numbers(meta.stride, environment), options)
               : at::empty_symint(sizes, options);
}

at::Tensor fakeTensor(c10::SymIntArrayRef sizes, c10::SymIntArrayRef strides, const c10::SymInt& offset,
                      c10::ScalarType dtype, c10::Device device) {
    const auto keys = c10::DispatchKeySet(c10::computeDispatchKey(dtype, c10::kStrided, device));
    auto storage =
        c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), 0,
                                              c10::DataPtr(nullptr, nullptr, &letGo, device), nullptr, false);
    storage->release_data_and_set_meta_custom_data_ptr_error_msg_(kNoData);
    at::Tensor out = at::detail::make_tensor<c10::TensorImpl>(c10::Storage(std::move(storage)), keys,
                                                              c10::scalarTypeToTypeMeta(dtype));
    out.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides, offset);
    return out;
}

std::vector<c10::SymInt> symbolicStrides(const at::Tensor& tensor, const std::vector<c10::SymInt>& sizes) {
    std::vector<int64_t> order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](int64_t a, int64_t b) {
        return tensor.stride(a) == tensor.stride(b) ? a > b : tensor.stride(a) < tensor.stride(b);
    });
    std::map<int64_t, c10::SymInt> products; // by what they were
    std::vector<c10::SymInt> out(sizes.size());
    for (const int64_t dim : order) {
        const int64_t stride = tensor.stride(dim);
        const bool isContiguous =
            dim + 1 < tensor.dim() && stride == tensor.size(dim + 1) * tensor.stride(dim + 1);
        const auto known = products.find(stride);
        const bool isPlain = (stride <= 1 && !isContiguous) || known == products.end();
        const auto at = static_cast<size_t>(dim);
        out[at] = isPlain ? c10::SymInt(stride) : known->second;
        products.insert_or_assign(tensor.size(dim) * stride, sizes[at] * out[at]);
    }
    return out;
}

bool isFake(const at::Tensor& tensor) {
    return tensor.defined() && tensor.has_storage() &&
           tensor.storage().unsafeGetStorageImpl()->_mutable_data_ptr_no_checks().get_deleter() == &letGo;
}

std::string fakeText(const at::Tensor& tensor) {
    std::vector<std::string> sizes;
    for (const c10::SymInt& size : tensor.sym_sizes())
        sizes.push_back(size.maybe_as_int() ? std::to_string(*size.maybe_as_int()) : size.toSymNode()->str());
    std::string out = "FakeTensor(..., ";
    if (!tensor.device().is_cpu())
        out += "device='" + tensor.device().str() + "', ";
    out += "size=(" + join(sizes, ", ") + (sizes.size() == 1 ? ",)" : ")");
    if (tensor.scalar_type() != c10::get_default_dtype_as_scalartype())
        out += ", dtype=" + dtypeText(tensor.scalar_type());
    return out + (tensor.requires_grad() ? ", requires_grad=True)" : ")");
}

// --- Numbers in the place of tensors

namespace {

struct Wrapped {
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;
    c10::SymNode number;
};

std::unordered_map<const c10::TensorImpl*, Wrapped>& wrappedNumbers() {
    static thread_local std::unordered_map<const c10::TensorImpl*, Wrapped> numbers;
    return numbers;
}

} // namespace

at::Tensor wrappedNumber(const c10::SymNode& number) {
    std::erase_if(wrappedNumbers(), [](const auto& entry) { return entry.second.tensor.expired(); });
    at::Tensor out = c10::scalar_to_tensor(number->is_float() ? c10::Scalar(0.0) : c10::Scalar(0));
    out.unsafeGetTensorImpl()->set_wrapped_number(true);
    wrappedNumbers().emplace(
        out.unsafeGetTensorImpl(),
        Wrapped{c10::weak_intrusive_ptr<c10::TensorImpl>(out.getIntrusivePtr()), number});
    return out;
}

c10::SymNode numberOfWrapped(const at::Tensor& tensor) {
    const auto found = wrappedNumbers().find(tensor.unsafeGetTensorImpl());
    return found == wrappedNumbers().end() || found->second.tensor.expired() ? c10::SymNode()
                                                                             : found->second.number;
}

} // namespace fx
