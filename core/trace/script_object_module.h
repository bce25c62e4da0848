// SPDX-License-Identifier: GPL-3.0-or-later
// An object of a torch.classes class as a module of the model (core/torch/values/script_objects.h).
#pragma once

#include "core/module/edit.h"
#include "core/python/value.h"

#include <functional>

namespace fx {

/// Adds a module with the parts of the object. `tensorOf` and `moduleOf` add a tensor and an object in it.
ModuleId addScriptObject(Edit& edit, const Value& object,
                         const std::function<TensorId(const Value& tensor)>& tensorOf,
                         const std::function<ModuleId(const Value& object)>& moduleOf);

} // namespace fx
