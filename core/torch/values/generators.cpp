// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/generators.h"

#include "core/base/error.h"
#include "core/python/big_int.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/unpack.h"
#include "core/torch/values/attributes.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

namespace fx {

using c10::IValue;

at::Generator defaultGenerator() {
    return at::detail::getDefaultCPUGenerator();
}

uint64_t seedOf(const Value& integer) {
    const BigInt seed = bigIntOf(integer);
    if (seed.isSmall())
        return static_cast<uint64_t>(seed.small());
    if (seed.sign() < 0 || seed.bitLength() > 64)
        raise("ValueError", "Overflow when unpacking long long");
    return mpz_get_ui(seed.get());
}

Value seedValue(uint64_t seed) {
    BigInt integer;
    mpz_set_ui(integer.get(), seed);
    return makeInteger(std::move(integer));
}

namespace {

uint64_t draw(at::Generator generator) {
    const std::lock_guard lock(generator.mutex());
    return at::check_generator<at::CPUGeneratorImpl>(generator)->random64();
}

} // namespace

uint64_t drawSeed(const at::Generator& generator) {
    const uint64_t own = generator.device().is_cpu() ? draw(generator) : 0;
    // What the default generator gives next stays the same.
    return generator == defaultGenerator() ? own : own ^ draw(defaultGenerator().clone());
}

void setGeneratorState(at::Generator generator, const Value& given) {
    const Value& state = plainOf(given);
    if (!state.isTensor())
        raise("TypeError", "expected a torch.ByteTensor, but got " + typeName(given));
    const at::Tensor& bytes = state.data().toTensor();
    if (bytes.layout() != c10::kStrided || !bytes.is_cpu() || bytes.scalar_type() != c10::kByte)
        raise("TypeError", "RNG state must be a torch.ByteTensor");
    const std::lock_guard lock(generator.mutex());
    generator.set_state(bytes);
}

bool isGenerator(const Value& value) {
    return value.isData() && value.data().isGenerator();
}

Value generatorState(const Value& value) {
    const at::Generator generator = value.data().toGenerator();
    if (generator == defaultGenerator())
        return {};
    if (!generator.device().is_cpu())
        throw Error("", "a generator of another device than the CPU cannot be part of a graph");
    return IValue(generator.get_state());
}

Value generatorWithState(const Value& state) {
    if (state.isNone())
        return IValue(defaultGenerator());
    const auto generator = at::make_generator<at::CPUGeneratorImpl>();
    guarded([&] { setGeneratorState(generator, state); });
    return IValue(generator);
}

namespace {

at::Generator generatorOf(const Value& self) {
    if (!isGenerator(self))
        raise("TypeError", "a method of torch.Generator is for no '" + typeName(self) + "' object");
    return self.data().toGenerator();
}

Value makeGenerator(Evaluator&, const Value&, Values& args, NamedValues& kwargs) {
    if (args.size() + kwargs.size() > 1)
        raise("TypeError", "Generator() takes from 0 to 1 positional arguments but " +
                               std::to_string(args.size() + kwargs.size()) + " were given");
    if (!kwargs.empty() && kwargs[0].first != "device")
        raise("TypeError", "Generator() got an unexpected keyword argument '" + kwargs[0].first + '\'');
    const Value device = !args.empty() ? args[0] : !kwargs.empty() ? kwargs[0].second : makeText("cpu");
    Value out;
    guarded([&] {
        const c10::Device chosen = deviceOf(device);
        if (chosen.is_cpu())
            out = IValue(at::make_generator<at::CPUGeneratorImpl>());
        else
            out = IValue(at::globalContext().defaultGenerator(chosen).clone());
    });
    return out;
}

using Work = Value (*)(at::Generator generator, const Value& argument);

/// A method that takes nothing, or one argument by its place.
void addMethod(ClassData& type, const char* name, bool takesOne, Work work) {
    type.add(name, [name, takesOne, work](Evaluator&, Values& args, NamedValues& kwargs) {
        const std::string method = std::string("Generator.") + name + "()";
        const size_t given = args.size() - 1;
        if (!kwargs.empty())
            raise("TypeError", method + " takes no keyword arguments");
        if (given != (takesOne ? 1 : 0))
            raise("TypeError", method +
                                   (takesOne ? " takes exactly one argument (" : " takes no arguments (") +
                                   std::to_string(given) + " given)");
        Value out;
        guarded([&] { out = work(generatorOf(args[0]), takesOne ? args[1] : Value()); });
        return isGenerator(out) && out.data().toGenerator() == generatorOf(args[0]) ? args[0] : out;
    });
}

Value manualSeed(at::Generator generator, const Value& given) {
    const Value& seed = plainOf(given);
    if (seed.isBool() || !isPythonInt(seed))
        raise("RuntimeError", "manual_seed expected a long, but got " + typeName(given));
    const std::lock_guard lock(generator.mutex());
    generator.set_current_seed(seedOf(seed));
    return IValue(generator);
}

Value newSeed(at::Generator generator, const Value&) {
    const uint64_t seed = drawSeed(generator);
    const std::lock_guard lock(generator.mutex());
    generator.set_current_seed(seed);
    return seedValue(seed);
}

} // namespace

void addGeneratorClass(ClassData& type) {
    type.construct = makeGenerator;
    addMethod(type, "manual_seed", true, manualSeed);
    addMethod(type, "seed", false, newSeed);
    addMethod(type, "initial_seed", false,
              [](at::Generator generator, const Value&) { return seedValue(generator.current_seed()); });
    addMethod(type, "get_state", false,
              [](at::Generator generator, const Value&) { return Value(IValue(generator.get_state())); });
    addMethod(type, "set_state", true, [](at::Generator generator, const Value& state) {
        setGeneratorState(generator, state);
        return Value(IValue(generator));
    });
    addMethod(type, "graphsafe_get_state", false, [](at::Generator generator, const Value&) {
        return Value(IValue(generator.graphsafe_get_state()));
    });
    addMethod(type, "graphsafe_set_state", true, [](at::Generator generator, const Value& state) {
        generator.graphsafe_set_state(generatorOf(state));
        return Value(IValue(generator));
    });
    addMethod(type, "clone_state", false,
              [](at::Generator generator, const Value&) { return Value(IValue(generator.clone())); });
    addMethod(type, "get_offset", false, [](at::Generator generator, const Value&) {
        return makeInt(static_cast<int64_t>(generator.get_offset()));
    });
    addMethod(type, "set_offset", true, [](at::Generator generator, const Value& offset) {
        generator.set_offset(seedOf(offset));
        return Value(IValue(generator));
    });
    const auto clone = [](Evaluator&, Values& args, NamedValues&) -> Value {
        return IValue(generatorOf(args.at(0)).clone());
    };
    type.add("__copy__", clone);
    type.add("__deepcopy__", clone);
}

} // namespace fx
