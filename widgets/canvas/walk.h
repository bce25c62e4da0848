// SPDX-License-Identifier: GPL-3.0-or-later
// Where the arrow keys lead: up to what a box reads, down to its readers, sideways to its neighbours.
#pragma once

#include "widgets/canvas/canvas_geometry.h"

namespace fx::ui {

enum class WalkDirection { Up, Down, Left, Right };

/// The box to go to, or -1. A stub is passed through to what it stands for.
int walk(const CanvasGeometry& geometry, int from, WalkDirection direction);

} // namespace fx::ui
