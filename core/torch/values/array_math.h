// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic with numpy's results to the last bit, where LibTorch's vectorized kernels round differently:
// libm per element, and reductions in numpy's order.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace fx {

/// Applies a function of libm ("sqrt", "exp", "cbrt") to each element. tensor: float32 or float64, any shape.
at::Tensor applyMath(const std::string& name, const at::Tensor& tensor);
/// The same for functions of two arguments ("pow", "fmod", "nextafter"). a, b: one dtype, float32 or float64,
/// one shape.
at::Tensor applyMath(const std::string& name, const at::Tensor& a, const at::Tensor& b);

enum class ArrayReduction { Sum, Product };

/// Reduces the axes (not negative) in the order of numpy's iterator, with pairwise sums along the innermost
/// axes. tensor: float16, float32, float64, complex64 or complex128; the result keeps the other axes.
at::Tensor reduceInOrder(ArrayReduction reduction, const at::Tensor& tensor, at::IntArrayRef axes);
/// Computes running sums or products along the axis, each rounded to the dtype of the tensor.
at::Tensor accumulateInOrder(ArrayReduction reduction, const at::Tensor& tensor, int64_t axis);

} // namespace fx
