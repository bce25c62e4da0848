// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of the user's cache that holds what `lower` has compiled (compiled_parts.h).
#pragma once

#include <string>

namespace fx {

/// Throws an Error if neither HOME nor XDG_CACHE_HOME is set.
std::string compiledPackageFolder();

} // namespace fx
