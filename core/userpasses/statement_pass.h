// SPDX-License-Identifier: GPL-3.0-or-later
// Python lines about a graph, as a console takes them: a pass like one of a user's, whose program is the
// line. `gm`, `graph`, `nodes` and `selection` are torch.fx's objects, made anew for each line.
#pragma once

#include "core/passes/pass.h"

#include <string_view>

namespace fx {

/// Its options: `code`, the line; `definitions`, earlier ones, with newlines between them, whose names it may
/// use; `selection`, names of nodes with commas between them. What it prints and gives is the output; a
/// result is what went wrong, and then nothing has changed.
Pass statementPass();
inline constexpr std::string_view kStatementPass = "console";

} // namespace fx
