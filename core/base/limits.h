// SPDX-License-Identifier: GPL-3.0-or-later
// What a stranger's code may take while a model is opened.
#pragma once

#include <chrono>
#include <cstdint>

namespace fx {

struct OpeningLimits {
    /// Tensors together, and values of Python together; what the files of the model hold comes on top.
    uint64_t bytes = 2ull << 30;
    std::chrono::seconds time{60};
};

} // namespace fx
