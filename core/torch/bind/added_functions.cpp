// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/added_functions.h"

#include "core/base/error.h"
#include "core/torch/bind/call.h"

namespace fx {

namespace {

PythonFunctions& addedFunctions() {
    static PythonFunctions kAdded;
    return kAdded;
}

} // namespace

void requireUsable(const std::string& name, const PythonFunction& function) {
    if (name.empty() || !function)
        throw Error("function '" + name + "'", "lacks its name or what it does");
    if (isKnownFunction(name))
        throw Error("function '" + name + "'", "has a meaning already");
}

void addPythonFunction(const std::string& name, PythonFunction function) {
    requireUsable(name, function);
    addedFunctions().emplace(name, std::move(function));
}

const PythonFunction* findAddedFunction(const std::string& name) {
    const auto found = addedFunctions().find(name);
    return found != addedFunctions().end() ? &found->second : nullptr;
}

} // namespace fx
