// SPDX-License-Identifier: GPL-3.0-or-later
// What object_type.cpp shares with its neighbours.
#pragma once

#include "core/python/types/support.h"

namespace fx {

void addDescriptorTypes(Evaluator& evaluator); // property, staticmethod, classmethod
/// dir(value): the names in order.
Value attributeNames(Evaluator& evaluator, const Value& value);
/// type.__repr__: "<class 'module.Name'>".
std::string classText(Evaluator& evaluator, const Value& type);

} // namespace fx
