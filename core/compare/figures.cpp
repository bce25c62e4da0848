// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/figures.h"

#include "core/base/error.h"
#include "core/torch/values/real_numbers.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace fx {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

/// What pairs of elements add up to.
struct Sums {
    int64_t unequal = 0, nonFinite = 0, finite = 0;
    double maxAbs = 0, maxRelative = 0;
    double errors = 0, squaresA = 0, squaresB = 0, squaredErrors = 0, products = 0;
    double needed = 0; ///< PairFigures::neededTolerance
    int64_t worst = -1;

    void needs(double tolerance, int64_t at) {
        if (tolerance > needed) {
            needed = tolerance;
            worst = at;
        }
    }
    /// Adds those of elements behind these.
    void add(const Sums& next) {
        unequal += next.unequal;
        nonFinite += next.nonFinite;
        finite += next.finite;
        maxAbs = std::max(maxAbs, next.maxAbs);
        maxRelative = std::max(maxRelative, next.maxRelative);
        errors += next.errors;
        squaresA += next.squaresA;
        squaresB += next.squaresB;
        squaredErrors += next.squaredErrors;
        products += next.products;
        needs(next.needed, next.worst);
    }
};

/// A little less than one: what is not beyond a bound by this factor is not divided to see whether it is.
constexpr double kNearly = 1 - 1e-12;

template <class T>
Sums sumsOf(const T* a, const T* b, int64_t count, int64_t begin) {
    Sums out;
    for (int64_t i = 0; i < count; ++i) {
        const T &left = a[i], &right = b[i];
        const bool areEqual = left == right;
        if (!isFinite(left) || !isFinite(right)) {
            if (areEqual || (isNan(left) && isNan(right)))
                continue;
            ++out.unequal;
            ++out.nonFinite;
            out.needs(kInfinity, begin + i);
            continue;
        }
        ++out.finite;
        out.squaresA += squared(left);
        out.squaresB += squared(right);
        out.products += dotOf(left, right);
        if (areEqual)
            continue;
        ++out.unequal;
        // Numbers of either sign may be further apart than double reaches.
        const double error = std::abs(left - right), size = std::abs(left);
        out.errors += error;
        out.squaredErrors += squared(left - right);
        out.maxAbs = std::max(out.maxAbs, error);
        if (error >= out.maxRelative * size * kNearly)
            out.maxRelative = std::max(out.maxRelative, error / size);
        if (error >= out.needed * (1 + size) * kNearly)
            out.needs(error / (1 + size), begin + i);
    }
    return out;
}

/// The pairs of two tensors as numbers of type T, made piece by piece.
template <class T>
struct ElementPairs {
    at::Tensor a, b; ///< of one dimension
    c10::ScalarType wide;

    /// Calls `work(left, right, count, begin)` for each piece; `begin` is the place of its first pair.
    void each(const auto& work) const {
        constexpr int64_t kPiece = 1 << 16;
        for (int64_t begin = 0; begin < a.numel(); begin += kPiece) {
            const int64_t count = std::min(kPiece, a.numel() - begin);
            const at::Tensor left = a.narrow(0, begin, count).to(wide).contiguous(),
                             right = b.narrow(0, begin, count).to(wide).contiguous();
            work(left.const_data_ptr<T>(), right.const_data_ptr<T>(), count, begin);
        }
    }
    /// Calls `work` with |a-b| of each finite pair as bits, which have the order of the numbers.
    void eachError(const auto& work) const {
        each([&](const T* left, const T* right, int64_t count, int64_t) {
            for (int64_t i = 0; i < count; ++i)
                if (isFinite(left[i]) && isFinite(right[i]))
                    work(std::bit_cast<uint64_t>(std::abs(left[i] - right[i])));
        });
    }
};

/// The errors at the place `rank` of their order and at the next; at the last place, that one twice. Nothing
/// is sorted: the bits of the first are decided sixteen at a time, by how many errors have them.
template <class T>
std::pair<double, double> errorsAt(const ElementPairs<T>& pairs, int64_t rank) {
    uint64_t found = 0;
    int64_t same = 0; ///< errors with the bits that are decided
    for (int shift = 48; shift >= 0; shift -= 16) {
        std::vector<int64_t> counts(size_t(1) << 16);
        pairs.eachError([&](uint64_t error) {
            if (shift == 48 || error >> (shift + 16) == found >> (shift + 16))
                ++counts[(error >> shift) & 0xffff];
        });
        size_t bits = 0;
        while (rank >= counts[bits])
            rank -= counts[bits++];
        found |= uint64_t(bits) << shift;
        same = counts[bits];
    }
    const auto numberOf = [](uint64_t bits) { return std::bit_cast<double>(bits); };
    if (rank + 1 < same)
        return {numberOf(found), numberOf(found)};
    uint64_t next = std::numeric_limits<uint64_t>::max();
    pairs.eachError([&](uint64_t error) {
        if (error > found)
            next = std::min(next, error);
    });
    const bool isLast = next == std::numeric_limits<uint64_t>::max();
    return {numberOf(found), numberOf(isLast ? found : next)};
}

template <class T>
double quantileOf(const ElementPairs<T>& pairs, const Sums& sums, double share) {
    if (sums.finite == 0 || sums.maxAbs == 0)
        return 0;
    const double rank = share * static_cast<double>(sums.finite - 1);
    const auto below = static_cast<int64_t>(rank);
    const auto [found, above] = errorsAt(pairs, below);
    return std::lerp(found, above, rank - static_cast<double>(below));
}

template <class T>
std::pair<PairFigures, int64_t> figuresAndWorst(const ElementPairs<T>& pairs, int64_t count) {
    Sums sums;
    pairs.each([&](const T* left, const T* right, int64_t length, int64_t begin) {
        sums.add(sumsOf(left, right, length, begin));
    });
    PairFigures out;
    out.count = count;
    out.unequal = sums.unequal;
    out.nonFinite = sums.nonFinite;
    out.maxAbs = sums.maxAbs;
    out.maxRelative = sums.maxRelative;
    out.neededTolerance = sums.needed;
    out.sqnr = sums.squaredErrors == 0 ? kInfinity
               : sums.squaresA == 0    ? -kInfinity
                                       : 10 * std::log10(sums.squaresA / sums.squaredErrors);
    if (sums.squaresA > 0 && sums.squaresB > 0)
        out.cosine = sums.products / (std::sqrt(sums.squaresA) * std::sqrt(sums.squaresB));
    else
        out.cosine = sums.squaresA == sums.squaresB ? 1 : 0;
    if (sums.finite > 0)
        out.meanAbs = sums.errors / static_cast<double>(sums.finite);
    out.quantile99 = quantileOf(pairs, sums, 0.99);
    return {out, sums.worst};
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
    const at::Tensor flatA = a.reshape({-1}), flatB = b.reshape({-1});
    auto [out, worst] =
        a.is_complex() || b.is_complex()
            ? figuresAndWorst(ElementPairs<Complex>{flatA, flatB, c10::kComplexDouble}, a.numel())
            : figuresAndWorst(ElementPairs<double>{flatA, flatB, c10::kDouble}, a.numel());
    if (worst >= 0)
        out.worst = indexAt(worst, a.sizes());
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
