// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/statistics.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/python/value.h"
#include "core/torch/values/real_numbers.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace fx {

namespace {

/// The element of the whole tensor that has this number among those that were read.
std::vector<int64_t> placeOf(int64_t number, const Thinned& read) {
    std::vector<int64_t> out = indexAt(number, read.numbers.sizes());
    for (size_t axis = 0; axis < out.size(); ++axis)
        out[axis] *= read.steps[axis];
    return out;
}

constexpr int kHistogramBins = 48;

/// Count, mean and sum of squares about it, of what was read so far.
struct Moments {
    double count = 0, mean = 0, squares = 0;

    void add(const Moments& more) {
        if (more.count == 0)
            return;
        const double all = count + more.count, apart = more.mean - mean;
        squares += more.squares + apart * apart * (count / all) * more.count;
        mean += apart * (more.count / all);
        count = all;
    }
};

Moments momentsOf(const std::vector<double>& numbers) {
    Moments out{static_cast<double>(numbers.size()), 0, 0};
    for (const double number : numbers)
        out.mean += number / out.count;
    for (const double number : numbers)
        out.squares += (number - out.mean) * (number - out.mean);
    return out;
}

/// Goes over a tensor in pieces that stay in the cache, and is given up between two of them.
class PieceReader {
public:
    PieceReader(const at::Tensor& tensor, const std::function<bool()>& isGivenUp)
        : m_flat(tensor.reshape(-1)), m_isGivenUp(isGivenUp) {}

    int64_t size() const { return m_flat.numel(); }
    /// `visit`: the place of its first element, and the piece.
    template <class Visit>
    void forEach(const Visit& visit) const {
        constexpr int64_t kPiece = 1 << 16;
        for (int64_t begin = 0; begin < size(); begin += kPiece) {
            if (m_isGivenUp && m_isGivenUp())
                throw Cancelled();
            const at::Tensor piece =
                realNumbers(m_flat.narrow(0, begin, std::min(kPiece, size() - begin))).contiguous();
            visit(begin, std::span(piece.const_data_ptr<double>(), static_cast<size_t>(piece.numel())));
        }
    }

private:
    const at::Tensor m_flat;
    const std::function<bool()>& m_isGivenUp;
};

/// What one pass tells; places are numbers among what is read, -1: there is none.
struct FirstPass {
    uint64_t nans = 0, infs = 0, zeros = 0;
    double least = std::numeric_limits<double>::infinity(), most = -least;
    int64_t leastAt = -1, mostAt = -1, nanAt = -1;
    Moments moments;

    void take(int64_t begin, std::span<const double> piece, std::vector<double>& finite) {
        finite.clear();
        for (size_t i = 0; i < piece.size(); ++i) {
            const double number = piece[i];
            const int64_t at = begin + static_cast<int64_t>(i);
            zeros += number == 0;
            if (std::isnan(number)) {
                nanAt = nans++ ? nanAt : at;
                continue;
            }
            if (std::isinf(number)) {
                ++infs;
                continue;
            }
            if (number < least)
                least = number, leastAt = at;
            if (number > most)
                most = number, mostAt = at;
            finite.push_back(number);
        }
        moments.add(momentsOf(finite));
    }
};

std::vector<uint32_t> histogramOf(const PieceReader& reader, double low, double high) {
    std::vector<uint32_t> out(kHistogramBins);
    if (low == high)
        low -= 1, high += 1;
    // Of halves where the whole is too large for a number; of the smallest there are no halves.
    const double scale = std::isfinite(high - low) ? 1 : 0.5, width = high * scale - low * scale;
    reader.forEach([&](int64_t, std::span<const double> piece) {
        for (const double number : piece)
            if (std::isfinite(number)) {
                const double share = (number * scale - low * scale) / width;
                ++out[static_cast<size_t>(std::clamp(share * kHistogramBins, 0.0, kHistogramBins - 1.0))];
            }
    });
    return out;
}

} // namespace

TensorStatistics statisticsOf(const at::Tensor& tensor, const std::function<bool()>& isGivenUp) {
    TensorStatistics out;
    out.elementCount = static_cast<uint64_t>(tensor.numel());
    if (tensor.numel() == 0 || tensor.is_meta()) {
        out.readCount = out.elementCount;
        return out;
    }
    const Thinned read = thinned(tensor);
    const PieceReader reader(read.numbers, isGivenUp);
    out.readCount = read.isSampled() ? static_cast<uint64_t>(reader.size()) : out.elementCount;
    FirstPass all;
    std::vector<double> finite;
    reader.forEach([&](int64_t begin, std::span<const double> piece) { all.take(begin, piece, finite); });
    out.zeroCount = all.zeros * read.repeats;
    out.nanCount = all.nans * read.repeats;
    out.infCount = all.infs * read.repeats;
    if (all.nans)
        out.nanAt = placeOf(all.nanAt, read);
    if (all.leastAt < 0)
        return out;
    out.minimum = all.least;
    out.maximum = all.most;
    out.minimumAt = placeOf(all.leastAt, read);
    out.maximumAt = placeOf(all.mostAt, read);
    out.mean = all.moments.mean;
    out.deviation = std::sqrt(all.moments.squares / all.moments.count);
    out.histogram = histogramOf(reader, all.least, all.most);
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
