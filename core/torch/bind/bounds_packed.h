// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for bounds of kernels over packed weights, of recurrent layers and of sparse tensors.
#pragma once

#include "core/torch/bind/bounds_values.h"

namespace fx {

void checkPackedRows(const NamedArguments& given);
void checkPackedBags(const NamedArguments& given);
void checkQuantizedWeight(const NamedArguments& given);
void checkRecurrentLayer(const NamedArguments& given);
void checkSteps(const NamedArguments& given);
void checkCoordinates(const NamedArguments& given);
void checkDiagonals(const NamedArguments& given);
void checkAlignment(const NamedArguments& given);
void checkKernelSize(const NamedArguments& given);

} // namespace fx
