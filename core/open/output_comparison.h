// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what was written computes what the model does: both run on the same inputs with the same random
// numbers.
#pragma once

#include "core/interpret/graph_inputs.h"
#include "core/interpret/run_settings.h"
#include "core/module/model.h"

#include <string>

namespace fx {

/// What a run gives, flat (flattenedFields in core/interpret/structure.h). It does not write to the inputs.
Values outputsOf(const Model& model, const GraphInputs& inputs, RunSettings settings);

struct OutputComparison {
    std::string difference; ///< "output 0 differs by 0.1 of its largest value"; empty: they are the same,
    double rounding = 0;    ///< but for so much, relative to the largest value; 0: bit for bit
};

/// One NaN is as good as another.
OutputComparison compareOutputs(const Values& wanted, const Values& given);

} // namespace fx
