// SPDX-License-Identifier: GPL-3.0-or-later
// The placeholders of a trace: from the function's signature, its defaults and annotations, and concrete
// arguments.
#pragma once

#include "core/fxpython/python_names.h"
#include "core/trace/tracer.h"

namespace fx {

class TraceArguments {
public:
    TraceArguments(Tracer& tracer, Evaluator& evaluator) : m_tracer(tracer), m_evaluator(evaluator) {}

    /// Creates the placeholders, and gives what the function is to be called with: one value for each of its
    /// parameters, those by keyword after the positional ones, then *args, then **kwargs.
    Values create(const Value& function, const std::optional<Value>& self, const Value& concrete);
    /// What the graph returns for what the function returned: its leaves, where arguments were taken apart.
    Value finish(Value result);
    bool hasTree() const { return m_hasTree; }
    /// Whether each parameter gets its value as it stands: the function has variable ones, or some by
    /// keyword.
    bool isPatched() const;
    std::optional<std::string> returnType() const;
    /// The values by the names of parameters, but for the first `count`, for what a decorator has put around
    /// the function; nothing of *args and **kwargs.
    NamedValues byName(const Values& values, size_t count) const;
    /// Whether the function is what a decorator has made of it.
    bool isDecorated(const Value& function) const;

private:
    std::optional<std::string> typeText(const Value& annotation) const;
    Value specialize(const std::string& name, const std::optional<Value>& defaultValue, const Value& concrete,
                     TreeSpec& spec, int& count);
    /// Of an instance of a class that the program has told pytree how to take apart; none of another.
    std::optional<Value> specializeRegistered(const std::string& name,
                                              const std::optional<Value>& defaultValue, const Value& concrete,
                                              TreeSpec& spec, int& count);

    Tracer& m_tracer;
    Evaluator& m_evaluator;
    std::shared_ptr<DefinedFunction> m_function;
    std::vector<std::string> m_names;
    TreeSpec m_inputs;
    bool m_hasTree = false;
};

} // namespace fx
