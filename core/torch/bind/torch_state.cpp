// SPDX-License-Identifier: GPL-3.0-or-later
// torch's functions about the generator that random operators draw from, and about threads.
#include "core/torch/bind/python_functions.h"
#include "core/torch/values/generators.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

namespace fx {

namespace {

using c10::IValue;

Value soleArgument(const Values& args, const NamedValues& kwargs) {
    return !args.empty() ? args[0] : kwargs.empty() ? Value() : kwargs[0].second;
}

Value seedAll(const Values& args, const NamedValues& kwargs) {
    at::manual_seed(seedOf(findPythonFunction("int")({soleArgument(args, kwargs)}, {})));
    return IValue(defaultGenerator());
}

Value seedAllAnew(const Values&, const NamedValues&) {
    const uint64_t seed = drawSeed(defaultGenerator());
    at::manual_seed(seed);
    return seedValue(seed);
}

} // namespace

void addTorchState(PythonFunctions& table) {
    addModeFunctions(table);
    addVmapFunctions(table);
    for (const std::string module : {"torch.", "torch.random."}) {
        table[module + "manual_seed"] = seedAll;
        table[module + "seed"] = seedAllAnew;
        table[module + "initial_seed"] = [](const Values&, const NamedValues&) {
            return seedValue(defaultGenerator().current_seed());
        };
        table[module + "get_rng_state"] = [](const Values&, const NamedValues&) -> Value {
            return IValue(defaultGenerator().get_state());
        };
        table[module + "set_rng_state"] = [](const Values& args, const NamedValues& kwargs) -> Value {
            setGeneratorState(defaultGenerator(), soleArgument(args, kwargs));
            return {};
        };
    }
    table["torch.get_num_threads"] = [](const Values&, const NamedValues&) {
        return makeInt(at::get_num_threads());
    };
    table["torch.get_num_interop_threads"] = [](const Values&, const NamedValues&) {
        return makeInt(static_cast<int64_t>(at::get_num_interop_threads()));
    };
}

} // namespace fx
