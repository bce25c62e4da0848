// SPDX-License-Identifier: GPL-3.0-or-later
// What has to be computed earlier so that a node can read another one that comes after it.
#pragma once

#include "core/module/edit.h"

#include <string>
#include <vector>

namespace fx {

struct Reordering {
    std::vector<NodeId> moved; ///< to before the reader, in their order; empty where all comes before it
    std::string fault;         ///< why it cannot be; then nothing is moved
};

/// The producer, and those it depends on, as far as they come after the reader. It cannot be where the
/// producer depends on the reader, or where a node between the two may write into what others read.
Reordering reorderingFor(const Model& model, ModuleId module, NodeId reader, NodeId producer);
/// Does it. Throws the fault as an Error.
void letPrecede(Edit& edit, NodeId producer, NodeId reader);

} // namespace fx
