// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/statistics.h"

#include "core/base/text.h"
#include "core/python/value.h"
#include "core/torch/values/real_numbers.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace fx {

namespace {

/// The element of the whole tensor that has this number among those that were read.
std::vector<int64_t> placeOf(int64_t number, const Thinned& read) {
    std::vector<int64_t> out = indexAt(number, read.numbers.sizes());
    for (size_t axis = 0; axis < out.size(); ++axis)
        out[axis] *= read.steps[axis];
    return out;
}

} // namespace

TensorStatistics statisticsOf(const at::Tensor& tensor) {
    TensorStatistics out;
    out.elementCount = static_cast<uint64_t>(tensor.numel());
    if (tensor.numel() == 0 || tensor.is_meta()) {
        out.readCount = out.elementCount;
        return out;
    }
    const Thinned read = thinned(tensor);
    const at::Tensor all = realNumbers(read.numbers).reshape(-1);
    const auto counted = [&](int64_t count) { return static_cast<uint64_t>(count) * read.repeats; };
    out.readCount = read.isSampled() ? static_cast<uint64_t>(all.numel()) : out.elementCount;
    out.zeroCount = counted(all.numel() - all.count_nonzero().item<int64_t>());
    at::Tensor finite = all;
    const at::Tensor isFinite = all.isfinite();
    if (!isFinite.all().item<bool>()) {
        const at::Tensor isNan = all.isnan();
        out.nanCount = counted(isNan.sum().item<int64_t>());
        out.infCount = counted(all.isinf().sum().item<int64_t>());
        if (out.nanCount)
            out.nanAt = placeOf(isNan.to(at::kByte).argmax().item<int64_t>(), read);
        finite = all.masked_select(isFinite);
    }
    if (finite.numel() == 0)
        return out;
    out.minimum = finite.min().item<double>();
    out.maximum = finite.max().item<double>();
    out.minimumAt = placeOf(all.eq(*out.minimum).to(at::kByte).argmax().item<int64_t>(), read);
    out.maximumAt = placeOf(all.eq(*out.maximum).to(at::kByte).argmax().item<int64_t>(), read);
    out.mean = finite.mean().item<double>();
    out.deviation = std::sqrt(finite.sub(*out.mean).square().mean().item<double>());
    const at::Tensor counts = at::histc(finite, 48, *out.minimum, *out.maximum);
    for (int64_t i = 0; i < counts.numel(); ++i)
        out.histogram.push_back(static_cast<uint32_t>(counts[i].item<double>()));
    return out;
}

namespace {

/// The greatest magnitude if all are finite, found out without an operator for each step; no answer for what
/// is not that simple.
std::optional<double> largestAtAGlance(const at::Tensor& tensor) {
    constexpr int64_t kSmall = 4096;
    if (!tensor.is_cpu() || !tensor.is_contiguous() || tensor.numel() > kSmall)
        return std::nullopt;
    const auto look = [&]<class T>(const T* numbers) -> std::optional<double> {
        T largest = 0;
        bool areFinite = true;
        for (int64_t i = 0; i < tensor.numel(); ++i) {
            const T magnitude = std::abs(numbers[i]);
            areFinite &= magnitude <= std::numeric_limits<T>::max();
            largest = magnitude > largest ? magnitude : largest;
        }
        return areFinite ? std::optional<double>(largest) : std::nullopt;
    };
    if (tensor.scalar_type() == at::kFloat)
        return look(tensor.const_data_ptr<float>());
    if (tensor.scalar_type() == at::kDouble)
        return look(tensor.const_data_ptr<double>());
    return std::nullopt;
}

/// Each element that lies in memory, once and in a row where that needs no copy: aminmax() copies the rest.
at::Tensor asItLies(at::Tensor tensor) {
    for (int64_t axis = 0; axis < tensor.dim(); ++axis)
        if (tensor.stride(axis) == 0)
            tensor = tensor.narrow(axis, 0, 1);
    return tensor.is_non_overlapping_and_dense() ? tensor.as_strided({tensor.numel()}, {1}) : tensor;
}

Health healthOfNumbers(const at::Tensor& tensor) {
    const at::NoGradGuard noGrad;
    Health health;
    health.largest = largestAtAGlance(tensor);
    if (health.largest)
        return health;
    at::Tensor numbers = asItLies(tensor);
    if (c10::isFloat8Type(numbers.scalar_type()))
        numbers = numbers.to(at::kFloat);
    if (numbers.is_complex())
        numbers = numbers.abs();
    // One pass where all is well, which is nearly always: NaN becomes both.
    const auto [least, most] = at::aminmax(numbers);
    const double ends[] = {least.item<double>(), most.item<double>()};
    if (std::isfinite(ends[0]) && std::isfinite(ends[1])) {
        health.largest = std::max(std::abs(ends[0]), std::abs(ends[1]));
        return health;
    }
    health.hasNan = numbers.isnan().any().item<bool>();
    health.hasInf = numbers.isinf().any().item<bool>();
    return health;
}

} // namespace

Health healthOf(const Value& value) {
    Health health;
    if (value.isTensor()) {
        const at::Tensor& tensor = value.data().toTensor();
        const bool hasNumbers = tensor.defined() && !tensor.is_meta() && tensor.layout() == at::kStrided &&
                                !tensor.is_quantized() && tensor.numel() > 0 &&
                                (c10::isFloatingType(tensor.scalar_type()) || tensor.is_complex());
        return hasNumbers ? healthOfNumbers(tensor) : health;
    }
    if (const std::optional<Values> items = itemsOf(value))
        for (const Value& item : *items)
            health.add(healthOf(item));
    return health;
}

namespace {

std::string elementText(const at::Tensor& element) {
    const c10::Scalar number = element.item();
    if (number.isBoolean())
        return number.toBool() ? "True" : "False";
    if (number.isComplex())
        return pythonComplex({number.toComplexDouble().real(), number.toComplexDouble().imag()});
    if (number.isFloatingPoint()) {
        char buffer[40];
        std::snprintf(buffer, sizeof buffer, "%.5g", number.toDouble());
        return buffer;
    }
    return number.isUnsigned() ? std::to_string(number.toUInt64()) : std::to_string(number.toLong());
}

} // namespace

TensorSample sampleOf(const at::Tensor& slice) {
    constexpr int64_t kRows = 200, kColumns = 64;
    TensorSample out;
    out.shape = slice.sizes().vec();
    if (slice.is_meta() || slice.numel() == 0)
        return out;
    at::Tensor table = sliceable(slice);
    const int64_t columns = table.dim() == 0 ? 1 : table.size(-1);
    out.isCapped = table.numel() / columns > kRows || columns > kColumns;
    // Leading dimensions are unrolled into rows; what no row comes from is left out before anything is
    // copied.
    if (table.dim() > 0)
        table = table.slice(-1, 0, kColumns);
    int64_t rows = 1; // of the dimensions behind
    for (int64_t axis = table.dim() - 2; axis >= 0; --axis) {
        table = table.slice(axis, 0, (kRows + rows - 1) / rows);
        rows *= table.size(axis);
    }
    if (table.is_quantized())
        table = table.dequantize();
    table = table.reshape({-1, std::min(columns, kColumns)}).slice(0, 0, kRows).cpu();
    if (c10::isFloat8Type(table.scalar_type()))
        table = table.to(at::kFloat);
    for (int64_t row = 0; row < table.size(0); ++row) {
        std::vector<std::string>& cells = out.rows.emplace_back();
        for (int64_t column = 0; column < table.size(1); ++column)
            cells.push_back(elementText(table[row][column]));
    }
    return out;
}

} // namespace fx
