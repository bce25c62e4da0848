// SPDX-License-Identifier: GPL-3.0-or-later
// A model in numbers.
#pragma once

#include "core/module/model.h"

#include <array>

namespace fx {

struct ModelSummary {
    size_t graphCount = 0, nodeCount = 0;
    std::array<size_t, 6> opcodeCounts{};            ///< by opcode, over all graphs
    uint64_t parameterCount = 0, parameterBytes = 0; ///< elements and bytes; tied tensors count once
    uint64_t bufferCount = 0, bufferBytes = 0;       ///< constants too
};

ModelSummary summarize(const Model& model);

} // namespace fx
