// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates expressions: the order, the short cuts and the containers are Python's and are here.
// What names, attributes, calls and operators mean comes from a Host; core/torch has the one for live values.
#pragma once

#include "core/python/syntax.h"
#include "core/python/value.h"

namespace fx {

class Host {
public:
    virtual ~Host() = default;
    /// Throws Error("", "name 'x' is not defined") for an unknown name.
    virtual Value name(const std::string& name) = 0;
    virtual Value attribute(const Value& object, const std::string& name) = 0;
    virtual Value call(const Value& function, Values args, NamedValues kwargs) = 0;
    virtual Value subscript(const Value& object, const Value& index) = 0;
    /// `name` as in Python's module operator: "add", "neg", "lt", "is_", "contains".
    virtual Value operate(std::string_view name, Values operands) = 0;
};

/// Errors point at the part of `source` that failed.
Value evaluate(const Expression& expression, Host& host, std::string_view source, const std::string& place);
Value evaluate(std::string_view source, Host& host, const std::string& place);

} // namespace fx
