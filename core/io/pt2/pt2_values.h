// SPDX-License-Identifier: GPL-3.0-or-later
// The description of each value of a graph, which a .pt2 has to have: those recorded where they are still
// true, others worked out.
#pragma once

#include "core/base/progress.h"
#include "core/io/opened_model.h"
#include "core/io/pt2/pt2_record.h"

namespace fx {

/// Gives each node of a lifted model its ValueMeta. Throws an Error that names the node where one cannot be
/// known. `record` gains the formulas that were found.
void completeValues(Model& lifted, const OpenedModel& opened, Pt2Record& record, Progress& progress);

} // namespace fx
