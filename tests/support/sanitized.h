// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <dlfcn.h>

namespace fx {

/// Whether core runs under the address sanitizer (`ctest --preset asan`), whose frames are larger, and which
/// maps terabytes for its shadow.
inline bool isSanitized() {
    return ::dlsym(RTLD_DEFAULT, "__asan_init") != nullptr;
}

} // namespace fx
