// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors from one process to another: what lies in a file as it was read is named by its place there, the
// rest goes through a file in memory. Tensors that share a storage share it afterwards.
#pragma once

#include "core/io/json.h"
#include "core/module/edit.h"

#include <memory>
#include <vector>

namespace fx {

/// What becomes of tensors that lie in a file.
enum class FileMemoryUse {
    Read,    ///< they are named by their place there
    Written, ///< likewise, unless they are something else by now: a program may have written to that memory
    Copied,  ///< the reader is on another machine: their bytes are sent, and no file that is named is opened
};

/// Appends the data to `descriptor`. A tensor that cannot be read is its error, which its reader gets.
Json tensorsMessage(const std::vector<TensorSlot>& tensors, int descriptor, FileMemoryUse use);

/// Nothing is believed. `descriptor`: the file with the data, which nobody writes any more. Throws an Error
/// where a file has changed since.
std::vector<TensorSlot> tensorsFromMessage(const JsonDocument& json, const Json& message, int descriptor,
                                           FileMemoryUse use = FileMemoryUse::Read);

} // namespace fx
