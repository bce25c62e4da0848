// SPDX-License-Identifier: GPL-3.0-or-later
// What dot has decided, read from its own notes: the rank of each box, and where wires pass the ranks between
// their ends. Its curves are not taken, as each is fitted by itself and they overlap.
#pragma once

#include "core/layout/wire_rows.h"

#include <graphviz/gvc.h>

namespace fx {

/// A wire of two points, straight and beside all else, with its ends where entries and exits are. dot moves
/// boxes to the origin and not its notes of wires: this one tells how far.
struct Plumb {
    Agnode_t *top = nullptr, *bottom = nullptr;
    Agedge_t* edge = nullptr; ///< none where no wire passes a rank
};

/// To be called before the layout, after all else was added.
Plumb addPlumb(Agraph_t* graph, const Level& level);

/// To be called after it.
RowOrder rowsOf(Agraph_t* graph, const Level& level, const std::vector<Agnode_t*>& nodes,
                const std::vector<Agedge_t*>& edges, const Plumb& plumb);

} // namespace fx
