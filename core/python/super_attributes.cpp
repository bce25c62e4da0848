// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/super_attributes.h"

#include "core/python/attributes.h"
#include "core/python/evaluator.h"

namespace fx {

namespace {

/// Of a metaclass, the class is an instance.
bool isOnClass(const SuperObject& super) {
    const auto* type = super.self.as<ClassObject>();
    return type && type->data->isSubclassOf(super.type.as<ClassObject>()->data.get());
}

/// What stands under a name in the classes after that of super().
const Value* findBehind(const SuperObject& super, const ClassData& ofSelf, const TextKey& name) {
    const ClassData* after = super.type.as<ClassObject>()->data.get();
    bool isPast = &ofSelf == after;
    for (const Value& next : ofSelf.mro) {
        const ClassData& candidate = *next.as<ClassObject>()->data;
        if (isPast)
            if (const Value* found = candidate.own(name))
                return found;
        isPast = isPast || &candidate == after;
    }
    return nullptr;
}

} // namespace

std::optional<Value> findOnSuper(Evaluator& evaluator, const Value& object, const std::string& name) {
    const SuperObject& super = *object.as<SuperObject>();
    if (name == "__class__")
        return evaluator.type("super");
    const bool isType = isOnClass(super);
    const Value type = isType ? super.self : evaluator.typeOf(super.self);
    const Value* found = findBehind(super, *type.as<ClassObject>()->data, name);
    if (!found)
        return std::nullopt;
    if (isType && found->as<DefinedObject>())
        return *found;
    if (name == "__new__" && found->as<NativeObject>())
        return *found;
    return bindAttribute(evaluator, *found, super.self, type);
}

std::optional<Value> methodOfSuper(Evaluator& evaluator, Value& object, const std::string& name) {
    const SuperObject& super = *object.as<SuperObject>();
    if (isOnClass(super))
        return std::nullopt;
    const Value type = evaluator.typeOf(super.self);
    const Value* found = findBehind(super, *type.as<ClassObject>()->data, name);
    if (!found || !found->as<DefinedObject>())
        return std::nullopt;
    Value method = *found;
    object = Value(super.self);
    return method;
}

} // namespace fx
