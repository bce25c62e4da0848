// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for bounds of operators whose kernels take for granted that sizes belong to each other.
#pragma once

#include "core/torch/bind/bounds_values.h"

namespace fx {

void checkFourier(const NamedArguments& given);
void checkAttention(const NamedArguments& given);
void checkWindows(const NamedArguments& given);
void checkNorms(const NamedArguments& given);
void checkPairs(const NamedArguments& given);
void checkChannels(const NamedArguments& given);
void checkObservedRange(const NamedArguments& given);
void checkLists(const NamedArguments& given);
void checkReflection(const NamedArguments& given);
void checkReplication(const NamedArguments& given);
void checkGrid(const NamedArguments& given);
void checkLayers(const NamedArguments& given);
void checkFactors(const NamedArguments& given);
void checkDistances(const NamedArguments& given);
void checkHeads(const NamedArguments& given);
void checkOptimizer(const NamedArguments& given);
void checkStatistics(const NamedArguments& given);
void checkScales(const NamedArguments& given);
void checkSamples(const NamedArguments& given);
void checkPixel(const NamedArguments& given);

} // namespace fx
