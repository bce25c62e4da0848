// SPDX-License-Identifier: GPL-3.0-or-later
// Sparse tensors as the strided tensors that they are made of, and back, for formats that hold strided ones.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fx {

/// Whether the layout is COO, CSR, CSC, BSR or BSC.
bool isSparseLayout(c10::Layout layout);
/// COO: "indices" int64 [sparse dims, nnz] and "values" [nnz, dense dims...]. CSR, CSC, BSR and BSC:
/// "compressed" [batch..., rows or columns + 1], "plain" [batch..., nnz] and "values".
std::vector<std::pair<std::string, at::Tensor>> sparseParts(const at::Tensor& tensor);
/// The other way. `part` gives a part by its name. Throws c10::Error where they fit no such tensor.
at::Tensor sparseFromParts(c10::Layout layout, const std::vector<int64_t>& sizes, bool isCoalesced,
                           const std::function<at::Tensor(const std::string& name)>& part);

} // namespace fx
