// SPDX-License-Identifier: GPL-3.0-or-later
// Files that hold nothing but tensors: .npy, .npz and .safetensors.
#pragma once

#include "core/module/tensor_slot.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fx {

using NamedTensors = std::vector<std::pair<std::string, TensorSlot>>;

at::Tensor readNpy(const std::string& path);
/// C order; throws for dtypes that NumPy lacks (bfloat16, float8).
void writeNpy(const std::string& path, const at::Tensor& tensor);
NamedTensors readNpz(const std::string& path);
/// Whether it begins as safetensors files do: a length, and a JSON object of that length.
bool isSafetensors(std::span<const std::byte> bytes);
/// Data is read when a tensor is first used.
NamedTensors readSafetensors(const std::string& path);
/// The same from a record of a mapped file.
NamedTensors readSafetensors(const std::shared_ptr<const class MappedFile>& file, size_t offset, size_t size,
                             const std::string& place);
/// The header that safetensors puts before the data: 8 bytes of length and JSON. The data of each tensor
/// follows in order, contiguous.
std::string safetensorsHeader(const std::vector<std::pair<std::string, const TensorMeta*>>& tensors);
/// The bytes of a tensor in C order.
std::string tensorContent(const at::Tensor& tensor);

} // namespace fx
