// SPDX-License-Identifier: GPL-3.0-or-later
// A layout in about linear time, for the first picture and for what Graphviz cannot do: ranks by the longest
// way from the inputs, the trunk straight, others at its sides by what they read. Wires run between rows, and
// beside them where they pass several. No crossings are minimised.
#pragma once

#include "core/layout/level.h"

namespace fx {

LevelLayout layoutLinearly(const Level& level);

} // namespace fx
