// SPDX-License-Identifier: GPL-3.0-or-later
// An opened model from one process to another.
#pragma once

#include "core/io/opened_model.h"
#include "core/process/channel.h"

namespace fx {

/// The model, but for the examples and the layout that were saved with it. `data`: takes the tensors.
Message modelMessage(const OpenedModel& model, std::shared_ptr<const Descriptor> data);
/// Nothing of the message is believed. `path`: what was opened.
OpenedModel modelFrom(const Message& message, const std::string& path);

} // namespace fx
