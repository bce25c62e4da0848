// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors over the bytes of a file: checked against them, mapped where they are aligned.
#pragma once

#include "core/io/zip_archive.h"
#include "core/module/tensor_slot.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fx {

struct StridedShape {
    c10::ScalarType dtype;
    std::vector<int64_t> sizes, strides;
    int64_t offset = 0; ///< in elements
};

/// Throws an Error at `place` unless the tensor lies inside `byteCount` bytes.
void requireInside(const StridedShape& shape, uint64_t byteCount, const std::string& place);
/// Row-major strides of the sizes.
std::vector<int64_t> contiguousStrides(const std::vector<int64_t>& sizes);
/// Tensors over one record or storage, which is read when the first of them is used. They share its memory.
class PieceTensors {
public:
    explicit PieceTensors(ZipArchive::Piece piece);
    /// A part of a file that has no checksum.
    PieceTensors(std::shared_ptr<const MappedFile> file, size_t offset, size_t size);
    size_t byteCount() const;
    TensorSlot slot(const StridedShape& shape, bool requiresGrad) const;
    at::Tensor tensor(const StridedShape& shape) const;

private:
    struct Shared;
    std::shared_ptr<Shared> m_shared;
};
/// A tensor over bytes of a mapped file, copied if they are not aligned for it.
at::Tensor tensorOver(const std::shared_ptr<const MappedFile>& file, size_t offset, size_t byteCount,
                      const StridedShape& shape);

} // namespace fx
