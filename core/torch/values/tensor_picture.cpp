// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/tensor_picture.h"

#include "core/base/error.h"
#include "core/torch/values/real_numbers.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fx {

namespace {

std::vector<size_t> axesOf(const std::vector<PictureAxis>& axes, AxisUse use) {
    std::vector<size_t> out;
    for (size_t axis = 0; axis < axes.size(); ++axis)
        if (axes[axis].use == use)
            out.push_back(axis);
    return out;
}

int64_t countOf(const std::vector<PictureAxis>& axes, AxisUse use) {
    int64_t out = 1;
    for (const size_t axis : axesOf(axes, use))
        out *= axes[axis].count();
    return out;
}

/// Gives the axes of one direction larger steps until so many cells are left.
void thinOut(std::vector<PictureAxis>& axes, AxisUse use, int64_t most) {
    while (countOf(axes, use) > most) {
        PictureAxis* longest = nullptr;
        for (PictureAxis& axis : axes)
            if (axis.use == use && (!longest || axis.count() > longest->count()))
                longest = &axis;
        // At once as far as this one axis has to, so that a long one does not take a turn for each step.
        const int64_t wanted = std::max<int64_t>(1, longest->count() * most / countOf(axes, use));
        longest->step = std::max(longest->step + 1, (longest->size + wanted - 1) / wanted);
    }
}

/// Tiles side by side, so that the whole is about square.
void layGrid(TensorPicture& picture) {
    const int64_t tiles = countOf(picture.axes, AxisUse::Grid);
    const int64_t height = std::max<int64_t>(1, countOf(picture.axes, AxisUse::Rows));
    const int64_t width = std::max<int64_t>(1, countOf(picture.axes, AxisUse::Columns));
    const double across = std::sqrt(static_cast<double>(tiles * height) / static_cast<double>(width));
    picture.gridColumns = std::clamp<int64_t>(std::llround(across), 1, std::max<int64_t>(tiles, 1));
    picture.gridRows = (tiles + picture.gridColumns - 1) / picture.gridColumns;
}

TensorPicture laidOut(const std::vector<int64_t>& sizes, const TensorView& view, int64_t most) {
    TensorPicture out;
    const std::vector<AxisUse> uses = view.axes.size() == sizes.size() ? view.axes : usualAxes(sizes);
    if (const std::string fault = faultOfAxes(uses, sizes); !fault.empty())
        throw Error("", fault);
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
        const int64_t place = axis < view.places.size() ? view.places[axis] : 0;
        out.axes.push_back({sizes[axis], uses[axis],
                            std::clamp<int64_t>(place, 0, std::max<int64_t>(sizes[axis] - 1, 0)), 1});
    }
    thinOut(out.axes, AxisUse::Rows, most);
    thinOut(out.axes, AxisUse::Columns, most);
    layGrid(out);
    // A grid of many tiles: fewer places within them first, then fewer tiles.
    const auto shrink = [&](AxisUse use, int64_t tiles) {
        thinOut(out.axes, use, std::max<int64_t>(8, most / tiles));
    };
    shrink(AxisUse::Rows, out.gridRows);
    shrink(AxisUse::Columns, out.gridColumns);
    const int64_t rows = countOf(out.axes, AxisUse::Rows), columns = countOf(out.axes, AxisUse::Columns);
    thinOut(
        out.axes, AxisUse::Grid,
        std::max<int64_t>(1, (most / std::max<int64_t>(rows, 1)) * (most / std::max<int64_t>(columns, 1))));
    layGrid(out);
    out.rows = rows * out.gridRows;
    out.columns = columns * out.gridColumns;
    out.planes = axesOf(out.axes, AxisUse::Colour).empty() ? 1 : 3;
    out.isSampled = std::any_of(out.axes.begin(), out.axes.end(), [](const PictureAxis& axis) {
        return axis.use != AxisUse::At && axis.use != AxisUse::Colour && axis.step > 1;
    });
    return out;
}

void findRange(TensorPicture& picture) {
    for (const double cell : picture.cells) {
        if (!std::isfinite(cell))
            continue;
        picture.minimum = std::min(picture.minimum.value_or(cell), cell);
        picture.maximum = std::max(picture.maximum.value_or(cell), cell);
    }
}

/// The elements that are shown, as [tile, row, column, colour].
at::Tensor shownElements(const at::Tensor& tensor, const std::vector<PictureAxis>& axes, ComplexPart part) {
    at::Tensor piece = sliceable(tensor);
    std::vector<int64_t> order, sizes;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
        const auto at = static_cast<int64_t>(axis);
        const PictureAxis& it = axes[axis];
        piece = it.use == AxisUse::At       ? piece.narrow(at, it.place, 1)
                : it.use == AxisUse::Colour ? piece.narrow(at, 0, 3)
                                            : piece.slice(at, 0, std::nullopt, it.step);
    }
    for (const AxisUse use : {AxisUse::At, AxisUse::Grid, AxisUse::Rows, AxisUse::Columns, AxisUse::Colour}) {
        int64_t count = 1;
        for (const size_t axis : axesOf(axes, use)) {
            order.push_back(static_cast<int64_t>(axis));
            count *= piece.size(static_cast<int64_t>(axis));
        }
        if (use != AxisUse::At)
            sizes.push_back(count);
    }
    return realNumbers(piece, part).permute(order).reshape(sizes).contiguous();
}

} // namespace

