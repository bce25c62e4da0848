// SPDX-License-Identifier: GPL-3.0-or-later
// Files of other programs that people try to open, told by their first bytes or their records: what they are,
// and the way from them to something that can be opened.
#pragma once

#include "core/io/zip_archive.h"

#include <span>
#include <string>

namespace fx {

/// The advice for what holds no graph.
inline constexpr const char* kExportAdvice = "export the model with torch.export.save and open the .pt2";

struct ForeignFormat {
    std::string what;   ///< "is an ONNX model"; empty: not known either
    std::string advice; ///< empty: none
};

ForeignFormat foreignFormat(std::span<const std::byte> bytes);
ForeignFormat foreignZip(const ZipArchive& zip);
ForeignFormat foreignFolder(const std::string& path);

} // namespace fx
