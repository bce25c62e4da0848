// SPDX-License-Identifier: GPL-3.0-or-later
// Generated code as lines to be compared.
#pragma once

#include "core/module/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// A line without what frees values, which changes with whoever reads them last.
std::string_view withoutRelease(std::string_view line);
/// The code of a module's graph (python_code.h) by such lines.
std::vector<std::string> statementLines(const Model& model, ModuleId module);

} // namespace fx
