// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns and replacements as Python text. From files they come through core/open/open.h, as any model does.
#pragma once

#include "core/module/model.h"

#include <string>

namespace fx {

/// Traces a lambda or a `def`. The text may use torch, F (torch.nn.functional), aten (torch.ops.aten), math
/// and operator. Errors name `place` instead of a file.
Model tracePatternText(const std::string& text, const std::string& place);

} // namespace fx
