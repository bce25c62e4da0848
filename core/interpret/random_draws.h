// SPDX-License-Identifier: GPL-3.0-or-later
// Which nodes may draw random numbers. Decided when a Program is built, so that a run that can be taken back
// looks at the generators only after those.
#pragma once

#include "core/interpret/program.h"

namespace fx {

/// False only where it is certain: what runs from a text, what calls graphs and what nothing is known of may
/// draw.
bool mayDrawRandomNumbers(const Model& model, ModuleId module, const Instruction& instruction,
                          const Node& node);
/// PyTorch's own operators say so by a tag, and nearly all that miss the tag take a generator or a rate. What
/// others have registered says nothing.
bool mayDrawRandomNumbers(const TorchOperator& op);

} // namespace fx
