// SPDX-License-Identifier: GPL-3.0-or-later
// Which part of a histogram to represent by integers: by torch.ao's search for the least error, by the share
// of values that is kept, or by the least mean squared error of what is clipped and rounded.
#pragma once

#include "core/passes/quantize/scheme.h"

namespace fx {

/// Counts of values in bins of one width, float32.
struct ValueHistogram {
    at::Tensor counts;
    float low = 0, high = 0; ///< where the first begins and the last ends
};

/// HistogramObserver's: both ends move inwards by shares of the values as long as the error falls.
ValueRange searchedRange(const ValueHistogram& histogram, int64_t levels);
/// Keeps this share of the values; of what is left out, half lies at each end.
ValueRange percentileRange(const ValueHistogram& histogram, double share);
ValueRange leastSquaresRange(const ValueHistogram& histogram, const IntegerScheme& scheme);

} // namespace fx
