// SPDX-License-Identifier: GPL-3.0-or-later
// A model for a worker to run, and the edits that it follows: the same ids on both ends. Tensors that lie in
// a file are named by their place there.
#pragma once

#include "core/io/json.h"
#include "core/io/opened_model.h"
#include "core/module/follow.h"
#include "core/process/wire.h"
#include "core/session/tensor_message.h"

namespace fx {

/// What a run needs of the model: all but notes, layout and examples.
Message replicaMessage(const OpenedModel& model);
/// Nothing is believed.
OpenedModel replicaFrom(const Message& message);

Message updateMessage(const ModelUpdate& update, FileMemoryUse use = FileMemoryUse::Read);
/// Throws an Error for what is no update. Whether it is one of the model, follow() says.
ModelUpdate updateFrom(const Message& message, FileMemoryUse use = FileMemoryUse::Read);
/// Throws an Error, with the model as it was, for what is no update of it.
void followUpdate(Model& model, const Message& message);

/// The examples that were saved with the model; none where they cannot be read, and values are made instead.
std::optional<Message> examplesMessage(const OpenedModel& model);
void takeExamples(OpenedModel& model, const Message& message);

/// An update as part of a message, its tensors in the file of that.
void putWire(WireWriter& writer, const ModelUpdate& update);
void getWire(WireReader& reader, ModelUpdate& update);

} // namespace fx
