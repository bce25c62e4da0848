// SPDX-License-Identifier: GPL-3.0-or-later
// torch.UntypedStorage: the bytes that tensors lie in, as programs ask about them.
#pragma once

#include "core/python/evaluator.h"

namespace fx {

/// The name of the class among the evaluator's types.
inline constexpr const char* kStorageType = "torch.storage.UntypedStorage";
void addStorageClass(ClassData& type);

bool isStorage(const Value& value);
int64_t storageLength(const Value& storage);
/// storage[index]: a byte.
Value storageItem(const Value& storage, int64_t index);
/// A byte a line, and what it is.
std::string storageText(const Value& storage);

} // namespace fx
