// SPDX-License-Identifier: GPL-3.0-or-later
// Python's calling convention on operator schemas: which overload a call means, and its arguments in order.
#pragma once

#include "core/python/value.h"
#include "core/torch/operators.h"

#include <optional>
#include <string>
#include <vector>

namespace fx {

struct BoundCall {
    const TorchOperator* op = nullptr;
    torch::jit::Stack stack; ///< one entry per parameter, defaults filled in
    int effort = 0;
};

/// Binds to one overload; `why` says what did not fit where there is no result.
std::optional<BoundCall> bind(const TorchOperator& op, const Values& args, const NamedValues& kwargs,
                              std::string& why);
/// Binds to the overload that needs the least conversion. Throws an Error that lists the overloads tried.
BoundCall bindBest(const std::string& name, const std::vector<const TorchOperator*>& overloads, const Values& args,
                   const NamedValues& kwargs);
/// Calls, and gives the result: None, the one value, or a tuple of several.
Value perform(BoundCall call);

} // namespace fx
