// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions over live values: node names are variables, and torch, math and the builtins are there.
#pragma once

#include "core/python/evaluate.h"

#include <functional>
#include <optional>

namespace fx {

class LiveHost : public Host {
public:
    /// The value of a variable, or none if there is none of that name. May throw to say why it has no value.
    using Variables = std::function<std::optional<Value>(const std::string& name)>;

    explicit LiveHost(Variables variables = nullptr) : m_variables(std::move(variables)) {}

    Value name(const std::string& name) override;
    Value attribute(const Value& object, const std::string& name) override;
    Value call(const Value& function, Values args, NamedValues kwargs) override;
    Value subscript(const Value& object, const Value& index) override;
    Value operate(std::string_view name, Values operands) override;

private:
    Variables m_variables;
};

} // namespace fx
