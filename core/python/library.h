// SPDX-License-Identifier: GPL-3.0-or-later
// The modules of Python's standard library as text of our own, built into the program.
#pragma once

#include <string_view>

namespace fx {

/// The text of "functools.py" or "collections/__init__.py"; data() is null where there is none.
std::string_view librarySource(std::string_view path);

} // namespace fx
