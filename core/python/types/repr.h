// SPDX-License-Identifier: GPL-3.0-or-later
// repr(), str() and format() of any value.
#pragma once

#include "core/python/value.h"

#include <string>

namespace fx {

std::string reprOf(Evaluator& evaluator, const Value& value);
std::string strOf(Evaluator& evaluator, const Value& value);
std::string formatOf(Evaluator& evaluator, const Value& value, const std::string& spec);
std::string asciiRepr(Evaluator& evaluator, const Value& value);

} // namespace fx
