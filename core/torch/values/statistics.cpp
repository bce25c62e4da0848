// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/statistics.h"

#include "core/base/text.h"
#include "core/python/value.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace fx {

namespace {

/// Real numbers on the CPU's side of things: what all of statistics can compute with.
at::Tensor realNumbers(const at::Tensor& tensor) {
    at::Tensor out = tensor.detach();
    if (out.is_quantized())
        out = out.dequantize();
    if (out.layout() != at::kStrided)
        out = out.to_dense();
    if (out.is_complex())
        out = out.abs();
    return out;
}

} // namespace

TensorStatistics statisticsOf(const at::Tensor& tensor) {
    TensorStatistics out;
    out.elementCount = static_cast<uint64_t>(tensor.numel());
    if (tensor.numel() == 0 || tensor.is_meta())
        return out;
    at::Tensor numbers = realNumbers(tensor);
    out.zeroCount =
        static_cast<uint64_t>(numbers.numel() - numbers.to(at::kDouble).count_nonzero().item<int64_t>());
    const bool isFloat = c10::isFloatingType(numbers.scalar_type());
    numbers = numbers.to(at::kDouble).reshape(-1);
    if (isFloat) {
        out.nanCount = static_cast<uint64_t>(numbers.isnan().sum().item<int64_t>());
        out.infCount = static_cast<uint64_t>(numbers.isinf().sum().item<int64_t>());
        if (out.nanCount + out.infCount > 0)
            numbers = numbers.masked_select(numbers.isfinite());
    }
    if (numbers.numel() == 0)
        return out;
    out.minimum = numbers.min().item<double>();
    out.maximum = numbers.max().item<double>();
    out.mean = numbers.mean().item<double>();
    out.deviation = std::sqrt(numbers.sub(*out.mean).square().mean().item<double>());
    const at::Tensor counts = at::histc(numbers.cpu(), 48, *out.minimum, *out.maximum);
    for (int64_t i = 0; i < counts.numel(); ++i)
        out.histogram.push_back(static_cast<uint32_t>(counts[i].item<double>()));
    return out;
}

namespace {

/// Whether all is well, found out without an operator for each step; no answer for what is not that simple.
std::optional<bool> isFiniteAtAGlance(const at::Tensor& tensor) {
    constexpr int64_t kSmall = 4096;
    if (!tensor.is_cpu() || !tensor.is_contiguous() || tensor.numel() > kSmall)
        return std::nullopt;
    const auto look = [&]<class T>(const T* numbers) {
        return std::all_of(numbers, numbers + tensor.numel(), [](T number) { return std::isfinite(number); });
    };
    if (tensor.scalar_type() == at::kFloat)
        return look(tensor.const_data_ptr<float>());
    if (tensor.scalar_type() == at::kDouble)
        return look(tensor.const_data_ptr<double>());
    return std::nullopt;
}

} // namespace

Health healthOf(const Value& value) {
    Health health;
    if (value.isTensor()) {
        const at::Tensor& tensor = value.data().toTensor();
        const bool canBeUnhealthy = tensor.defined() && !tensor.is_meta() &&
                                    tensor.layout() == at::kStrided && !tensor.is_quantized() &&
                                    (c10::isFloatingType(tensor.scalar_type()) || tensor.is_complex());
        if (!canBeUnhealthy || tensor.numel() == 0)
            return health;
        if (isFiniteAtAGlance(tensor) == true)
            return health;
        const at::Tensor numbers = c10::isFloat8Type(tensor.scalar_type()) ? tensor.to(at::kFloat) : tensor;
        // One pass where all is well, which is nearly always.
        if (numbers.isfinite().all().item<bool>())
            return health;
        health.hasNan = numbers.isnan().any().item<bool>();
        health.hasInf = numbers.isinf().any().item<bool>();
        return health;
    }
    if (const std::optional<Values> items = itemsOf(value))
        for (const Value& item : *items) {
            const Health one = healthOf(item);
            health.hasNan |= one.hasNan;
            health.hasInf |= one.hasInf;
        }
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
    at::Tensor table = slice.detach();
    if (table.is_quantized())
        table = table.dequantize();
    if (table.layout() != at::kStrided)
        table = table.to_dense();
    // Leading dimensions are unrolled into rows.
    const int64_t columns = table.dim() == 0 ? 1 : table.size(-1);
    table = table.reshape({-1, columns});
    out.isCapped = table.size(0) > kRows || columns > kColumns;
    table = table.slice(0, 0, kRows).slice(1, 0, kColumns).cpu();
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
