// SPDX-License-Identifier: GPL-3.0-or-later
// Functions whose calls with a proxy become nodes: torch.fx.wrap, and the autowrapped ones. While a tracer is
// at work, recording functions stand in their places.
#pragma once

#include "core/python/value.h"

#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace fx {

class Tracer;

class WrappedFunctions {
public:
    explicit WrappedFunctions(Tracer& tracer) : m_tracer(tracer) {}

    /// torch.fx.wrap(name) in the module with these names.
    void add(const Value& globals, const std::string& name) { m_names.emplace_back(globals, name); }
    /// The same for names that are asked for before those that are here.
    void addBefore(const std::vector<std::pair<Value, std::string>>& names) {
        m_names.insert(m_names.begin(), names.begin(), names.end());
    }
    /// The same for a function under whatever name a module that is traced has it.
    void addEverywhere(const Value& function) { m_functions.push_back(function); }
    /// The same for all that the module with these names has.
    void addModule(const Value& globals);

    /// Calls of a method of this class become call_method nodes. Of a builtin class they are that already.
    void addMethod(const Value& type, const std::string& name);

    /// Puts the recording functions in place; `globals` are the names that the traced function sees.
    void patch(const Value& globals);
    /// The same for what is wrapped everywhere, where the module with these names has it.
    void patchIn(const Value& globals);
    void unpatch();

private:
    void patchNamed();
    void patchMethods();
    /// Keeps what is there, to put it back.
    void replace(const Value& names, const std::string& name, Value by);
    void patch(const Value& globals, const std::string& name, const Value& function);

    struct Patch {
        Value globals; ///< or the names of a class
        std::string name;
        std::optional<Value> original;
    };
    Tracer& m_tracer;
    std::vector<std::pair<Value, std::string>> m_names; ///< in modules
    Values m_functions, m_modules;
    std::unordered_set<const Object*> m_seen;             ///< the names of modules that were looked through
    std::vector<std::pair<Value, std::string>> m_methods; ///< by their classes
    std::vector<Patch> m_patches;
};

} // namespace fx