std::vector<AxisUse> usualAxes(const std::vector<int64_t>& sizes) {
    std::vector<AxisUse> out(sizes.size(), AxisUse::At);
    const size_t dims = sizes.size();
    if (dims > 0)
        out[dims - 1] = AxisUse::Columns;
    if (dims > 1)
        out[dims - 2] = AxisUse::Rows;
    if (dims > 2)
        out[dims - 3] = AxisUse::Grid;
    // Kernels of a convolution are small: those of all inputs and outputs fit.
    if (dims == 4 && sizes[2] * sizes[3] <= 64 && sizes[0] * sizes[2] <= kMostCells &&
        sizes[1] * sizes[3] <= kMostCells) {
        out[0] = AxisUse::Rows;
        out[1] = AxisUse::Columns;
    }
    return out;
}

std::string faultOfAxes(const std::vector<AxisUse>& axes, const std::vector<int64_t>& sizes) {
    int grids = 0, colours = 0;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
        grids += axes[axis] == AxisUse::Grid;
        colours += axes[axis] == AxisUse::Colour;
        if (axes[axis] == AxisUse::Colour && sizes[axis] < 3)
            return "an axis of " + std::to_string(sizes[axis]) + " has no red, green and blue";
    }
    if (grids > 1)
        return "one axis can be a grid";
    return colours > 1 ? "one axis can be colours" : "";
}

std::optional<std::vector<int64_t>> elementAt(const TensorPicture& picture, int64_t row, int64_t column) {
    const int64_t height = picture.rows / picture.gridRows, width = picture.columns / picture.gridColumns;
    if (row < 0 || column < 0 || row >= picture.rows || column >= picture.columns)
        return std::nullopt;
    const int64_t tile = row / height * picture.gridColumns + column / width;
    if (tile >= countOf(picture.axes, AxisUse::Grid))
        return std::nullopt;
    std::vector<int64_t> out;
    for (const PictureAxis& axis : picture.axes)
        out.push_back(axis.use == AxisUse::At ? axis.place : 0);
    const auto spread = [&](AxisUse use, int64_t at) {
        std::vector<size_t> axes = axesOf(picture.axes, use);
        for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
            out[*axis] = at % picture.axes[*axis].count() * picture.axes[*axis].step;
            at /= picture.axes[*axis].count();
        }
    };
    spread(AxisUse::Grid, tile);
    spread(AxisUse::Rows, row % height);
    spread(AxisUse::Columns, column % width);
    return out;
}

std::optional<std::pair<int64_t, int64_t>> cellOf(const TensorPicture& picture,
                                                  const std::vector<int64_t>& element) {
    if (element.size() != picture.axes.size() || picture.cells.empty())
        return std::nullopt;
    for (size_t axis = 0; axis < element.size(); ++axis)
        if (picture.axes[axis].use == AxisUse::At && picture.axes[axis].place != element[axis])
            return std::nullopt;
    const auto gathered = [&](AxisUse use) {
        int64_t out = 0;
        for (const size_t axis : axesOf(picture.axes, use))
            out = out * picture.axes[axis].count() + element[axis] / picture.axes[axis].step;
        return out;
    };
    const int64_t tile = gathered(AxisUse::Grid);
    return std::pair(tile / picture.gridColumns * (picture.rows / picture.gridRows) + gathered(AxisUse::Rows),
                     tile % picture.gridColumns * (picture.columns / picture.gridColumns) +
                         gathered(AxisUse::Columns));
}

TensorPicture pictureOf(const at::Tensor& tensor, const TensorView& view, int64_t most) {
    TensorPicture out = laidOut(tensor.sizes().vec(), view, most);
    out.isWhole = !tensor.is_quantized() && c10::isIntegralType(tensor.scalar_type(), true);
    if (tensor.numel() == 0 || tensor.is_meta())
        return out;
    const at::Tensor numbers = shownElements(tensor, out.axes, view.part);
    out.cells.assign(static_cast<size_t>(out.planes * out.rows * out.columns),
                     std::numeric_limits<double>::quiet_NaN());
    const double* from = numbers.const_data_ptr<double>();
    const int64_t height = numbers.size(1), width = numbers.size(2);
    for (int64_t tile = 0; tile < numbers.size(0); ++tile)
        for (int64_t row = 0; row < height; ++row)
            for (int64_t column = 0; column < width; ++column)
                for (int64_t plane = 0; plane < out.planes; ++plane) {
                    const int64_t y = tile / out.gridColumns * height + row;
                    const int64_t x = tile % out.gridColumns * width + column;
                    out.cells[static_cast<size_t>((plane * out.rows + y) * out.columns + x)] = *from++;
                }
    findRange(out);
    return out;
}

TensorPicture differenceOf(const TensorPicture& a, const TensorPicture& b) {
    if (a.axes != b.axes || a.cells.size() != b.cells.size())
        throw Error("", "the two have different shapes");
    TensorPicture out = a;
    out.minimum = out.maximum = std::nullopt;
    for (size_t i = 0; i < out.cells.size(); ++i)
        out.cells[i] = a.cells[i] == b.cells[i] ? 0 : a.cells[i] - b.cells[i]; // of two infinities too
    findRange(out);
    return out;
}

std::string quantizationText(const at::Tensor& tensor) {
    if (!tensor.is_quantized())
        return {};
    if (tensor.qscheme() == at::kPerTensorAffine) {
        char scale[40];
        std::snprintf(scale, sizeof scale, "%.6g", tensor.q_scale());
        return std::string("quantized: scale ") + scale + ", zero point " +
               std::to_string(tensor.q_zero_point());
    }
    return "quantized by channel, along axis " + std::to_string(tensor.q_per_channel_axis());
}

} // namespace fx
