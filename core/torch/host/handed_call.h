// SPDX-License-Identifier: GPL-3.0-or-later
// What functions of torch that are Python in PyTorch pass to `__torch_function__`:
// torch.nn.functional.relu(x) is handed on as relu(x, inplace=False).
#pragma once

#include "core/python/value.h"
#include "core/torch/host/function_table.h"

namespace fx {

struct HandedCall {
    Target target;
    Values args;
    NamedValues kwargs;
    Values checked; ///< the values that the function looks at, to know whether to hand the call on
};

/// The call of a Python row, its arguments bound as Python binds them. Throws Python's TypeErrors for
/// arguments that do not fit.
HandedCall handedCall(const FunctionRow& row, const Values& args, const NamedValues& kwargs);

} // namespace fx
