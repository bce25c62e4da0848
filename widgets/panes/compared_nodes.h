// SPDX-License-Identifier: GPL-3.0-or-later
// What a comparison says of the nodes of one side, for the colours of its canvas.
#pragma once

#include "core/session/compare_answer.h"
#include "widgets/canvas/box_states.h"

#include <vector>

namespace fx::ui {

/// `side`: &CompareRow::a or &CompareRow::b.
NodeDifferences differencesOf(const std::vector<CompareRow>& rows, NodeId CompareRow::*side);

} // namespace fx::ui
