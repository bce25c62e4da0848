// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that are made piece by piece, within the memory that a program may take.
#pragma once

#include "core/python/evaluator.h"

#include <string>
#include <string_view>

namespace fx {

/// Appends to a text. Throws an Error where the program may not take what the text needs.
void appendPart(Evaluator& evaluator, std::string& out, std::string_view part);

} // namespace fx
