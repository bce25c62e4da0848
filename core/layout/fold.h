// SPDX-License-Identifier: GPL-3.0-or-later
// A level that is higher than a column of the picture is cut between rows into columns side by side, so that
// all of it can be seen at once. Wires go on from the foot of a column through a lane of their own to the
// head of the next.
#pragma once

#include "core/layout/level.h"

namespace fx {

/// The layout itself where it is not much higher than `columnHeight`, has an item that is
/// higher, or has wires that lead upwards.
LevelLayout folded(const Level& level, LevelLayout layout, double columnHeight);

} // namespace fx
