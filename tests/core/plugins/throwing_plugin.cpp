// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdexcept>

extern "C" const char* fxscope_plugin(void*) {
    throw std::runtime_error("there is no licence");
}
