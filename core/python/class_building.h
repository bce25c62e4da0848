// SPDX-License-Identifier: GPL-3.0-or-later
// What a class statement does: bases, metaclasses and the hooks that are told of a new class.
#pragma once

#include "core/python/value.h"

#include <string>

namespace fx {

/// What a class statement settles before its body runs.
struct ClassPlan {
    Values bases;       ///< what `__mro_entries__` has put in the place of others among them
    Value writtenBases; ///< the tuple of the statement's own where that is another one, else None
    Value metaclass;    ///< the most derived of those of the bases and of the keyword, or any callable
    NamedValues kwargs; ///< without that keyword
};
ClassPlan planClass(Evaluator& evaluator, Values bases, NamedValues kwargs);
/// The mapping that the body fills: a dict, or what `__prepare__` of the metaclass gives.
Value preparedNames(Evaluator& evaluator, const std::string& name, const ClassPlan& plan);
/// Calls the metaclass with what the body has left.
Value makeClass(Evaluator& evaluator, const std::string& name, ClassPlan plan, Value names);
/// type(name, bases, dict).
Value makeClass(Evaluator& evaluator, const std::string& name, Values bases, Value dict,
                NamedValues kwargs = {});
/// type.__new__(metaclass, name, bases, dict): runs __set_name__ and __init_subclass__.
Value buildClass(Evaluator& evaluator, const Value& metaclass, const std::string& name, Values bases,
                 const Value& dict, NamedValues kwargs = {});

} // namespace fx
