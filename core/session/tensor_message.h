// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors from one process to another: what lies in a file as it was read is named by its place there, the rest goes
// through a file in memory. Tensors that share a storage share it afterwards.
#pragma once

#include "core/io/json.h"
#include "core/module/edit.h"

#include <memory>
#include <vector>

namespace fx {

/// Whether what lies in a file's memory may be something else than the file by now: a program may write there.
enum class FileMemoryUse { Read, Written };

/// Appends the data to `descriptor`. A tensor that cannot be read is its error, which its reader gets.
Json tensorsMessage(const std::vector<TensorSlot>& tensors, int descriptor, FileMemoryUse use);

/// Nothing is believed. `descriptor`: the file with the data, which nobody writes any more. Throws an Error where a file
/// has changed since.
std::vector<TensorSlot> tensorsFromMessage(const JsonDocument& json, const Json& message, int descriptor);

} // namespace fx
