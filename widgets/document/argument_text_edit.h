// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments as a user types them: Python literals in which node names stand for nodes.
#pragma once

#include "core/ir/graph.h"

#include <string>

namespace fx::ui {

/// Throws an Error that says what cannot be an argument, and where.
Argument parseArgument(const std::string& text, const Graph& graph);
/// The text that parseArgument reads back.
std::string argumentText(const Argument& argument, const Graph& graph);

} // namespace fx::ui
