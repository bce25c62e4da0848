// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at the file of a plugin before anything of it is loaded.
#pragma once

#include <string>

namespace fx {

/// Throws an Error without a place unless the file is a regular one, and a shared library for this machine
/// that is whole and exports `function`. Never blocks.
void requirePluginFile(const std::string& path, const std::string& function);

} // namespace fx
