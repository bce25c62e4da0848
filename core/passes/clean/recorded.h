// SPDX-License-Identifier: GPL-3.0-or-later
// What is noted on nodes: asked for, and handed to a node that takes the place of another.
#pragma once

#include "core/module/edit.h"

namespace fx {

/// What is known of the tensor that a node gives; null where that is not known, or no tensor.
const TensorMeta* recordedTensor(const Node& node);
/// The module and the source line that a node belongs to.
void copyPlace(Edit& edit, NodeId from, NodeId to);
/// What is known of its value.
void copyRecorded(Edit& edit, NodeId from, NodeId to);

} // namespace fx
