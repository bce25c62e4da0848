// SPDX-License-Identifier: GPL-3.0-or-later
extern "C" const char* fxscope_plugin(void*) {
    return "0 (PyTorch 1.0)";
}
