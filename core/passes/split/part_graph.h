// SPDX-License-Identifier: GPL-3.0-or-later
// One part as a module with a graph. part_writer.h puts the calls of the parts together.
#pragma once

#include "core/passes/split/part_writer.h"

namespace fx {

/// Whether the part has a node of its own for what this one reads, and is not given it: a module, which is no
/// value, or with that form any attribute.
bool isOwnRead(const Model& model, ModuleId home, const PartForm& form, const Node& node);

/// Makes the module of the part. The edit stays where it is.
ModuleId makePart(Edit& edit, const PartForm& form, const Part& part);

} // namespace fx
