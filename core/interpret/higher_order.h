// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that take graphs: cond, map, while_loop, scan and the regions that export records. One row each.
#pragma once

#include "core/python/value.h"

#include <functional>

namespace fx {

using CallGraph = std::function<Value(ModuleId module, Values inputs)>;
using HigherOrderFunction = Value (*)(const CallGraph& callGraph, const Values& args,
                                      const NamedValues& kwargs);

/// The function behind "torch.ops.higher_order.NAME"; null if it cannot run here.
HigherOrderFunction findHigherOrder(Target target);

} // namespace fx
