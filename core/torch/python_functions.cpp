// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/python_functions.h"

namespace fx {

PythonFunction findPythonFunction(const std::string& name) {
    static const FunctionTable table = [] {
        FunctionTable t;
        addOperators(t);
        addBuiltins(t);
        addMath(t);
        return t;
    }();
    const auto found = table.find(name);
    return found == table.end() ? nullptr : found->second;
}

} // namespace fx
