// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/array_math.h"

#include "core/base/error.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace fx {

namespace {

template <class Real>
using Unary = Real (*)(Real);
template <class Real>
using Binary = Real (*)(Real, Real);

// std::name is overloaded for float and double.
#define FX_UNARY(name)                                                                                       \
    {                                                                                                        \
#name, [](Real x) -> Real { return std::name(x); }                                                   \
    }
#define FX_BINARY(name)                                                                                      \
    {                                                                                                        \
#name, [](Real x, Real y) -> Real { return std::name(x, y); }                                        \
    }

template <class Real>
Unary<Real> unaryFunction(const std::string& name) {
    static const std::unordered_map<std::string, Unary<Real>> kTable = {
        FX_UNARY(sqrt),  FX_UNARY(cbrt),  FX_UNARY(exp),   FX_UNARY(exp2), FX_UNARY(expm1), FX_UNARY(log),
        FX_UNARY(log2),  FX_UNARY(log10), FX_UNARY(log1p), FX_UNARY(sin),  FX_UNARY(cos),   FX_UNARY(tan),
        FX_UNARY(asin),  FX_UNARY(acos),  FX_UNARY(atan),  FX_UNARY(sinh), FX_UNARY(cosh),  FX_UNARY(tanh),
        FX_UNARY(asinh), FX_UNARY(acosh), FX_UNARY(atanh)};
    const auto found = kTable.find(name);
    return found == kTable.end() ? nullptr : found->second;
}

template <class Real>
Binary<Real> binaryFunction(const std::string& name) {
    static const std::unordered_map<std::string, Binary<Real>> kTable = {
        FX_BINARY(pow),      FX_BINARY(atan2),     FX_BINARY(hypot), FX_BINARY(fmod),
        FX_BINARY(copysign), FX_BINARY(nextafter), FX_BINARY(fmax),  FX_BINARY(fmin)};
    const auto found = kTable.find(name);
    return found == kTable.end() ? nullptr : found->second;
}

#undef FX_UNARY
#undef FX_BINARY

template <class Function>
Function knownFunction(Function function, const std::string& name) {
    if (!function)
        throw Error("", "libm has no function " + name).kind("ValueError");
    return function;
}

constexpr int64_t kLanes = 8, kBlock = 128; ///< of numpy's pairwise summation

/// Sums n real numbers: splits in halves above one block, then adds in eight lanes.
template <class Real>
Real pairwiseSum(const Real* data, int64_t n) {
    if (n > kBlock) {
        const int64_t half = n / 2 / kLanes * kLanes;
        return pairwiseSum(data, half) + pairwiseSum(data + half, n - half);
    }
    if (n < kLanes)
        return std::accumulate(data, data + n, Real(-0.0));
    Real lanes[kLanes];
    std::copy_n(data, kLanes, lanes);
    int64_t at = kLanes;
    for (; at + kLanes <= n; at += kLanes)
        for (int64_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] += data[at + lane];
    const Real sum =
        ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    return std::accumulate(data + at, data + n, sum);
}

/// Adds float16 numbers in float32; the caller rounds the sum.
float pairwiseSum(const at::Half* data, int64_t n) {
    const std::vector<float> wide(data, data + n);
    return pairwiseSum(wide.data(), n);
}

/// Real and imaginary parts are separate lanes; a block has half as many complex numbers as real ones.
template <class Real>
c10::complex<Real> pairwiseSum(const c10::complex<Real>* data, int64_t n) {
    constexpr int64_t kPairs = kLanes / 2;
    if (n > kBlock / 2) {
        const int64_t half = n / 2 / kPairs * kPairs;
        return pairwiseSum(data, half) + pairwiseSum(data + half, n - half);
    }
    if (n < kPairs)
        return std::accumulate(data, data + n, c10::complex<Real>(Real(-0.0), Real(-0.0)));
    c10::complex<Real> lanes[kPairs];
    std::copy_n(data, kPairs, lanes);
    int64_t at = kPairs;
    for (; at + kPairs <= n; at += kPairs)
        for (int64_t lane = 0; lane < kPairs; ++lane)
            lanes[lane] += data[at + lane];
    return std::accumulate(data + at, data + n, (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]));
}

template <class Number>
Number reduced(ArrayReduction reduction, Number before, const Number* data, int64_t n) {
    using Wide = std::conditional_t<std::is_same_v<Number, at::Half>, float, Number>;
    if (reduction == ArrayReduction::Sum)
        return static_cast<Number>(static_cast<Wide>(before) + pairwiseSum(data, n));
    return static_cast<Number>(
        std::accumulate(data, data + n, static_cast<Wide>(before), [](Wide a, Wide b) { return a * b; }));
}

} // namespace

