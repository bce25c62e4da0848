// SPDX-License-Identifier: GPL-3.0-or-later
// Objects of classes that operators define in C++ (torch.classes), such as the packed weights of quantized
// layers. A model holds one as a module of the class's name, with the tensors of its state; it is made again
// when a run needs it, so opening a file makes none. A torch.Generator is held in the same way.
#pragma once

#include "core/python/value.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// What a module of a model holds in the place of such an object.
struct ScriptObjectParts {
    std::string type; ///< "torch.classes.quantized.LinearPackedParamsBase"
    std::vector<std::pair<std::string, Value>> tensors, objects;
    Argument state; ///< what __getstate__ gives, where {"tensor": name} and {"object": name} stand for those
};

/// Whether the class of a module is one of those.
bool isScriptClass(std::string_view moduleType);
/// An object, or the record of one that a pickle has (torch.ScriptObject in core/torch/library).
bool isScriptObject(const Value& value);
/// Its address: of the object itself, however it is held.
const void* scriptObjectIdentity(const Value& object);
ScriptObjectParts scriptObjectParts(const Value& object);

/// Made from its parts. Throws for a class that is not known here, and for a state that does not fit it.
Value makeScriptObject(const std::string& type, const Argument& state,
                       const std::function<Value(const std::string& name)>& part);

} // namespace fx
