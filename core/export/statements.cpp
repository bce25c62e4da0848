// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/statements.h"

#include "core/base/text.h"
#include "core/codegen/written_names.h"
#include "core/torch/values/script_objects.h"

namespace fx {

namespace {

/// Whether `object.name` means the attribute in the body of a class too, which mangles __name.
bool isPlainName(std::string_view name) {
    return isWrittenBare(name) && !name.starts_with("__");
}

} // namespace

std::string joinedPath(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + '.' + name;
}

TreePlace TreePlace::below(const std::string& name) const {
    return {attributeExpression(object, name), joinedPath(path, name)};
}

std::string assignment(const std::string& object, const std::string& name, const std::string& value) {
    return isPlainName(name) ? object + '.' + name + " = " + value
                             : "setattr(" + object + ", " + pythonRepr(name) + ", " + value + ')';
}

std::string deletion(const std::string& object, const std::string& name) {
    return isPlainName(name) ? "del " + object + '.' + name
                             : "delattr(" + object + ", " + pythonRepr(name) + ')';
}

std::string childAssignment(const Model& model, const TreePlace& owner, const NamedModule& child,
                            const std::string& value) {
    if (isPlainName(child.name) || isScriptClass(model.module(child.module).type))
        return assignment(owner.object, child.name, value);
    return owner.object + ".add_module(" + pythonRepr(child.name) + ", " + value + ')';
}

} // namespace fx
