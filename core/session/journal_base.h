// SPDX-License-Identifier: GPL-3.0-or-later
// What the edits of a journal begin with, as its first record, and the model that it stands for.
#pragma once

#include "core/io/json.h"
#include "core/session/journal.h"

namespace fx {

/// contentVersion() of what is not there.
inline constexpr const char* kMissing = "missing";

/// Tensors that no file holds, with their data.
Json keptTensorsJson(const std::vector<TensorSlot>& tensors);
std::vector<TensorSlot> keptTensorsFrom(const JsonDocument& json, const Json& value);

std::string baseRecord(const JournalBase& base);
/// Throws an Error for what is none. `place`: the journal.
JournalBase baseFromRecord(const std::string& record, const std::string& place);
/// The model that the edits began with, of the one that was opened now. Throws an Error where that is
/// another.
Model baseModel(const JournalBase& base, const Model& opened);

} // namespace fx
