// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/array_functions.h"

#include "core/python/types/support.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/array_math.h"
#include "core/torch/values/random_bits.h"
#include "core/torch/values/thread_modes.h"

namespace fx {

namespace {

const at::Tensor& tensorArgument(const char* function, const Value& value) {
    if (!plainOf(value).isTensor())
        raise("TypeError", std::string(function) + "() takes tensors, not " + typeName(value));
    return plainOf(value).data().toTensor();
}

int64_t intArgument(const char* function, const Value& value) {
    if (!plainOf(value).isInt())
        raise("TypeError", std::string(function) + "() takes an int, not " + typeName(value));
    return plainOf(value).data().toInt();
}

std::vector<int64_t> intsArgument(const char* function, Evaluator& evaluator, const Value& value) {
    std::vector<int64_t> out;
    for (const Value& item : evaluator.items(value))
        out.push_back(intArgument(function, item));
    return out;
}

ArrayReduction reductionArgument(const Value& name) {
    return textArgument("name", name) == "prod" ? ArrayReduction::Product : ArrayReduction::Sum;
}

/// (name, tensor) or (name, tensor, tensor)
at::Tensor math(Evaluator&, const Values& args) {
    const std::string& name = textArgument("name", args[0]);
    const at::Tensor& first = tensorArgument("_array_math", args[1]);
    return args.size() == 2 ? applyMath(name, first)
                            : applyMath(name, first, tensorArgument("_array_math", args[2]));
}

/// (name, tensor, axes)
at::Tensor reduce(Evaluator& evaluator, const Values& args) {
    return reduceInOrder(reductionArgument(args[0]), tensorArgument("_array_reduce", args[1]),
                         intsArgument("_array_reduce", evaluator, args[2]));
}

/// (name, tensor, axis)
at::Tensor accumulate(Evaluator&, const Values& args) {
    return accumulateInOrder(reductionArgument(args[0]), tensorArgument("_array_accumulate", args[1]),
                             intArgument("_array_accumulate", args[2]));
}

/// (kind, words): the state of a generator. The kinds: a number for MT19937, a key for it, PCG64.
at::Tensor seed(Evaluator& evaluator, const Values& args) {
    const std::string& kind = textArgument("kind", args[0]);
    std::vector<uint32_t> words;
    for (const int64_t word : intsArgument("_random_seeded", evaluator, args[1]))
        words.push_back(static_cast<uint32_t>(word));
    if (words.empty())
        raise("ValueError", "Seed must be non-empty");
    return kind == "PCG64" ? seedPermuted(words) : seedTwister(words, kind == "key");
}

/// (kind, state, count): doubles, normals or exponentials.
at::Tensor draw(Evaluator&, const Values& args) {
    const std::string& kind = textArgument("kind", args[0]);
    const at::Tensor& state = tensorArgument("_random_draw", args[1]);
    const int64_t count = intArgument("_random_draw", args[2]);
    return kind == "normal"        ? drawNormals(state, count)
           : kind == "exponential" ? drawExponentials(state, count)
                                   : drawDoubles(state, count);
}

/// (state, most, bits, count): `most` is uint64, passed as the int64 with the same bits.
at::Tensor drawIntegers(Evaluator&, const Values& args) {
    return drawBounded(tensorArgument("_random_integers", args[0]),
                       static_cast<uint64_t>(intArgument("_random_integers", args[1])),
                       static_cast<int>(intArgument("_random_integers", args[2])),
                       intArgument("_random_integers", args[3]));
}

/// (state, count, first, whether numbers are masked)
at::Tensor permute(Evaluator& evaluator, const Values& args) {
    return drawPermutation(tensorArgument("_random_permutation", args[0]),
                           intArgument("_random_permutation", args[1]),
                           intArgument("_random_permutation", args[2]), evaluator.isTrue(args[3]));
}

} // namespace

void addArrayFunctions(Evaluator& evaluator) {
    using Function = at::Tensor (*)(Evaluator&, const Values&);
    const auto add = [&](const char* name, size_t least, size_t most, Function function) {
        evaluator.builtins().set(name,
                                 makeNative(name, [=](Evaluator& e, Values& args, NamedValues&) -> Value {
                                     requireArguments(name, args, least, most);
                                     const NotRecorded silent;
                                     at::Tensor out;
                                     guarded([&] { out = function(e, args); });
                                     return c10::IValue(out);
                                 }));
    };
    add("_array_math", 2, 3, math);
    add("_array_reduce", 3, 3, reduce);
    add("_array_accumulate", 3, 3, accumulate);
    add("_random_seeded", 2, 2, seed);
    add("_random_draw", 3, 3, draw);
    add("_random_integers", 4, 4, drawIntegers);
    add("_random_permutation", 4, 4, permute);
}

} // namespace fx
