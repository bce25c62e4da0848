// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-ins: what takes the place of modules, and of names in them, that cannot be had here. They can be
// imported, stored, compared and inherited from; what needs a real value of one fails (library/_stand_in.py).
#pragma once

#include "core/base/error.h"
#include "core/python/tree.h"
#include "core/python/value.h"

#include <string>
#include <vector>

namespace fx {

class Evaluator;

/// `why` is what the error says of it: "net.py imports numba, which is not evaluated here".
Value makeStandIn(Evaluator& evaluator, const std::string& name, const std::string& why);
bool isStandIn(const Value& value);

/// The error of something that Python does and this does not, as NotImplementedError and unsupported syntax.
bool isOurLimit(const Error& error);
/// The names that a statement at the top of a module binds, in its blocks, too.
std::vector<std::string> namesBoundBy(const Statement& statement);
/// Whether the handlers of a try are for imports that fail.
bool isForMissingImports(const Statement& tryStatement);

} // namespace fx
