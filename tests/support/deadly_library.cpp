// SPDX-License-Identifier: GPL-3.0-or-later
// A library that no process survives loading.
#include <cstdlib>

namespace {

[[gnu::constructor]] void load() {
    std::abort();
}

} // namespace
