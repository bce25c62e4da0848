// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of a CSV file.
#pragma once

#include "core/io/json.h"

namespace fx {

/// A number in as few digits as say which it is; nothing of a null; a text quoted where it must be, and such
/// that no spreadsheet takes it for a formula.
std::string csvField(const Json& value);

} // namespace fx
