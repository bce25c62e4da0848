// SPDX-License-Identifier: GPL-3.0-or-later
// A layout in linear time, for the first picture and for what Graphviz cannot do: ranks by the longest way
// from the inputs, neighbours in the order of their producers. No crossings are minimised.
#pragma once

#include "core/layout/level.h"

namespace fx {

LevelLayout layoutLinearly(const Level& level);

} // namespace fx
