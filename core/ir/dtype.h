// SPDX-License-Identifier: GPL-3.0-or-later
// Every dtype under all the names that Python, the file formats and people give it, in one table.
// Devices, layouts and memory formats have their Python names here too.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fx {

struct DtypeInfo {
    c10::ScalarType type;
    std::string_view name;         ///< torch's name without "torch.": "float32"
    std::string_view abbreviation; ///< torch's short form: "f32"
    int exportCode;                ///< ScalarType of the .pt2 schema, -1: not in it
    std::string_view safetensors;  ///< "F32", empty: safetensors has none
    std::string_view numpy;        ///< little-endian descr of .npy: "<f4", empty: numpy has none
};

std::span<const DtypeInfo> dtypes();
/// Null for a type that Python cannot name.
const DtypeInfo* dtypeInfo(c10::ScalarType type);
/// "torch.float32".
std::string dtypeText(c10::ScalarType type);
/// "f32"; "?" for a type without an abbreviation.
std::string_view dtypeAbbreviation(c10::ScalarType type);
/// Takes "float32", "torch.float32" and torch's aliases ("torch.half", "torch.long").
std::optional<c10::ScalarType> dtypeFromName(std::string_view name);

/// "cuda:0", as str() writes it.
std::string deviceText(c10::Device device);
/// "torch.strided".
std::string layoutText(c10::Layout layout);
std::optional<c10::Layout> layoutFromName(std::string_view name);
/// "torch.contiguous_format".
std::string memoryFormatText(c10::MemoryFormat format);
std::optional<c10::MemoryFormat> memoryFormatFromName(std::string_view name);

} // namespace fx
