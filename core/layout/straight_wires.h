// SPDX-License-Identifier: GPL-3.0-or-later
// Wires that pass several rows keep to one line for as long as there is room, between the same neighbours.
#pragma once

#include "core/layout/wire_rows.h"

namespace fx {

/// By edge, where it passes each row between its ends, as `order` has it, with fewer turns. What stands left
/// of a wire in a row stays left of it.
std::vector<std::vector<double>> straightened(const Level& level, const RowOrder& order);

} // namespace fx
