// SPDX-License-Identifier: GPL-3.0-or-later
// The pass edit-code: lines of the generated code become other ones. It is what edits by hand are in a
// recipe.
#pragma once

#include "core/passes/pass.h"

namespace fx {

/// Makes a graph what its generated code says as a user has edited it (core/rewrite/code_edit.h), and works
/// out what the new calls are (new_calls.h).
void writeCode(Edit& edit, const std::string& code);
void runEditCode(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
