// SPDX-License-Identifier: GPL-3.0-or-later
// What a class statement does: bases, metaclasses and the hooks that are told of a new class.
#pragma once

#include "core/python/value.h"

#include <string>

namespace fx {

/// Calls the metaclass, which is asked for by keyword or by a base.
Value makeClass(Evaluator& evaluator, const std::string& name, Values bases, Value dict,
                NamedValues kwargs = {});
/// type.__new__(metaclass, name, bases, dict): runs __set_name__ and __init_subclass__.
Value buildClass(Evaluator& evaluator, const Value& metaclass, const std::string& name, Values bases,
                 const Value& dict, NamedValues kwargs = {});

} // namespace fx
