// SPDX-License-Identifier: GPL-3.0-or-later
// What backends support of which no table of targets says enough.
#pragma once

#include "core/passes/split/operator_support.h"

#include <string>

namespace fx {

/// Which calls of the graph are refused by "torchscript", what our writer of it has no form for;
/// "aotinductor", what AOTInductor has nothing for; or a file (core/open/support_file.h).
Refusals refusalsBy(const std::string& name, const Model& model, ModuleId module);

} // namespace fx
