// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/dunders.h"

#include "core/python/evaluator.h"

namespace fx {

bool hasDunders(const Value& value) {
    if (value.as<InstanceObject>())
        return true;
    const auto* type = value.as<ClassObject>();
    return type && !type->data->metaclass.isNone();
}

std::optional<Value> callDunder(Evaluator& evaluator, const Value& self, std::string_view name, Values args) {
    const Value type = evaluator.typeOf(self);
    const Value* found = evaluator.classOf(type).find(name);
    if (!found || found->isNone())
        return std::nullopt;
    const auto* native = found->as<NativeObject>();
    if (native && native->name.starts_with("object."))
        return std::nullopt;
    const Value held = *found;
    if (held.as<DefinedObject>() || (native && native->bindsSelf)) {
        args.insert(args.begin(), self);
        return evaluator.call(held, std::move(args));
    }
    return evaluator.call(bindAttribute(evaluator, held, self, type), std::move(args));
}

} // namespace fx
