// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/histogram_search.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace fx {

namespace {

ValueRange rangeBetween(float low, float high) {
    return {at::scalar_tensor(low, at::kFloat), at::scalar_tensor(high, at::kFloat)};
}

std::span<const float> numbersOf(const at::Tensor& tensor) {
    return {tensor.const_data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

/// The error of rounding to levels between two bins, the values of a bin taken as spread evenly over it.
class SpreadError {
public:
    SpreadError(const ValueHistogram& histogram, int64_t levels)
        : m_bins(histogram.counts.numel()), m_levels(levels),
          m_width((static_cast<double>(histogram.high) - static_cast<double>(histogram.low)) /
                  static_cast<double>(m_bins)),
          m_density(histogram.counts / m_width), m_norm(at::empty_like(histogram.counts)) {}

    // Each line rounds to float32 where PyTorch's operators do.
    double between(int64_t first, int64_t last) {
        const double step = m_width * static_cast<double>(last - first + 1) / static_cast<double>(m_levels);
        if (step == 0)
            return 0;
        const auto width = static_cast<float>(m_width), level = static_cast<float>(step),
                   half = static_cast<float>(step / 2);
        const float whole = cubes(-half, half);
        const std::span<const float> density = numbersOf(m_density);
        auto* norm = m_norm.mutable_data_ptr<float>();
        for (int64_t bin = 0; bin < m_bins; ++bin) {
            const float begin = static_cast<float>(bin - first) * width, end = begin + width;
            const float firstLevel = levelOf(begin, level), lastLevel = levelOf(end, level);
            const float thick = density[static_cast<size_t>(bin)];
            const float firstCentre = (firstLevel + 0.5F) * level, lastCentre = lastLevel * level + half;
            float sum = 0.0F + thick * cubes(begin - firstCentre, half);
            sum += (lastLevel - firstLevel - 1.0F) * (thick * whole);
            sum += thick * cubes(-half, end - lastCentre);
            norm[bin] = sum;
        }
        return m_norm.sum().item<double>();
    }

private:
    static float cubes(float begin, float end) { return (end * end * end - begin * begin * begin) / 3.0F; }

    /// Which level a place belongs to. The quotient of two float32 in float64 lies on the right side of each
    /// whole number.
    float levelOf(float place, float level) const {
        const double quotient = std::floor(static_cast<double>(place) / static_cast<double>(level));
        return static_cast<float>(std::clamp(quotient, 0.0, static_cast<double>(m_levels - 1)));
    }

    int64_t m_bins, m_levels;
    double m_width;
    at::Tensor m_density, m_norm;
};

} // namespace

ValueRange searchedRange(const ValueHistogram& histogram, int64_t levels) {
    constexpr double kStep = 1e-5;
    const int64_t bins = histogram.counts.numel();
    const float width = (histogram.high - histogram.low) / static_cast<float>(bins);
    const double total = histogram.counts.sum().item<double>();
    const at::Tensor running = histogram.counts.cumsum(0);
    const std::span<const float> sums = numbersOf(running);
    const auto sumAt = [&](int64_t bin) { return sums[static_cast<size_t>(bin)]; };
    SpreadError error(histogram, levels);
    double lower = 0, upper = 1, least = std::numeric_limits<double>::infinity();
    int64_t first = 0, last = bins - 1;
    while (lower < upper) {
        const double nextLower = lower + kStep, nextUpper = upper - kStep;
        int64_t left = first, right = last;
        while (left < last && sumAt(left) < static_cast<float>(nextLower * total))
            ++left;
        while (right > first && sumAt(right) > static_cast<float>(nextUpper * total))
            --right;
        int64_t nextFirst = first, nextLast = last;
        if (left - first > last - right) {
            nextFirst = left;
            lower = nextLower;
        } else {
            nextLast = right;
            upper = nextUpper;
        }
        if (nextFirst == first && nextLast == last)
            continue;
        const double found = error.between(nextFirst, nextLast);
        if (found > least)
            break;
        least = found;
        first = nextFirst;
        last = nextLast;
    }
    return rangeBetween(histogram.low + width * static_cast<float>(first),
                        histogram.low + width * static_cast<float>(last + 1));
}

ValueRange percentileRange(const ValueHistogram& histogram, double share) {
    const std::span<const float> counts = numbersOf(histogram.counts);
    double total = 0;
    for (const float count : counts)
        total += count;
    const double left = total * (1 - share) / 2;
    const double width = (static_cast<double>(histogram.high) - histogram.low) / counts.size();
    size_t first = 0, last = counts.size();
    for (double sum = counts[0]; sum <= left && first + 1 < last; sum += counts[first])
        ++first;
    for (double sum = counts[last - 1]; sum <= left && last - 1 > first; sum += counts[last - 1])
        --last;
    return rangeBetween(first == 0 ? histogram.low : static_cast<float>(histogram.low + width * first),
                        last == counts.size() ? histogram.high
                                              : static_cast<float>(histogram.low + width * last));
}

ValueRange leastSquaresRange(const ValueHistogram& histogram, const IntegerScheme& scheme) {
    constexpr int kTries = 100;
    const std::span<const float> counts = numbersOf(histogram.counts);
    const double width = (static_cast<double>(histogram.high) - histogram.low) / counts.size();
    double least = std::numeric_limits<double>::infinity(), best = 1;
    for (int attempt = kTries; attempt > 0; --attempt) {
        const double part = static_cast<double>(attempt) / kTries;
        const QuantizationParameters parameters = parametersOf(
            rangeBetween(static_cast<float>(histogram.low * part), static_cast<float>(histogram.high * part)),
            scheme);
        const double scale = parameters.scale.item<double>(),
                     zero = static_cast<double>(parameters.zeroPoint.item<int64_t>());
        double error = 0;
        for (size_t bin = 0; bin < counts.size(); ++bin) {
            const double value = histogram.low + width * (static_cast<double>(bin) + 0.5);
            const double level =
                std::clamp(std::nearbyint(value / scale) + zero, static_cast<double>(scheme.least),
                           static_cast<double>(scheme.most));
            const double difference = (level - zero) * scale - value;
            // Within a bin, values are spread evenly.
            error += counts[bin] * (difference * difference);
        }
        if (error < least) {
            least = error;
            best = part;
        }
    }
    return rangeBetween(static_cast<float>(histogram.low * best), static_cast<float>(histogram.high * best));
}

} // namespace fx
