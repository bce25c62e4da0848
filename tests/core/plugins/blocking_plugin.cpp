// SPDX-License-Identifier: GPL-3.0-or-later
// Never returns from being loaded.
#include <unistd.h>

namespace {

struct Blocking {
    Blocking() {
        while (true)
            ::pause();
    }
} blocking;

} // namespace

extern "C" const char* fxscope_plugin(void*) {
    return "";
}
