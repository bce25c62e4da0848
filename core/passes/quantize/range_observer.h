// SPDX-License-Identifier: GPL-3.0-or-later
// Watches the values at one place of a graph over the calibration runs, and says which range of them to
// represent: torch.ao's observers.
#pragma once

#include "core/passes/quantize/histogram_search.h"

#include <string>
#include <vector>

namespace fx {

enum class ObserverKind {
    MinMax,
    MovingAverage, ///< of the least and the greatest value of each tensor
    Histogram,     ///< the range whose error is least by torch.ao's search
    Percentile,    ///< the range that holds a share of the values
    LeastSquares   ///< the range whose mean squared error is least
};

/// As options name them, in the order of the enumeration.
const std::vector<std::string>& observerNames();

class RangeObserver {
public:
    explicit RangeObserver(ObserverKind kind, double share = 0.9999) : m_kind(kind), m_share(share) {}

    /// Of an empty tensor it learns nothing; infinite numbers are left out by those that keep a histogram.
    void observe(const at::Tensor& value);
    bool hasSeen() const { return m_low.defined(); }
    /// Whether all that it has seen were numbers that a range can hold.
    bool isFinite() const;
    /// The range to represent. It must have seen something.
    ValueRange range(const IntegerScheme& scheme) const;
    /// Of all values: the least and the greatest.
    double least() const { return m_least; }
    double greatest() const { return m_greatest; }

private:
    void addToHistogram(const at::Tensor& value, const at::Tensor& low, const at::Tensor& high);
    at::Tensor spreadOver(float low, float high) const;

    ObserverKind m_kind;
    double m_share;
    at::Tensor m_low, m_high; ///< so far; averages of a moving average
    at::Tensor m_counts;      ///< of a histogram
    double m_least = 0, m_greatest = 0;
};

} // namespace fx
