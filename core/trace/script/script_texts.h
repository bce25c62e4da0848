// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of TorchScript that make texts of values of the graph, and methods of texts that are such values.
#pragma once

#include "core/trace/script/script_state.h"

namespace fx {

/// Returns what a format, a conversion to str or a method of a str gives where a proxy is among the
/// arguments; none for other operators, and where all arguments are known. A text that only messages read
/// stays the constant that the program formats. Throws Error where Python writes a value in another way than
/// TorchScript does, such as a float ("1.", not "1.0").
std::optional<Value> recordText(ScriptState& state, const torch::jit::Node& node, std::string_view name,
                                const Values& args);

} // namespace fx
