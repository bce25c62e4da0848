// SPDX-License-Identifier: GPL-3.0-or-later
// How far two tensors are apart, in numbers. The first is the reference, the second what is held against it.
// All is counted in double, whatever the dtypes; of complex numbers by their absolute values. What is done
// with values that are not tensors, and with whole runs, is in value_pairs.h and compare_runs.h.
#pragma once

#include <c10/core/ScalarType.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace at {
class Tensor;
}

namespace fx {

/// Errors are over the pairs of elements of which both are finite. Pairs that are the same NaN or infinity
/// are no error; other pairs with one of them are counted in `nonFinite` alone, and need a tolerance that
/// there is none of.
struct PairFigures {
    int64_t count = 0;     ///< pairs
    int64_t unequal = 0;   ///< of them; one NaN is as good as another, and 0 as -0
    int64_t nonFinite = 0; ///< pairs with a NaN or an infinity of which the other is another thing
    double maxAbs = 0, meanAbs = 0;
    double maxRelative = 0; ///< the most of |a-b| / |a|; infinite where only a is 0
    /// Of |a-b|, between the two nearest, as torch.quantile has it.
    double quantile99 = 0;
    double cosine = 1; ///< of both as vectors; 1 if both are 0 alone, 0 if one is
    /// 10 log10(sum |a|^2 / sum |a-b|^2), in dB: infinite where they are equal.
    double sqnr = 0;
    /// The least t for which |a-b| <= t + t |a| everywhere; infinite where there is none.
    double neededTolerance = 0;
    /// The place of what needs most of it: of a pair in `nonFinite`, if there is one. Empty: all are equal,
    /// or there is one element.
    std::vector<int64_t> worst;
    /// Of the rows of the last dimension, the share that has its largest element at the same place. None
    /// where there is a single column.
    std::optional<double> sameArgmax;
};

/// Of tensors of the same shape, anywhere and of any layout; quantized ones by what they stand for. Throws an
/// Error for others, and for those without data.
PairFigures figuresOf(const at::Tensor& reference, const at::Tensor& other);

/// Which of two numbers is further from being equal, for lists that have the worst first.
bool isWorse(const PairFigures& a, const PairFigures& b);

/// What rounding may make of values of this dtype after a few operations: 1e-5 of float32. 0 for whole
/// numbers.
double usualTolerance(c10::ScalarType dtype);

/// "1.2e-05", "inf", "0": three digits, for tables.
std::string figureText(double value);

} // namespace fx
