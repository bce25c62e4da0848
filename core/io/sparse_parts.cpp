// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/sparse_parts.h"

#include <ATen/ATen.h>

namespace fx {

bool isSparseLayout(c10::Layout layout) {
    return layout == at::kSparse || layout == at::kSparseCsr || layout == at::kSparseCsc ||
           layout == at::kSparseBsr || layout == at::kSparseBsc;
}

std::vector<std::pair<std::string, at::Tensor>> sparseParts(const at::Tensor& given) {
    const at::Tensor tensor = given.detach();
    if (tensor.layout() == at::kSparse)
        return {{"indices", tensor._indices()}, {"values", tensor._values()}};
    const bool isByRow = tensor.layout() == at::kSparseCsr || tensor.layout() == at::kSparseBsr;
    return {{"compressed", isByRow ? tensor.crow_indices() : tensor.ccol_indices()},
            {"plain", isByRow ? tensor.col_indices() : tensor.row_indices()},
            {"values", tensor.values()}};
}

at::Tensor sparseFromParts(c10::Layout layout, const std::vector<int64_t>& sizes, bool isCoalesced,
                           const std::function<at::Tensor(const std::string& name)>& part) {
    const at::Tensor values = part("values");
    const at::TensorOptions options = values.options().layout(layout);
    if (layout == at::kSparse) {
        const at::Tensor indices = part("indices");
        at::_validate_sparse_coo_tensor_args(indices, values, sizes);
        return at::_sparse_coo_tensor_unsafe(indices, values, sizes, options, isCoalesced);
    }
    const at::Tensor compressed = part("compressed"), plain = part("plain");
    at::_validate_sparse_compressed_tensor_args(compressed, plain, values, sizes, layout);
    return at::_sparse_compressed_tensor_unsafe(compressed, plain, values, sizes, options);
}

} // namespace fx
