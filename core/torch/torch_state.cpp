// SPDX-License-Identifier: GPL-3.0-or-later
// torch's functions about the generator that random operators draw from, and about threads.
#include "core/torch/python_functions.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>

namespace fx {

namespace {

using c10::IValue;

at::Generator generator() {
    return at::detail::getDefaultCPUGenerator();
}

Value manualSeed(const Values& args, const NamedValues& kwargs) {
    const Value seed = !args.empty() ? args[0] : kwargs.empty() ? Value() : kwargs[0].second;
    const Value whole = findPythonFunction("int")({seed}, {});
    if (!whole.isInt())
        raise("ValueError", "Overflow when unpacking long long");
    at::manual_seed(static_cast<uint64_t>(whole.data().toInt()));
    return IValue(generator());
}

Value newSeed(const Values&, const NamedValues&) {
    const uint64_t seed = generator().seed();
    at::manual_seed(seed);
    return makeInt(static_cast<int64_t>(seed));
}

Value setState(const Values& args, const NamedValues& kwargs) {
    const Value state = !args.empty() ? args[0] : kwargs.empty() ? Value() : kwargs[0].second;
    if (!plainOf(state).isTensor())
        raise("TypeError", "expected a torch.ByteTensor, but got " + typeName(state));
    generator().set_state(plainOf(state).data().toTensor());
    return {};
}

} // namespace

void addTorchState(std::unordered_map<std::string, PythonFunction>& table) {
    for (const std::string module : {"torch.", "torch.random."}) {
        table[module + "manual_seed"] = manualSeed;
        table[module + "seed"] = newSeed;
        table[module + "initial_seed"] = [](const Values&, const NamedValues&) {
            return makeInt(static_cast<int64_t>(generator().current_seed()));
        };
        table[module + "get_rng_state"] = [](const Values&, const NamedValues&) -> Value {
            return IValue(generator().get_state());
        };
        table[module + "set_rng_state"] = setState;
    }
    table["torch.get_num_threads"] = [](const Values&, const NamedValues&) {
        return makeInt(at::get_num_threads());
    };
    table["torch.get_num_interop_threads"] = [](const Values&, const NamedValues&) {
        return makeInt(static_cast<int64_t>(at::get_num_interop_threads()));
    };
}

} // namespace fx
