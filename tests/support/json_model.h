// SPDX-License-Identifier: GPL-3.0-or-later
// Models that an oracle describes node by node in JSON (tests/oracle/make_replaces.py, module_json).
#pragma once

#include "core/io/json.h"
#include "core/module/model.h"

namespace fx {

/// The model with its nodes made in order, each with its name as a wish. Tensors are zeros.
Model modelFromJson(const Json& description);
/// A value without nodes.
Argument literalFromJson(const Json& value);

/// The modules, tensors and values below the root, in the order and with the words of the description.
Json treeJson(const Model& model);

} // namespace fx
