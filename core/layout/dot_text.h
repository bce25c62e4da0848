// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs and diagrams in Graphviz's language, every text escaped.
#pragma once

#include "core/layout/box_text.h"

#include <string>

namespace fx {

/// The whole graph, without positions: for other tools.
std::string dotText(const Graph& graph);
/// A placed diagram: positions and routes are those of the diagram, for Graphviz to draw as they are.
std::string dotText(const Diagram& diagram, const BoxTexts& texts, const Graph& graph);

} // namespace fx
