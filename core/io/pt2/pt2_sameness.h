// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a .pt2 that was just written is the program that was meant.
#pragma once

#include "core/base/progress.h"
#include "core/io/pt2/pt2_lift.h"

#include <string>

namespace fx {

/// Opens the file and throws an Error where its graph, a nested one or a tensor is another.
void requireSameProgram(const LiftedProgram& program, const std::string& file, Progress& progress);

} // namespace fx
