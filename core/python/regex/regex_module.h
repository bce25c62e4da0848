// SPDX-License-Identifier: GPL-3.0-or-later
// The native module _regex, which the library's re is made of.
#pragma once

#include "core/python/value.h"

namespace fx {

Value makeRegexModule(Evaluator& evaluator);

} // namespace fx
