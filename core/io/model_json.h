// SPDX-License-Identifier: GPL-3.0-or-later
// A model as JSON, all but the data of its tensors: what .fxg holds, and what one process tells another.
// Modules and tensors are tables with indices, so that what is shared stays shared.
#pragma once

#include "core/base/progress.h"
#include "core/io/json.h"
#include "core/io/opened_model.h"
#include "core/module/edit.h"

#include <vector>

namespace fx {

struct ModelJson {
    Json json;
    std::vector<TensorId> tensors; ///< in the order of their indices
};

ModelJson modelJson(const OpenedModel& opened, Progress& progress);

/// The tensors of the table, made with `edit`, one for each of its rows.
using TensorReader = std::function<std::vector<TensorId>(const JsonDocument& json, Edit& edit)>;
/// Model, symbols, notes and sources. Nothing is believed: an index, a name or a circle of modules that
/// cannot be is an error.
OpenedModel modelFromJson(const JsonDocument& json, const TensorReader& readTensors, Progress& progress);

/// The ranges of symbols by name; and back.
Json symbolsJson(const std::map<std::string, SymbolRange>& symbols);
std::map<std::string, SymbolRange> symbolsFromJson(const JsonDocument& json, const Json& symbols);

/// The source that the model keeps, as a list; and back.
Json sourcesJson(const Model& model);
std::vector<SourceText> sourcesFromJson(const JsonDocument& json, const Json& list);

} // namespace fx
