// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

namespace fx {

/// What the calls of a graph are: torch's modules, functions and methods as people write them, or the
/// operators that torch.export leaves.
enum class Dialect { ModuleLevel, Aten };

/// What the calls of the graph are; `isEither` if it has none that belongs to one dialect alone.
struct GraphDialect {
    Dialect dialect = Dialect::Aten;
    bool isEither = true;
};
GraphDialect dialectOf(const Graph& graph);
/// Whether its calls are operators of torch.ops, as in an exported program, and there are some.
bool isOfOperators(const Graph& graph);
/// Whether the graph calls operators of torch.ops.
bool callsOperators(const Graph& graph);

} // namespace fx
