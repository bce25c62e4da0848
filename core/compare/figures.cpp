// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/figures.h"

#include "core/base/error.h"
#include "core/torch/values/real_numbers.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace fx {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kChunk = 1 << 20;      ///< elements that are made double at once
constexpr int64_t kMostErrors = 1 << 24; ///< that are kept for the quantile

using Complex = c10::complex<double>;

bool isFinite(double value) {
    return std::isfinite(value);
}
bool isFinite(const Complex& value) {
    return std::isfinite(value.real()) && std::isfinite(value.imag());
}
bool isNan(double value) {
    return std::isnan(value);
}
bool isNan(const Complex& value) {
    return std::isnan(value.real()) || std::isnan(value.imag());
}
double squared(double value) {
    return value * value;
}
double squared(const Complex& value) {
    return squared(value.real()) + squared(value.imag());
}
double dotOf(double a, double b) {
    return a * b;
}
/// The real part, as of vectors of twice the length.
double dotOf(const Complex& a, const Complex& b) {
    return a.real() * b.real() + a.imag() * b.imag();
}

/// The elements as torch's user sees them, on the CPU.
at::Tensor plainElements(const at::Tensor& tensor) {
    if (tensor.is_meta())
        throw Error("", "a tensor on the device meta has no data");
    at::Tensor out = tensor.detach();
    if (out.is_quantized())
        out = out.dequantize();
    if (out.layout() != c10::kStrided)
        out = out.to_dense();
    return out.cpu().resolve_conj().resolve_neg();
}

class Counter {
public:
    template <class T>
    void add(const T* a, const T* b, int64_t count) {
        for (int64_t i = 0; i < count; ++i, ++m_at)
            addPair(a[i], b[i]);
    }
    /// So many pairs will be added.
    void expect(int64_t count) {
        m_stride = count / kMostErrors + 1;
        m_errors.reserve(static_cast<size_t>(count / m_stride + 1));
    }
    PairFigures figures();
    int64_t worst() const { return m_worst; }

private:
    template <class T>
    void addPair(const T& a, const T& b);
    void needs(double tolerance) {
        if (tolerance > m_figures.neededTolerance) {
            m_figures.neededTolerance = tolerance;
            m_worst = m_at;
        }
    }
    double quantile(double share);

    PairFigures m_figures;
    std::vector<double> m_errors; ///< of finite pairs, of each m_stride'th
    int64_t m_stride = 1, m_finite = 0;
    double m_sum = 0, m_squaresA = 0, m_squaresB = 0, m_squaredErrors = 0, m_products = 0;
    int64_t m_at = 0, m_worst = -1;
};

template <class T>
void Counter::addPair(const T& a, const T& b) {
    ++m_figures.count;
    const bool areEqual = a == b;
    m_figures.unequal += areEqual || (isNan(a) && isNan(b)) ? 0 : 1;
    if (!isFinite(a) || !isFinite(b)) {
        if (areEqual || (isNan(a) && isNan(b)))
            return;
        ++m_figures.nonFinite;
        needs(kInfinity);
        return;
    }
    // Numbers of either sign may be further apart than double reaches.
    const double error = std::abs(a - b), size = std::abs(a);
    if (m_finite++ % m_stride == 0)
        m_errors.push_back(error);
    m_sum += error;
    m_squaresA += squared(a);
    m_squaresB += squared(b);
    m_squaredErrors += squared(a - b);
    m_products += dotOf(a, b);
    m_figures.maxAbs = std::max(m_figures.maxAbs, error);
    if (error > 0)
        m_figures.maxRelative = std::max(m_figures.maxRelative, error / size);
    needs(error / (1 + size));
}

double Counter::quantile(double share) {
    const double rank = share * static_cast<double>(m_errors.size() - 1);
    const auto below = static_cast<ptrdiff_t>(rank);
    const auto at = m_errors.begin() + below;
    std::nth_element(m_errors.begin(), at, m_errors.end());
    if (at + 1 == m_errors.end())
        return *at;
    const double above = *std::min_element(at + 1, m_errors.end());
    return std::lerp(*at, above, rank - static_cast<double>(below));
}

