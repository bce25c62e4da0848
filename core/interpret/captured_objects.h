// SPDX-License-Identifier: GPL-3.0-or-later
// What the hooks of modules refer to, made again: the other half of core/trace/captured_values.h, which has
// the list of forms.
#pragma once

#include "core/ir/argument.h"
#include "core/python/evaluator.h"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

namespace fx {

/// Objects by their number in the model, so that all hooks of a run share them.
using CapturedObjects = std::unordered_map<int64_t, Value>;

struct CapturedPlaces {
    /// What "net.Config" names in the model's sources.
    std::function<std::optional<Value>(const std::string& name)> findName;
    /// A module of the model by its path; none where there is none.
    std::function<std::optional<Value>(const std::string& path)> module;
    /// A tensor of the module that has the hook, as a Parameter or not.
    std::function<std::optional<Value>(const std::string& name, bool isParameter)> tensor;
    /// An object whose content is with a hook of another module; none where no module has it.
    std::function<std::optional<Value>(int64_t number)> shared;
};

/// Throws an Error for what cannot be made here.
Value restoredObject(Evaluator& evaluator, const Argument& value, const CapturedPlaces& places,
                     CapturedObjects& objects);

} // namespace fx
