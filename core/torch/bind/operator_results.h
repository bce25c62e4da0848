// SPDX-License-Identifier: GPL-3.0-or-later
// What goes into LibTorch's operators from Python, and what comes back.
#pragma once

#include "core/python/evaluator.h"

#include <unordered_map>

namespace fx {

/// Instances of subclasses of builtin types, such as parameters, become what they hold.
void unwrap(Values& args, NamedValues& kwargs);

/// Results as Python has them: tuples and lists that can be changed, and fields by their names.
class OperatorResults {
public:
    Value toPython(Evaluator& evaluator, Value result);

private:
    std::unordered_map<std::string, Value> m_types; ///< "torch.return_types.max"
};

} // namespace fx
