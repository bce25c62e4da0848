// SPDX-License-Identifier: GPL-3.0-or-later
// Shared libraries that register operators with LibTorch's dispatcher, as TORCH_LIBRARY does when they load.
#pragma once

#include <string>

namespace fx {

/// What torch.ops.load_library does: loads it into the process for good, once. To be called before a graph
/// that uses its operators is opened. Throws an Error for a file that is not there or does not load.
void loadOperatorLibrary(const std::string& path);

} // namespace fx
