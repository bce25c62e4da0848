// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/range_observer.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fx {

namespace {

constexpr int64_t kBins = 2048;
constexpr int64_t kPieces = 16; ///< into which a bin is cut where bins of another width take its place

} // namespace

const std::vector<std::string>& observerNames() {
    static const std::vector<std::string> kNames = {"min-max", "moving-average", "histogram", "percentile",
                                                    "mse"};
    return kNames;
}

bool RangeObserver::isFinite() const {
    return m_low.defined() && std::isfinite(m_low.item<double>()) && std::isfinite(m_high.item<double>());
}

void RangeObserver::observe(const at::Tensor& value) {
    if (value.numel() == 0)
        return;
    const at::Tensor all = value.detach().to(at::kFloat);
    auto [low, high] = at::aminmax(all);
    const bool isFirst = !hasSeen();
    m_least = isFirst ? low.item<double>() : std::min(m_least, low.item<double>());
    m_greatest = isFirst ? high.item<double>() : std::max(m_greatest, high.item<double>());
    if (m_kind == ObserverKind::MinMax) {
        m_low = isFirst ? low : at::minimum(m_low, low);
        m_high = isFirst ? high : at::maximum(m_high, high);
    } else if (m_kind == ObserverKind::MovingAverage) {
        constexpr double kWeight = 0.01;
        m_low = isFirst ? low : m_low + kWeight * (low - m_low);
        m_high = isFirst ? high : m_high + kWeight * (high - m_high);
    } else {
        addToHistogram(all, low, high);
    }
}

void RangeObserver::addToHistogram(const at::Tensor& value, const at::Tensor& low, const at::Tensor& high) {
    const double infinity = std::numeric_limits<double>::infinity();
    if (low.item<double>() == -infinity || high.item<double>() == infinity) {
        const at::Tensor finite = value.masked_select(value.abs() != infinity);
        if (finite.numel() == 0)
            return;
        const auto [lowest, highest] = at::aminmax(finite);
        return addToHistogram(finite, lowest, highest);
    }
    if (hasSeen() && m_low.isnan().item<bool>())
        return;
    if (low.isnan().item<bool>()) { // no bin holds it
        m_low = low;
        m_high = high;
        return;
    }
    const auto countsOf = [&](const at::Tensor& from, const at::Tensor& to) {
        return at::histc(value, kBins, from.item(), to.item());
    };
    if (!m_counts.defined()) {
        m_counts = countsOf(low, high);
        m_low = low;
        m_high = high;
        return;
    }
    const at::Tensor lowest = at::minimum(m_low, low), highest = at::maximum(m_high, high);
    const at::Tensor fresh = countsOf(lowest, highest);
    at::Tensor sum;
    if (at::equal(lowest, m_low) && at::equal(highest, m_high))
        sum = m_counts + fresh;
    else if (at::equal(m_low, m_high))
        sum = at::histc(m_low, kBins, lowest.item(), highest.item()) * m_counts.sum() + fresh;
    else
        sum = fresh + spreadOver(lowest.item<float>(), highest.item<float>());
    m_counts = sum.to(at::kFloat);
    m_low = lowest;
    m_high = highest;
}

/// The counts so far in bins over a wider range.
at::Tensor RangeObserver::spreadOver(float low, float high) const {
    const at::Tensor counts = m_counts.repeat_interleave(kPieces) / kPieces;
    const at::Tensor width = (m_high - m_low) / (kBins * kPieces);
    const at::Tensor middles =
        at::linspace(m_low.item(), m_high.item(), kBins * kPieces + 1, counts.options()).slice(0, 0, -1) +
        0.5 * width;
    const at::Tensor edges = at::linspace(low, high, kBins + 1, counts.options());
    const at::Tensor places = (at::bucketize(middles, edges, false, true) - 1).clamp(0, kBins - 1);
    return at::bincount(places, counts, kBins);
}

ValueRange RangeObserver::range(const IntegerScheme& scheme) const {
    if (m_kind == ObserverKind::MinMax || m_kind == ObserverKind::MovingAverage || !m_counts.defined())
        return {m_low, m_high};
    const ValueHistogram histogram{m_counts, m_low.item<float>(), m_high.item<float>()};
    if (m_kind == ObserverKind::Percentile)
        return percentileRange(histogram, m_share);
    if (m_kind == ObserverKind::LeastSquares)
        return leastSquaresRange(histogram, scheme);
    constexpr int64_t kLevels = 256; // of the dtype, whatever part of it is used
    return searchedRange(histogram, kLevels);
}

} // namespace fx
