// SPDX-License-Identifier: GPL-3.0-or-later
// The graphs of a .pt2: every node, argument kind and nested graph of the schema, named as torch.export.load
// names them. The result is the lifted graph; pt2_unlift.h turns it into the module.
#pragma once

#include "core/base/progress.h"
#include "core/io/json.h"
#include "core/io/pt2/pt2_signature.h"
#include "core/module/edit.h"

#include <vector>

namespace fx {

/// Reads `graph` into the current module of the edit. `notes` gains what was not understood.
void readPt2Graph(const JsonDocument& json, const Json& graph, const Pt2Signature& signature, Edit& edit,
                  std::vector<std::string>& notes, Progress& progress);

} // namespace fx