at::Tensor applyMath(const std::string& name, const at::Tensor& tensor) {
    const at::Tensor in = tensor.contiguous();
    at::Tensor out = at::empty_like(in);
    AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "applyMath", [&] {
        const auto function = knownFunction(unaryFunction<scalar_t>(name), name);
        const scalar_t* data = in.const_data_ptr<scalar_t>();
        std::transform(data, data + in.numel(), out.mutable_data_ptr<scalar_t>(), function);
    });
    return out;
}

at::Tensor applyMath(const std::string& name, const at::Tensor& a, const at::Tensor& b) {
    if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type())
        throw Error("", "the arguments of " + name + " have other shapes or dtypes").kind("ValueError");
    const at::Tensor first = a.contiguous(), second = b.contiguous();
    at::Tensor out = at::empty_like(first);
    AT_DISPATCH_FLOATING_TYPES(first.scalar_type(), "applyMath", [&] {
        const auto function = knownFunction(binaryFunction<scalar_t>(name), name);
        const scalar_t* data = first.const_data_ptr<scalar_t>();
        std::transform(data, data + first.numel(), second.const_data_ptr<scalar_t>(),
                       out.mutable_data_ptr<scalar_t>(), function);
    });
    return out;
}

at::Tensor reduceInOrder(ArrayReduction reduction, const at::Tensor& tensor, at::IntArrayRef axes) {
    // numpy's iterator goes by memory: the axis with the smallest stride is the innermost.
    std::vector<int64_t> order(static_cast<size_t>(tensor.dim()));
    std::iota(order.begin(), order.end(), 0);
    std::erase_if(order, [&](int64_t axis) { return tensor.size(axis) == 1; });
    std::ranges::stable_sort(order, std::greater<>(), [&](int64_t axis) { return tensor.stride(axis); });
    const auto isReduced = [&](int64_t axis) { return std::ranges::find(axes, axis) != axes.end(); };

    std::vector<int64_t> kept;
    for (int64_t axis = 0; axis < tensor.dim(); ++axis)
        if (!isReduced(axis))
            kept.push_back(tensor.size(axis));
    at::Tensor out = at::empty(kept, tensor.options());
    if (reduction == ArrayReduction::Sum)
        out.zero_().neg_(); // -0.0, the identity of a sum
    else
        out.fill_(1);
    if (tensor.numel() == 0)
        return reduction == ArrayReduction::Sum ? out.zero_() : out;

    std::vector<int64_t> sizes,
        steps; // in iteration order; the step of a reduced axis is 0
    for (const int64_t axis : order) {
        const int64_t before =
            std::count_if(axes.begin(), axes.end(), [&](int64_t each) { return each < axis; });
        sizes.push_back(tensor.size(axis));
        steps.push_back(isReduced(axis) ? 0 : out.stride(axis - before));
    }
    int64_t inner = 1;
    while (!steps.empty() && steps.back() == 0) {
        inner *= sizes.back();
        sizes.pop_back();
        steps.pop_back();
    }
    std::vector<int64_t> all = order; // axes of size 1 come last
    for (int64_t axis = 0; axis < tensor.dim(); ++axis)
        if (tensor.size(axis) == 1)
            all.push_back(axis);
    const at::Tensor in = tensor.permute(all).contiguous();
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1(at::kHalf, in.scalar_type(), "reduceInOrder", [&] {
        const scalar_t* data = in.const_data_ptr<scalar_t>();
        const scalar_t* const end = data + in.numel();
        scalar_t* const results = out.mutable_data_ptr<scalar_t>();
        std::vector<int64_t> place(sizes.size());
        for (int64_t target = 0; data != end; data += inner) {
            results[target] = reduced(reduction, results[target], data, inner);
            for (size_t axis = sizes.size(); axis-- > 0;) {
                target += steps[axis];
                if (++place[axis] < sizes[axis])
                    break;
                target -= steps[axis] * sizes[axis];
                place[axis] = 0;
            }
        }
    });
    return out;
}

at::Tensor accumulateInOrder(ArrayReduction reduction, const at::Tensor& tensor, int64_t axis) {
    at::Tensor out = tensor.movedim(axis, 0).clone(at::MemoryFormat::Contiguous);
    const int64_t inner = out.numel() / std::max<int64_t>(out.size(0), 1);
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1(at::kHalf, out.scalar_type(), "accumulateInOrder", [&] {
        scalar_t* const data = out.mutable_data_ptr<scalar_t>();
        for (int64_t at = inner; at < out.numel(); ++at)
            data[at] =
                reduction == ArrayReduction::Sum ? data[at - inner] + data[at] : data[at - inner] * data[at];
    });
    return out.movedim(0, axis).contiguous();
}

} // namespace fx
