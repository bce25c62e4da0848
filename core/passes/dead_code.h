// SPDX-License-Identifier: GPL-3.0-or-later
// Removes nodes whose value nobody reads, in the current graph of the edit and the nested graphs that it
// reads. A node with a lasting effect stays; core/torch/bind/purity.h says which those are.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

/// Throws where the graph is not sound. True if something was removed.
bool removeDeadCode(Edit& edit);
/// The same as a pass.
void runDeadCode(Edit& edit, const PassOptions&, PassContext&);

} // namespace fx
