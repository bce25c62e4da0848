// SPDX-License-Identifier: GPL-3.0-or-later
// What Graphviz's dot makes of a diagram by itself: the same boxes and wires, scopes as its clusters.
#pragma once

#include "core/layout/diagram.h"

namespace fx {

void placeByPlainDot(Diagram& diagram);

} // namespace fx
