// SPDX-License-Identifier: GPL-3.0-or-later
// The modules of torch whose text is read from the PyTorch package that LibTorch belongs to.
#pragma once

#include <string_view>

namespace fx {

/// The text of "torch/fx/passes/split_module.py", which lives as long as the program; data() is null for a
/// path that is not in the list. Throws Error where the package has no such file, as in a LibTorch without
/// Python.
std::string_view installedText(std::string_view path);

} // namespace fx
