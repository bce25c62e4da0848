// SPDX-License-Identifier: GPL-3.0-or-later
// A lifted graph as the schema of .pt2 has it, with the graphs nested in it. Calls that give several values
// take the names of the operator.getitem nodes that read them, which the schema leaves out.
#pragma once

#include "core/base/progress.h"
#include "core/io/json.h"
#include "core/io/pt2/pt2_record.h"
#include "core/module/model.h"

namespace fx {

/// Each node of it has its ValueMeta, and no two read the same item of one value. Throws an Error that names
/// the node for what the schema has no place for.
Json pt2GraphJson(const Model& model, ModuleId module, const Pt2Record& record, Progress& progress);

/// An argument of the signature that stands for a node, or for a constant.
Json pt2ArgumentJson(const Model& model, const Argument& argument);

} // namespace fx
