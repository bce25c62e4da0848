// SPDX-License-Identifier: GPL-3.0-or-later
// Whether opening a file evaluates code that comes with it.
#pragma once

#include "core/base/error.h"
#include "core/open/open.h"

namespace fx {

/// False if the file cannot be opened.
inline bool evaluatesCode(const std::string& path) {
    try {
        Progress progress;
        return !openData(path, {}, progress);
    } catch (const Error&) {
        return false;
    }
}

} // namespace fx
