// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments and metadata as JSON, and back. Plain values are plain JSON; the rest is an object with one key
// that says what it is: {"dtype": "float32"}. A node is its index in the graph.
#pragma once

#include "core/io/json.h"
#include "core/ir/meta.h"
#include "core/ir/tree_spec.h"

#include <functional>

namespace fx {

Json toJson(const Argument& argument, const std::function<int64_t(NodeId)>& indexOf);
Argument argumentFromJson(const JsonDocument& json, const Json& value,
                          const std::function<NodeId(int64_t)>& nodeAt);

Json toJson(const MetaValue& value, const std::function<int64_t(NodeId)>& indexOf);
MetaValue metaFromJson(const JsonDocument& json, const Json& value,
                       const std::function<NodeId(int64_t)>& nodeAt);

Json toJson(const ValueMeta& value);
ValueMeta valueMetaFromJson(const JsonDocument& json, const Json& value);

Json toJson(const Signature& signature);
Signature signatureFromJson(const JsonDocument& json, const Json& value);

} // namespace fx
