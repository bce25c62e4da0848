// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pickle/pickled_tensors.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/dtype.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// As many dimensions as torch can compute with.
constexpr size_t kMostDimensions = 64;
/// A parameter of a parameter of a ... : no writer goes deeper than two.
constexpr int kDeepestRebuild = 8;

const std::vector<PickleRef>* itemsOf(const PickleValue& value) {
    if (const auto* tuple = value.as<PickleTuple>())
        return &tuple->items;
    if (const auto* list = value.as<PickleList>())
        return &list->items;
    // torch.Size((2, 3))
    const auto* call = value.as<PickleCall>();
    const std::string_view name = call ? call->callable->globalName() : std::string_view();
    if (name != "torch.Size" && name != "torch._C.Size")
        return nullptr;
    const auto* arguments = call->arguments->as<PickleTuple>();
    return arguments && arguments->items.size() == 1 && !arguments->items[0]->as<PickleCall>()
               ? itemsOf(*arguments->items[0])
               : nullptr;
}

bool isTrue(const PickleValue& value) {
    return value.as<bool>() && *value.as<bool>();
}

/// An entry of the metadata that torch keeps with a tensor: whether it is to be read conjugated or negated.
bool hasBit(const PickleValue* metadata, std::string_view name) {
    const auto* dict = metadata ? metadata->as<PickleDict>() : nullptr;
    if (!dict)
        return false;
    return std::any_of(dict->items.begin(), dict->items.end(), [&](const auto& item) {
        const auto* key = item.first->template as<std::string>();
        return key && *key == name && isTrue(*item.second);
    });
}

TensorMeta metaOf(const StridedShape& shape, bool requiresGrad) {
    TensorMeta meta;
    meta.dtype = shape.dtype;
    meta.requiresGrad = requiresGrad;
    meta.shape.assign(shape.sizes.begin(), shape.sizes.end());
    meta.stride.assign(shape.strides.begin(), shape.strides.end());
    return meta;
}

/// The same data as a leaf of its own: what a Parameter is.
TensorSlot asParameter(const TensorSlot& data, bool requiresGrad) {
    TensorMeta meta = data.meta();
    meta.requiresGrad = requiresGrad;
    return TensorSlot(std::move(meta), [data, requiresGrad] {
        at::Tensor out = data.value().detach();
        if (requiresGrad)
            out.set_requires_grad(true);
        return out;
    });
}

/// Written as torch.serialization._get_layout("torch.sparse_coo"); none for what is no layout of sparse
/// tensors.
std::optional<c10::Layout> sparseLayout(const PickleValue& value) {
    const auto* call = value.as<PickleCall>();
    if (!call || call->callable->globalName() != "torch.serialization._get_layout" ||
        call->positional().size() != 1)
        return std::nullopt;
    const auto* name = call->positional()[0]->as<std::string>();
    if (!name)
        return std::nullopt;
    static constexpr std::pair<std::string_view, c10::Layout> kLayouts[] = {
        {"torch.sparse_coo", c10::Layout::Sparse},    {"torch.sparse_csr", c10::Layout::SparseCsr},
        {"torch.sparse_csc", c10::Layout::SparseCsc}, {"torch.sparse_bsr", c10::Layout::SparseBsr},
        {"torch.sparse_bsc", c10::Layout::SparseBsc},
    };
    const auto found = std::ranges::find(kLayouts, *name, [](const auto& row) { return row.first; });
    return found == std::end(kLayouts) ? std::nullopt : std::optional(found->second);
}

} // namespace

std::optional<c10::ScalarType> pickledDtype(const PickleValue& value) {
    const std::string_view name = value.globalName();
    return name.starts_with("torch.") ? dtypeFromName(name) : std::nullopt;
}

PickledTensors::PickledTensors(const TorchContainer& container, bool tiesEqualViews)
    : m_container(container), m_tiesEqualViews(tiesEqualViews) {}

void PickledTensors::fail(const std::string& message) const {
    throw Error(m_container.place(), message);
}

std::optional<PickledTensor> PickledTensors::find(const PickleValue& value) {
    if (!value.as<PickleCall>())
        return std::nullopt;
    if (const auto known = m_known.find(&value); known != m_known.end())
        return known->second;
    std::optional<PickledTensor> out = findNew(value, 0);
    if (out)
        m_known.emplace(&value, *out);
    return out;
}