PairFigures Counter::figures() {
    PairFigures out = m_figures;
    out.sqnr = m_squaredErrors == 0 ? kInfinity
               : m_squaresA == 0    ? -kInfinity
                                    : 10 * std::log10(m_squaresA / m_squaredErrors);
    if (m_squaresA > 0 && m_squaresB > 0)
        out.cosine = m_products / (std::sqrt(m_squaresA) * std::sqrt(m_squaresB));
    else
        out.cosine = m_squaresA == m_squaresB ? 1 : 0;
    if (!m_errors.empty()) {
        out.meanAbs = m_sum / static_cast<double>(m_finite);
        out.quantile99 = quantile(0.99);
    }
    return out;
}

template <class T>
void addChunks(Counter& counter, const at::Tensor& a, const at::Tensor& b, c10::ScalarType wide) {
    for (int64_t begin = 0; begin < a.numel(); begin += kChunk) {
        const int64_t length = std::min(kChunk, a.numel() - begin);
        const at::Tensor left = a.narrow(0, begin, length).to(wide);
        const at::Tensor right = b.narrow(0, begin, length).to(wide);
        counter.add(left.const_data_ptr<T>(), right.const_data_ptr<T>(), length);
    }
}

/// Those beyond 2^53, where neighbours are the same in double.
void addLargeWholeNumbers(PairFigures& figures, const at::Tensor& a, const at::Tensor& b) {
    if (a.element_size() < 8 || a.numel() == 0)
        return;
    const at::Tensor far = a.view(c10::kLong).sub(b.view(c10::kLong)).abs();
    figures.unequal = far.count_nonzero().item<int64_t>();
    figures.maxAbs = far.max().to(c10::kDouble).item<double>();
    figures.neededTolerance = figures.maxAbs / (1 + a.to(c10::kDouble).abs().max().item<double>());
}

std::optional<double> sameArgmax(const at::Tensor& a, const at::Tensor& b) {
    if (a.is_complex() || a.dim() == 0 || a.size(-1) < 2 || a.numel() == 0)
        return std::nullopt;
    const auto places = [](const at::Tensor& tensor) {
        // LibTorch has no argmax of bool, of float8 and of unsigned numbers.
        const bool isOdd = tensor.element_size() == 1 || c10::isBarebonesUnsignedType(tensor.scalar_type());
        return (isOdd ? tensor.to(c10::kDouble) : tensor).argmax(-1);
    };
    return places(a).eq(places(b)).to(c10::kDouble).mean().item<double>();
}

} // namespace

PairFigures figuresOf(const at::Tensor& reference, const at::Tensor& other) {
    if (reference.sizes() != other.sizes())
        throw Error("", "tensors of different shapes have no figures");
    const at::Tensor a = plainElements(reference), b = plainElements(other);
    Counter counter;
    counter.expect(a.numel());
    const at::Tensor flatA = a.reshape({-1}), flatB = b.reshape({-1});
    if (a.is_complex() || b.is_complex())
        addChunks<Complex>(counter, flatA, flatB, c10::kComplexDouble);
    else
        addChunks<double>(counter, flatA, flatB, c10::kDouble);
    PairFigures out = counter.figures();
    if (counter.worst() >= 0)
        out.worst = indexAt(counter.worst(), a.sizes());
    if (out.unequal == 0 && a.scalar_type() == b.scalar_type() && c10::isIntegralType(a.scalar_type(), false))
        addLargeWholeNumbers(out, flatA, flatB);
    out.sameArgmax = sameArgmax(a, b);
    return out;
}

bool isWorse(const PairFigures& a, const PairFigures& b) {
    if (a.neededTolerance != b.neededTolerance)
        return a.neededTolerance > b.neededTolerance;
    return a.nonFinite != b.nonFinite ? a.nonFinite > b.nonFinite : a.unequal > b.unequal;
}

double usualTolerance(c10::ScalarType dtype) {
    switch (c10::toRealValueType(dtype)) {
    case c10::ScalarType::Double:
        return 1e-7;
    case c10::ScalarType::Float:
        return 1e-5;
    case c10::ScalarType::Half:
        return 1e-3;
    case c10::ScalarType::BFloat16:
        return 1.6e-2;
    default:
        return c10::isFloatingType(dtype) ? 0.25 : 0; // float8 has three bits, or two
    }
}

std::string figureText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

} // namespace fx
