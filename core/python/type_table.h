// SPDX-License-Identifier: GPL-3.0-or-later
// The classes that an evaluator knows by name, the builtins, and which class each value has.
#pragma once

#include "core/python/classes.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fx {

class Hosts;

class TypeTable {
public:
    /// The hosts say which class their values have.
    explicit TypeTable(const Hosts& hosts) : m_hosts(hosts), m_builtins(Object{DictObject()}) {}
    /// Empties all classes, as they refer to themselves.
    void clear();

    /// Makes a builtin class, and registers it among the builtins.
    ClassData& add(const std::string& name, const std::string& base = "object");
    void addBuiltin(const std::string& name, NativeObject::Call call);
    DictObject& builtins() { return *m_builtins.as<DictObject>(); }
    /// A class of the program, which is to be emptied at the end.
    void addOwn(const std::shared_ptr<ClassData>& data) { m_ownClasses.push_back(data); }

    /// A builtin class by name: "int", "ValueError".
    Value named(std::string_view name) const;
    /// type(value): a ClassObject.
    Value of(const Value& value);
    /// What a class is, or the class of a value.
    ClassData& classOf(const Value& value);

private:
    const Hosts& m_hosts;
    Value m_builtins; ///< a DictObject
    std::unordered_map<std::string, Value> m_types;
    std::vector<Value> m_kindTypes; ///< the class of each kind of object, found once
    std::vector<std::weak_ptr<ClassData>> m_ownClasses;
};

} // namespace fx