std::optional<PickledTensor> PickledTensors::findNew(const PickleValue& value, int depth) {
    const auto* call = value.as<PickleCall>();
    if (!call || depth > kDeepestRebuild)
        return std::nullopt;
    const std::string_view name = call->callable->globalName();
    const std::vector<PickleRef>& arguments = call->positional();
    const auto require = [&](size_t least) {
        if (arguments.size() < least)
            fail("has a tensor that lacks a part of its record");
    };
    if (name == "torch._utils._rebuild_tensor" || name == "torch._utils._rebuild_tensor_v2") {
        require(4);
        return PickledTensor{strided(arguments, false, arguments.size() > 4 && isTrue(*arguments[4]))};
    }
    if (name == "torch._utils._rebuild_tensor_v3") {
        require(7);
        return PickledTensor{strided(arguments, true, isTrue(*arguments[4]))};
    }
    if (name == "torch._utils._rebuild_parameter" || name == "torch._utils._rebuild_parameter_with_state") {
        require(1);
        return parameter(arguments, depth);
    }
    if (name == "torch._utils._rebuild_qtensor") {
        require(6);
        return PickledTensor{quantized(arguments)};
    }
    if (name == "torch._utils._rebuild_sparse_tensor") {
        require(2);
        std::optional<TensorSlot> slot = sparse(arguments, depth);
        return slot ? std::optional(PickledTensor{*slot}) : std::nullopt;
    }
    if (name == "torch._utils._rebuild_meta_tensor_no_storage") {
        require(4);
        return PickledTensor{metaTensor(arguments)};
    }
    if (name == "torch._tensor._rebuild_from_type_v2") {
        // (function, class, its arguments, attributes)
        require(4);
        PickleValue inner;
        auto innerCall = std::make_unique<PickleCall>();
        innerCall->callable = arguments[0];
        innerCall->arguments = arguments[2];
        inner.value = std::move(innerCall);
        std::optional<PickledTensor> out = findNew(inner, depth + 1);
        if (out)
            out->attributes = arguments[3];
        return out;
    }
    return std::nullopt;
}

PickledTensor PickledTensors::parameter(const std::vector<PickleRef>& arguments, int depth) {
    const bool requiresGrad = arguments.size() < 2 || isTrue(*arguments[1]);
    const std::optional<PickledTensor> data = findNew(*arguments[0], depth + 1);
    if (!data)
        fail("has a parameter of a kind that is not known here");
    PickledTensor out{asParameter(data->slot, requiresGrad), true};
    if (arguments.size() > 3)
        out.attributes = arguments[3];
    return out;
}

std::vector<int64_t> PickledTensors::integers(const PickleValue& value) {
    const std::vector<PickleRef>* items = itemsOf(value);
    if (!items)
        fail("has a tensor with sizes that are no tuple");
    if (items->size() > kMostDimensions)
        fail("has a tensor of " + std::to_string(items->size()) + " dimensions");
    std::vector<int64_t> out;
    for (PickleRef item : *items) {
        if (!item->as<int64_t>())
            fail("has a tensor with a size that is no int");
        out.push_back(*item->as<int64_t>());
    }
    return out;
}

StridedShape PickledTensors::shapeOf(const std::vector<PickleRef>& arguments, c10::ScalarType dtype) {
    const auto* offset = arguments[1]->as<int64_t>();
    if (!offset)
        fail("has a tensor that begins at no number");
    StridedShape shape{dtype, integers(*arguments[2]), integers(*arguments[3]), *offset};
    int64_t count = 1;
    for (int64_t size : shape.sizes)
        if (size < 0 || __builtin_mul_overflow(count, size, &count))
            fail("has a tensor of an impossible size");
    if (count == 0)
        shape.offset = 0; // of no element, so it may lie anywhere
    return shape;
}

TensorSlot PickledTensors::strided(const std::vector<PickleRef>& arguments, bool hasDtype,
                                   bool requiresGrad) {
    const std::optional<PickledStorage> storage = pickledStorage(*arguments[0], m_container.place());
    if (!storage)
        fail("has a tensor without storage");
    const std::optional<c10::ScalarType> dtype = hasDtype ? pickledDtype(*arguments[6]) : storage->dtype;
    if (!dtype || c10::isQIntType(*dtype))
        fail("has a tensor without dtype");
    const StridedShape shape = shapeOf(arguments, *dtype);
    const size_t metadataAt = hasDtype ? 7 : 6;
    const PickleValue* metadata = arguments.size() > metadataAt ? arguments[metadataAt] : nullptr;
    const bool isConjugate = hasBit(metadata, "conj"), isNegative = hasBit(metadata, "neg");
    const PieceTensors& bytes = m_container.storage(*storage);
    requireInside(shape, bytes.byteCount(), m_container.place() + ": storage " + storage->key);
    const auto make = [&] {
        if (!isConjugate && !isNegative)
            return bytes.slot(shape, requiresGrad);
        return TensorSlot(metaOf(shape, requiresGrad), [bytes, shape, isConjugate, isNegative, requiresGrad] {
            at::Tensor out = bytes.tensor(shape);
            if (isConjugate && out.is_complex())
                out._set_conj(true);
            if (isNegative)
                out._set_neg(true);
            return requiresGrad ? out.set_requires_grad(true) : out;
        });
    };
    if (!m_tiesEqualViews || isConjugate || isNegative)
        return make();
    const View view{storage->key, shape.dtype, shape.sizes, shape.strides, shape.offset, requiresGrad};
    const auto known = m_views.find(view);
    return known != m_views.end() ? known->second : m_views.emplace(view, make()).first->second;
}

