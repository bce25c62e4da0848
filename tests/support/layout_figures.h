// SPDX-License-Identifier: GPL-3.0-or-later
// What one sees of a placed diagram, in numbers: how straight its longest path is, how its wires bend, cross
// and run through boxes, and how much room it takes.
#pragma once

#include "core/layout/box_text.h"

namespace fx {

struct LayoutFigures {
    size_t nodes = 0; ///< boxes of the longest path
    double drift = 0; ///< how far its boxes are from one vertical line, in box widths
    size_t wires = 0;
    size_t bends = 0;     ///< turns of more than 10 degrees to one side
    size_t corners = 0;   ///< places where a wire changes its direction at once
    size_t crossings = 0; ///< of wires of different values
    size_t through = 0;   ///< wires that run through a box
    double area = 0;      ///< in 1000 square pixels
};

LayoutFigures figuresOf(const Diagram& diagram);

/// The diagram of a graph with boxes of about the size that their texts need, not placed yet. `mostBoxes`:
/// how many scopes are open; 0: all.
Diagram measuredDiagram(const Graph& graph, size_t mostBoxes, bool showsWeights);

/// A decoder of equal blocks with attention, a mask that all of them read, and weights as nodes.
Model decoder(int blocks);

} // namespace fx
