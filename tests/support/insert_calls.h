// SPDX-License-Identifier: GPL-3.0-or-later
// A pass with two options, as anybody would add one: this file, its .cpp, and the row that the tests
// register.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

/// Calls a function on the value of some nodes; who read them reads what it gives.
void runInsertCalls(Edit& edit, const PassOptions& options, PassContext& context);

/// Adds the row, once in a process.
void registerInsertCalls();

} // namespace fx
