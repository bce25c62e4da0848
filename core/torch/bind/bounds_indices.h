// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for bounds of operators whose tensors hold indices: where parts begin, which row or bag something is
// of.
#pragma once

#include "core/torch/bind/bounds_values.h"

namespace fx {

void checkBags(const NamedArguments& given);
void checkBagGradient(const NamedArguments& given);
void checkSegments(const NamedArguments& given);
void checkCompressed(const NamedArguments& given);
void checkRows(const NamedArguments& given);
void checkPivots(const NamedArguments& given);
void checkReduced(const NamedArguments& given);

} // namespace fx
