// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script_object_module.h"

#include "core/torch/values/script_objects.h"

namespace fx {

ModuleId addScriptObject(Edit& edit, const Value& object,
                         const std::function<TensorId(const Value& tensor)>& tensorOf,
                         const std::function<ModuleId(const Value& object)>& moduleOf) {
    ScriptObjectParts parts = scriptObjectParts(object);
    const ModuleId made = edit.createModule(parts.type);
    Module contents;
    contents.type = std::move(parts.type);
    for (const auto& [name, value] : parts.tensors)
        contents.tensors.push_back({name, tensorOf(value), TensorRole::Constant});
    for (const auto& [name, value] : parts.objects)
        contents.children.push_back({name, moduleOf(value)});
    contents.values.push_back({"state", std::move(parts.state)});
    edit.fillModule(made, std::move(contents));
    return made;
}

} // namespace fx
