// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with the headers of another version.
#include <torch/version.h>
#undef TORCH_VERSION
#define TORCH_VERSION "0.0"
#include "core/plugins/plugin.h"

FXSCOPE_PLUGIN(registry) {
    registry.passes.push_back(
        {"foreign", "Foreign", "do nothing", fx::kAnyDialect, {}, [](auto&, auto&, auto&) {}});
}
