// SPDX-License-Identifier: GPL-3.0-or-later
// What lies in a .fxg file under which name, and words that writing and reading share.
#pragma once

#include "core/io/json.h"
#include "core/io/zip_archive.h"
#include "core/module/edit.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace fx::fxg {

constexpr const char* kModel = "fxscope/model.json";
constexpr const char* kTensors = "fxscope/tensors.safetensors";
constexpr const char* kLayout = "fxscope/layout.json";
constexpr const char* kExamples = "fxscope/examples.pt";
constexpr const char* kSources = "fxscope/sources.json";
constexpr int64_t kVersion = 1;
/// Of a file in which tensors share memory or are sparse, which readers of version 1 would take apart.
constexpr int64_t kVersionOfViews = 2;
/// Records that hold the memory of several tensors.
constexpr const char* kShared = "shared.";

constexpr std::string_view kRoles[] = {"parameter", "buffer", "transient_buffer", "constant"};

/// The tensors of the model's table, made with `edit`; their data is read when it is asked for.
std::vector<TensorId> readTensors(const ZipArchive& zip, const JsonDocument& json, Edit& edit);

} // namespace fx::fxg
