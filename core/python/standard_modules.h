// SPDX-License-Identifier: GPL-3.0-or-later
// Which modules Python itself brings and the library (core/python/library) does not: an import of one
// succeeds in Python, so it gives a stand-in here, where a program handles imports that fail, too.
#pragma once

#include <string_view>

namespace fx {

bool isStandardModule(std::string_view name);

} // namespace fx
