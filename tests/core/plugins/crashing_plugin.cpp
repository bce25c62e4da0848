// SPDX-License-Identifier: GPL-3.0-or-later
// Ends the process that loads it.
#include <cstdlib>

namespace {

struct Crashing {
    Crashing() { std::abort(); }
} crashing;

} // namespace

extern "C" const char* fxscope_plugin(void*) {
    return "";
}
