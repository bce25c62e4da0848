// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/fxg/shared_views.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <tuple>

namespace fx::fxg {

namespace {

/// The widest element takes 16 bytes: a piece begins at a multiple, so that each tensor in it is aligned.
constexpr int64_t kAlignment = 16;

/// The bytes of a storage that a tensor lies over.
struct Extent {
    const void* storage;
    int64_t begin, end;
    size_t tensor;
};

bool liesInMemory(const at::Tensor& tensor) {
    return tensor.layout() == at::kStrided && tensor.is_cpu() && !tensor.is_quantized() &&
           tensor.numel() > 0 && tensor.has_storage() && tensor.storage().data();
}

Extent extentOf(const at::Tensor& tensor, size_t index) {
    int64_t last = tensor.storage_offset();
    for (int64_t i = 0; i < tensor.dim(); ++i)
        last += (tensor.size(i) - 1) * tensor.stride(i);
    const auto itemSize = static_cast<int64_t>(tensor.element_size());
    return {tensor.storage().data(), tensor.storage_offset() * itemSize, (last + 1) * itemSize, index};
}

} // namespace

SharedViews sharedViews(const std::vector<at::Tensor>& tensors) {
    std::vector<Extent> extents;
    for (size_t i = 0; i < tensors.size(); ++i)
        if (liesInMemory(tensors[i]))
            extents.push_back(extentOf(tensors[i], i));
    std::ranges::sort(extents, [](const Extent& a, const Extent& b) {
        return std::tie(a.storage, a.begin, a.tensor) < std::tie(b.storage, b.begin, b.tensor);
    });
    SharedViews out;
    for (size_t first = 0, next; first < extents.size(); first = next) {
        int64_t end = extents[first].end;
        for (next = first + 1; next < extents.size() && extents[next].storage == extents[first].storage &&
                               extents[next].begin < end;
             ++next)
            end = std::max(end, extents[next].end);
        if (next == first + 1)
            continue;
        const int64_t begin = extents[first].begin / kAlignment * kAlignment;
        const at::Tensor& owner = tensors[extents[first].tensor];
        for (size_t i = first; i < next; ++i)
            out.views.emplace(extents[i].tensor,
                              SharedViews::View{out.pieces.size(), extents[i].begin - begin});
        out.pieces.push_back(at::empty({0}, at::kByte).set_(owner.storage(), begin, {end - begin}, {1}));
    }
    return out;
}

} // namespace fx::fxg
