// SPDX-License-Identifier: GPL-3.0-or-later
// Models and their edits as JSON in which every id is kept, for replicas in other processes and for journals
// on disk. Beside the data of tensors, which whoever sends adds. core/module/follow.h checks what the parts
// mean; here it is checked what they are. Written as CBOR (cborBytes) strings that are no UTF-8 survive. .fxg
// is another matter (model_json.h): what is in a graph, and nothing of how it came about.
#pragma once

#include "core/io/json.h"
#include "core/module/follow.h"

namespace fx {

/// All of a model: modules and nodes that are gone, and which names will be granted next, too.
Json snapshotJson(const Model& model);
/// `tensors`: all those of the model, by their ids. Throws an Error for what cannot be.
Model modelFromSnapshot(const JsonDocument& json, const Json& snapshot, std::vector<TensorSlot> tensors);

/// All of an update but its tensors.
Json updateJson(const ModelUpdate& update);
/// `tensors`: those of the update. Throws an Error for what is no update; follow() whether it fits.
ModelUpdate updateFromJson(const JsonDocument& json, const Json& value, std::vector<TensorSlot> tensors);

} // namespace fx
