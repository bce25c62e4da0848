// SPDX-License-Identifier: GPL-3.0-or-later
// The modules of torch, and of numpy, that are Python text of our own (core/torch/library).
#pragma once

#include "core/python/library.h"

#include <string>

namespace fx {

/// Whether a module is text: "torch.nn.modules.linear". So is one that PyTorch has and that has nothing to
/// run here, such as torch.optim: a source may import its names.
bool isTextModule(const std::string& name);
/// Whether there is a text of that module itself.
bool hasTextOf(const std::string& name);
/// Null for a module that is not text.
const LibraryModule* findTextModule(const std::string& name);

} // namespace fx
