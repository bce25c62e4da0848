// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor_bytes.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <ATen/ATen.h>

#include <cstring>
#include <functional>
#include <mutex>

namespace fx {

void requireInside(const StridedShape& shape, uint64_t byteCount, const std::string& place) {
    if (shape.sizes.size() != shape.strides.size())
        throw Error(place, "has " + plural(shape.sizes.size(), "size") + " but " +
                               plural(shape.strides.size(), "stride"));
    const auto tooLarge = [&] {
        return Error(place, "reaches beyond its " + byteText(byteCount) + " of data");
    };
    if (shape.offset < 0)
        throw Error(place, "begins before its data");
    uint64_t last = static_cast<uint64_t>(shape.offset);
    for (size_t i = 0; i < shape.sizes.size(); ++i) {
        if (shape.sizes[i] < 0 || shape.strides[i] < 0)
            throw Error(place, "has a negative size or stride");
        if (shape.sizes[i] == 0)
            return;
        uint64_t step = 0;
        if (__builtin_mul_overflow(uint64_t(shape.sizes[i] - 1), uint64_t(shape.strides[i]), &step) ||
            __builtin_add_overflow(last, step, &last))
            throw tooLarge();
    }
    // Overlapping elements (stride 0) may make many out of few bytes; what they cost is the user's doing
    // later.
    if (last >= byteCount / c10::elementSize(shape.dtype))
        throw tooLarge();
}

std::vector<int64_t> contiguousStrides(const std::vector<int64_t>& sizes) {
    std::vector<int64_t> strides(sizes.size(), 1);
    for (size_t i = sizes.size(); i-- > 1;)
        strides[i - 1] = strides[i] * std::max<int64_t>(sizes[i], 1);
    return strides;
}

at::Tensor tensorOver(const std::shared_ptr<const MappedFile>& file, size_t offset, size_t byteCount,
                      const StridedShape& shape) {
    const size_t itemSize = c10::elementSize(shape.dtype);
    std::byte* data = file->writable() + offset;
    const auto count = static_cast<int64_t>(byteCount / itemSize);
    const auto options = at::TensorOptions().dtype(shape.dtype);
    at::Tensor flat = at::from_blob(
        data, {count}, [file](void*) {}, options);
    // LibTorch's kernels over bytes load 16 of them as if they were aligned (_weight_int8pack_mm).
    const size_t alignment = itemSize == 1 ? 16 : itemSize;
    if (reinterpret_cast<uintptr_t>(data) % alignment != 0) {
        flat = at::empty({count}, options);
        if (count > 0)
            std::memcpy(flat.data_ptr(), data, static_cast<size_t>(count) * itemSize);
    }
    file->requireUnchanged();
    return at::as_strided(flat, shape.sizes, shape.strides, shape.offset);
}

struct PieceTensors::Shared {
    std::shared_ptr<const MappedFile> file;
    size_t offset = 0, size = 0;
    std::function<void()> verify;
    std::once_flag loaded;
    at::Tensor
        bytes; ///< all of it; the tensors are views of it, so that writing to one is seen by the others
};

PieceTensors::PieceTensors(ZipArchive::Piece piece) : m_shared(std::make_shared<Shared>()) {
    m_shared->file = piece.file;
    m_shared->offset = piece.offset;
    m_shared->size = piece.size;
    m_shared->verify = [piece = std::move(piece)] { piece.verify(); };
}

PieceTensors::PieceTensors(std::shared_ptr<const MappedFile> file, size_t offset, size_t size)
    : m_shared(std::make_shared<Shared>()) {
    m_shared->file = std::move(file);
    m_shared->offset = offset;
    m_shared->size = size;
}

size_t PieceTensors::byteCount() const {
    return m_shared->size;
}

at::Tensor PieceTensors::tensor(const StridedShape& shape) const {
    Shared& shared = *m_shared;
    std::call_once(shared.loaded, [&] {
        if (shared.verify)
            shared.verify();
        // The widest element takes 16 bytes.
        std::byte* data = shared.file->writable() + shared.offset;
        const auto count = static_cast<int64_t>(shared.size);
        if (reinterpret_cast<uintptr_t>(data) % 16 == 0) {
            shared.bytes = at::from_blob(
                data, {count}, [file = shared.file](void*) {}, at::kByte);
        } else {
            shared.bytes = at::empty({count}, at::kByte);
            if (count > 0)
                std::memcpy(shared.bytes.data_ptr(), data, shared.size);
            shared.file->requireUnchanged();
        }
    });
    requireUnchanged(shared.bytes.storage().data());
    at::Tensor out = at::empty({0}, at::TensorOptions().dtype(shape.dtype));
    return out.set_(shared.bytes.storage(), shape.offset, shape.sizes, shape.strides);
}

TensorSlot PieceTensors::slot(const StridedShape& shape, bool requiresGrad) const {
    TensorMeta meta;
    meta.dtype = shape.dtype;
    meta.requiresGrad = requiresGrad;
    meta.shape.assign(shape.sizes.begin(), shape.sizes.end());
    meta.stride.assign(shape.strides.begin(), shape.strides.end());
    return TensorSlot(std::move(meta), [self = *this, shape, requiresGrad] {
        at::Tensor tensor = self.tensor(shape);
        if (requiresGrad)
            tensor.set_requires_grad(true);
        return tensor;
    });
}

} // namespace fx
