// SPDX-License-Identifier: GPL-3.0-or-later
// Has a pass that could be added, and one that could not: neither is.
#include "core/plugins/plugin.h"

FXSCOPE_PLUGIN(registry) {
    const auto nothing = [](fx::Edit&, const fx::PassOptions&, fx::PassContext&) {};
    registry.passes.push_back({"sound", "Sound", "do nothing", fx::kAnyDialect, {}, nothing});
    registry.passes.push_back({"dead-code", "Clash", "do nothing", fx::kAnyDialect, {}, nothing});
}
