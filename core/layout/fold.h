// SPDX-License-Identifier: GPL-3.0-or-later
// A level that is far higher than wide is cut between rows into columns side by side, so that all of it can
// be seen at once. Wires go on from the foot of a column through a lane of their own to the head of the next.
#pragma once

#include "core/layout/level.h"

namespace fx {

/// The layout itself where it is not long, or has wires that lead upwards.
LevelLayout folded(const Level& level, LevelLayout layout);

} // namespace fx
