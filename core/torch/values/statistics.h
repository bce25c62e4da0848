// SPDX-License-Identifier: GPL-3.0-or-later
// What a tensor's values look like, in numbers that a person can read off at a glance.
#pragma once

#include "core/ir/meta.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace at {
class Tensor;
}

namespace fx {

class Value;

/// Of the finite elements; none where there are no such elements.
struct TensorStatistics {
    std::optional<double> minimum, maximum, mean, deviation; ///< deviation: of the population
    uint64_t nanCount = 0, infCount = 0, zeroCount = 0, elementCount = 0;
    std::vector<uint32_t> histogram; ///< 48 equal bins from minimum to maximum; empty without finite elements
    uint64_t readCount = 0; ///< so many elements were read; fewer than there are: the counts are of these
    std::vector<int64_t> minimumAt, maximumAt, nanAt; ///< the first such element; nanAt is empty without one
    bool isSampled() const { return readCount < elementCount; }
};

/// Complex tensors count by their magnitude. Of a tensor of more than 10 million elements so many are read,
/// evenly spread; of an expanded one each that lies in memory. `isGivenUp` is asked every 65,536 elements;
/// then Cancelled is thrown.
TensorStatistics statisticsOf(const at::Tensor& tensor, const std::function<bool()>& isGivenUp = {});

/// Magnitudes from here on are near those where float16 ends, 65504.
inline constexpr double kLargeMagnitude = 1e4;

/// What the floating-point and complex tensors in a value hold.
struct Health {
    bool hasNan = false, hasInf = false;
    std::optional<double> largest; ///< magnitude, where all are finite; none: no such numbers
    bool isFinite() const { return !hasNan && !hasInf; }
    bool isZero() const { return isFinite() && largest == 0.0; }
    bool isLarge() const { return isFinite() && largest >= kLargeMagnitude; }
    /// Of both together.
    void add(const Health& other) {
        hasNan |= other.hasNan;
        hasInf |= other.hasInf;
        largest = std::max(largest, other.largest);
    }
};
Health healthOf(const Value& value);

/// A two-dimensional piece of a tensor as text, row by row, for a table.
struct TensorSample {
    std::vector<std::vector<std::string>> rows;
    std::vector<int64_t> shape; ///< of the whole slice; the sample is capped at 200 rows of 64 columns
    bool isCapped = false;
};
TensorSample sampleOf(const at::Tensor& slice);

} // namespace fx
