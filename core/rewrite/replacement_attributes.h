// SPDX-License-Identifier: GPL-3.0-or-later
// Brings the modules and tensors along that a replacement's nodes name. Only replace_pattern.h and
// decompose.h use it.
#pragma once

#include "core/module/edit.h"

namespace fx {

/// Deletes submodules that nothing uses, then copies what the graph names and only `source` has. Throws where
/// neither has it, and where either graph is not sound.
void takeOverAttributes(Edit& edit, const Model& source);
/// Copies the tensors and values that `nodes` read, `source` has and the model lacks.
void takeOverConstants(Edit& edit, const Model& source, const std::vector<NodeId>& nodes);

/// Copies one tensor or value of `source` to a path that the model does not have yet, and gives that path:
/// the same if it is free.
std::string copyConstant(Edit& edit, const Model& source, const std::string& path);

} // namespace fx
