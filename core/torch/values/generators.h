// SPDX-License-Identifier: GPL-3.0-or-later
// torch.Generator: its class for the evaluator, and what torch's functions about random numbers share with
// it. No entropy is asked for: a new seed is drawn from the generator that it is for and from the default
// one, so that it is the same again where the run is seeded.
#pragma once

#include "core/python/evaluator.h"

#include <ATen/core/Generator.h>

namespace fx {

/// The generator that random operators draw from where they are given none.
at::Generator defaultGenerator();

/// An int from -2**63 to 2**64 - 1 as PyTorch reads seeds; throws Python's error for others.
uint64_t seedOf(const Value& integer);
/// The int that Python shows of a seed.
Value seedValue(uint64_t seed);
/// A seed for the generator, which is not set yet.
uint64_t drawSeed(const at::Generator& generator);
void setGeneratorState(at::Generator generator, const Value& state);

bool isGenerator(const Value& value);
/// As a model holds it, by its state, and made from that again; None of the default one, which stays that.
Value generatorState(const Value& generator);
Value generatorWithState(const Value& state);

/// The name of the class among the evaluator's types.
inline constexpr const char* kGeneratorType = "torch._C.Generator";
void addGeneratorClass(ClassData& type);

} // namespace fx
