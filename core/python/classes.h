// SPDX-License-Identifier: GPL-3.0-or-later
// What a class is, its instances, and who is an instance of it. class_building.h makes those of Python
// source.
#pragma once

#include "core/python/value.h"

#include <array>
#include <functional>
#include <optional>
#include <string>

namespace fx {

/// Finds members of instances that their dicts have not. None: there is none of that name.
class InstanceMembers {
public:
    virtual ~InstanceMembers() = default;
    virtual std::optional<Value> find(Evaluator&, const Value& instance, const TextKey& name) = 0;
};

/// A class: of Python source or builtin.
struct ClassData {
    std::string name, qualifiedName, module;
    Values bases;
    Values mro;      ///< the classes after this one, in method resolution order
    Value dict;      ///< a DictObject
    Value metaclass; ///< a ClassObject, or None for `type`
    /// Of a builtin type: makes an instance of `type`, which is the builtin class itself or a subclass of it.
    std::function<Value(Evaluator&, const Value& type, Values& args, NamedValues& kwargs)> construct;
    /// Of a builtin type: what is read off it beside its dict, such as the many methods of Tensor.
    std::function<std::optional<Value>(const std::string& name)> unlisted;
    const ClassData* payload =
        nullptr; ///< the builtin class whose value an instance wraps: list, dict, str ...
    bool isBuiltin = false;
    /// Of a builtin type whose instances begin empty: an __init__ of a subclass takes all arguments.
    bool isFilledByInit = false;
    /// Of torch.nn.Module and its subclasses: who finds what their own __getattr__ looks for.
    InstanceMembers* members = nullptr;
    bool isModule() const { return members; }

    const Value* own(const TextKey& name) const { return dict.as<DictObject>()->find(name); }
    /// Along the method resolution order; null if there is none. Remembers what it has found, which holds
    /// while no name comes to the classes that were searched, and none goes.
    const Value* find(const TextKey& name) const;
    bool isSubclassOf(const ClassData* other) const;
    /// Adds a method of a builtin type. The first of `args` is self.
    void add(std::string name, NativeObject::Call call);
    void addStatic(std::string name, NativeObject::Call call);
    void addClassMethod(std::string name, NativeObject::Call call);
    void addProperty(std::string name, NativeObject::Call getter);
    /// A class has this one among its bases.
    void addHeir(const Value& type);
    /// Those that are still alive, in the order in which they were made: `__subclasses__()`.
    Values heirs() const;

private:
    struct Finding {
        std::string name;
        uint64_t moves = 0; ///< DictObject::moves() then, and 1
        const Value* value = nullptr;
    };
    mutable std::array<Finding, 32> m_findings; ///< by hash; the latest takes the place
    std::vector<c10::weak_intrusive_ptr<Object>> m_heirs;
};

/// The C3 linearization of a class with these bases: what comes after it, each class before its bases, bases
/// in their order.
Values linearize(const Values& bases);

/// object.__new__(type): an instance without __init__ having run; `payload` for subclasses of builtin types.
Value makeInstance(const Value& type, Value payload = {});
bool isInstance(Evaluator& evaluator, const Value& value, const Value& classOrTuple);
bool isSubclass(Evaluator& evaluator, const Value& type, const Value& classOrTuple);

} // namespace fx
