// SPDX-License-Identifier: GPL-3.0-or-later
// What print_readable writes behind a node's name of its value: "f32[1, 4][4, 1]cpu", "Sym(s0)"; and the
// comments that say where in the source a node was made.
#pragma once

#include "core/ir/meta.h"

#include <optional>
#include <string>
#include <string_view>

namespace fx {

/// None for what describes no value, as a type does. What is not printed, strides or a device, is not known:
/// no strides, and the CPU.
std::optional<ValueMeta> annotatedValue(std::string_view text);

/// Takes a line of the text. A comment about places gives what `stack_trace` has for the nodes that follow
/// it, which is empty where none was found; another line gives none.
std::optional<std::string> stackTraceOfComment(std::string_view line);

} // namespace fx
