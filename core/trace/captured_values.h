// SPDX-License-Identifier: GPL-3.0-or-later
// What a hook of a module refers to, in the form in which a model holds it: functions without a name that
// leads to them (lambdas, functions within functions), bound methods, objects with their fields, and what
// several of them share. core/interpret/captured_objects.h makes them again.
//
// What Argument has no kind for is a NamedTupleValue of one of these types:
//   captured.shared    number, content    one object of a program; content is absent within itself, and where
//                                         it has been recorded before: for the same module, or for any module
//                                         if the model repeats much
//   captured.object    class, fields, builtin value (of a subclass of a builtin class) or None
//   captured.set       items, whether it is a frozenset
//   captured.function  module, begin, end, name, qualified name, defaults, cells, attributes, docstring
//   captured.cell      the value, as a list of one or none
//   captured.member    object, name       a bound method, or a member of a module of Python's
//   captured.method    object, function   a bound method of a function with another name
//   captured.import    name
//   captured.module    path from the root of the model
//   captured.table     path of a module, name of one of its tables of hooks
//   captured.tensor    name of the tensor among those of the module with the hook
//   captured.parameter likewise
#pragma once

#include "core/ir/argument.h"
#include "core/python/evaluator.h"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fx {

/// A table of hooks, "_forward_hooks" of the module at a path; the name is empty for those of all modules.
struct HookTablePlace {
    std::string path, name;
};
using HookTables = std::unordered_map<const Object*, HookTablePlace>;

class CapturedValues {
public:
    struct Places {
        /// Where the model has a module; none where it has not.
        std::function<std::optional<std::string>(const Object* module)> pathOf;
        const HookTables& tables;
        /// Keeps a tensor with the module that has the hook, and gives its name there.
        std::function<std::string(const Value& tensor)> keep;
    };
    /// What the hooks of all modules of a model share.
    struct Shared {
        std::unordered_map<const Object*, int64_t> numbers;
        std::unordered_set<int64_t> recorded; ///< numbers whose content is in the model
        size_t parts = 0;                     ///< values recorded so far
    };

    /// One for the hooks of one module.
    CapturedValues(Evaluator& evaluator, Places places, Shared& shared)
        : m_evaluator(evaluator), m_places(std::move(places)), m_shared(shared) {}

    /// Records a hook. Throws an Error that says what cannot be held.
    Argument record(const Value& value);

private:
    Argument part(const Value& value);
    /// Drops the numbers that have been recorded since there were `count`.
    void forgetFrom(size_t count);
    Argument content(const Value& value);
    Argument shared(const Value& value);
    ListValue list(const Values& values);
    Argument dict(const DictObject& dict);
    Argument function(const Value& value);
    Argument object(const Value& value, const InstanceObject& instance);
    /// A field that cannot be held is left out, so that only its use is an error.
    Argument fields(const DictObject& dict);
    /// "net.Net.hook", where that leads to this very function or class.
    std::optional<std::string> nameOf(const Value& value);

    Evaluator& m_evaluator;
    const Places m_places;
    Shared& m_shared;
    std::vector<const Object*> m_open;      ///< those that are being recorded
    std::vector<int64_t> m_order;           ///< numbers whose content this module has, as they were recorded
    std::unordered_set<int64_t> m_recorded; ///< the same
    size_t m_parts = 0;
};

} // namespace fx