TensorSlot PickledTensors::quantized(const std::vector<PickleRef>& arguments) {
    const std::optional<PickledStorage> storage = pickledStorage(*arguments[0], m_container.place());
    if (!storage || !storage->dtype)
        fail("has a quantized tensor without storage");
    const c10::ScalarType integer = *storage->dtype;
    if (integer != at::kChar && integer != at::kByte && integer != at::kInt)
        fail("has a quantized tensor over a storage of " + dtypeText(integer));
    const StridedShape shape = shapeOf(arguments, integer);
    const PieceTensors& bytes = m_container.storage(*storage);
    requireInside(shape, bytes.byteCount(), m_container.place() + ": storage " + storage->key);
    TensorMeta meta = metaOf(shape, false);
    meta.dtype = c10::toQIntType(integer);
    const auto* parameters = arguments[4]->as<PickleTuple>();
    const auto item = [&](size_t i) -> const PickleValue& {
        if (!parameters || parameters->items.size() <= i)
            fail("has a quantized tensor without scales");
        return *parameters->items[i];
    };
    const std::string_view scheme = item(0).globalName();
    if (scheme == "torch.per_tensor_affine") {
        const auto* scale = item(1).as<double>();
        const auto* zero = item(2).as<int64_t>();
        if (!scale || !zero)
            fail("has a quantized tensor without scales");
        return TensorSlot(std::move(meta), [bytes, shape, scale = *scale, zero = *zero] {
            return at::_make_per_tensor_quantized_tensor(bytes.tensor(shape), scale, zero);
        });
    }
    const bool isByChannel =
        scheme == "torch.per_channel_affine" || scheme == "torch.per_channel_affine_float_qparams";
    const std::optional<PickledTensor> scales = isByChannel ? findNew(item(1), 1) : std::nullopt;
    const std::optional<PickledTensor> zeros = isByChannel ? findNew(item(2), 1) : std::nullopt;
    const auto* axis = isByChannel ? item(3).as<int64_t>() : nullptr;
    if (!scales || !zeros || !axis)
        fail("has a quantized tensor of a scheme that is not known");
    return TensorSlot(std::move(meta),
                      [bytes, shape, scales = scales->slot, zeros = zeros->slot, axis = *axis] {
                          return at::_make_per_channel_quantized_tensor(bytes.tensor(shape), scales.value(),
                                                                        zeros.value(), axis);
                      });
}

std::optional<TensorSlot> PickledTensors::sparse(const std::vector<PickleRef>& arguments, int depth) {
    // (layout, parts): of a COO tensor its indices, values, sizes and perhaps whether it is coalesced, of
    // others two of indices, values and sizes.
    const auto* parts = arguments[1]->as<PickleTuple>();
    const std::optional<c10::Layout> layout = sparseLayout(*arguments[0]);
    if (!layout || !parts)
        return std::nullopt;
    const size_t tensorCount = *layout == c10::Layout::Sparse ? 2 : 3;
    if (parts->items.size() <= tensorCount)
        fail("has a sparse tensor without its parts");
    std::vector<TensorSlot> tensors;
    for (size_t i = 0; i < tensorCount; ++i) {
        const std::optional<PickledTensor> part = findNew(*parts->items[i], depth + 1);
        if (!part)
            fail("has a sparse tensor without its parts");
        tensors.push_back(part->slot);
    }
    const std::vector<int64_t> sizes = integers(*parts->items[tensorCount]);
    const bool* flag =
        parts->items.size() > tensorCount + 1 ? parts->items[tensorCount + 1]->as<bool>() : nullptr;
    const std::optional<bool> isCoalesced = flag ? std::optional(*flag) : std::nullopt;
    TensorMeta meta;
    meta.dtype = tensors.back().meta().dtype;
    meta.layout = *layout;
    meta.shape.assign(sizes.begin(), sizes.end());
    return TensorSlot(std::move(meta), [tensors, sizes, layout = *layout, isCoalesced] {
        const at::Tensor values = tensors.back().value(), indices = tensors[0].value();
        if (layout == c10::Layout::Sparse) {
            at::_validate_sparse_coo_tensor_args(indices, values, sizes, isCoalesced);
            return at::sparse_coo_tensor(indices, values, sizes, {}, isCoalesced);
        }
        const at::Tensor others = tensors[1].value();
        at::_validate_sparse_compressed_tensor_args(indices, others, values, sizes, layout);
        return at::sparse_compressed_tensor(indices, others, values, sizes, values.options().layout(layout));
    });
}

TensorSlot PickledTensors::metaTensor(const std::vector<PickleRef>& arguments) {
    const std::optional<c10::ScalarType> dtype = pickledDtype(*arguments[0]);
    if (!dtype)
        fail("has a tensor without dtype");
    const StridedShape shape{*dtype, integers(*arguments[1]), integers(*arguments[2]), 0};
    const bool requiresGrad = isTrue(*arguments[3]);
    TensorMeta meta = metaOf(shape, requiresGrad);
    meta.device = c10::kMeta;
    return TensorSlot(std::move(meta), [shape, requiresGrad] {
        at::Tensor out = at::empty_strided(shape.sizes, shape.strides,
                                           at::TensorOptions().dtype(shape.dtype).device(c10::kMeta));
        return requiresGrad ? out.set_requires_grad(true) : out;
    });
}

} // namespace fx
