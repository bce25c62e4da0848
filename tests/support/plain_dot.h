// SPDX-License-Identifier: GPL-3.0-or-later
// What Graphviz's dot makes of a diagram by itself: the same boxes and wires, scopes as its clusters.
#pragma once

#include "tests/support/layout_figures.h"

namespace fx {

void placeByPlainDot(Diagram& diagram);

/// What one sees of the boxes of a diagram, placed as the program does and by plain dot.
struct BesideDot {
    LayoutFigures ours, dot;
};
BesideDot besideDot(const Diagram& diagram);

} // namespace fx
