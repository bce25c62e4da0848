// SPDX-License-Identifier: GPL-3.0-or-later
// Shared libraries that register operators with LibTorch's dispatcher, as TORCH_LIBRARY does when they load.
#pragma once

#include <string>
#include <vector>

namespace fx {

/// What torch.ops.load_library does: loads it into the process for good, once. To be called before a graph
/// that uses its operators is opened. Throws an Error for a file that is not there or does not load.
void loadOperatorLibrary(const std::string& path);
/// The whole paths of those that this process has loaded, in their order.
std::vector<std::string> loadedOperatorLibraries();

} // namespace fx
