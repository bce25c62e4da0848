// SPDX-License-Identifier: GPL-3.0-or-later
// A tensor of any number of dimensions as one picture: its axes are laid down and across, spread as a grid or
// taken as colours, and where an axis is none of these, one place of it is shown. Numbers only; who paints
// them says widgets/panes/tensor_image.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace at {
class Tensor;
}

namespace fx {

enum class AxisUse : uint8_t {
    At,      ///< one place of it is shown
    Rows,    ///< down; of several the first is the outermost
    Columns, ///< across, likewise
    Grid,    ///< its places are tiles, row by row; one axis at most
    Colour,  ///< its first three places are red, green and blue; one axis at most
};

/// What of a complex number is shown.
enum class ComplexPart : uint8_t { Magnitude, Real, Imaginary, Angle };

struct TensorView {
    std::vector<AxisUse> axes;   ///< one for each dimension; where it does not fit, usualAxes()
    std::vector<int64_t> places; ///< of the axes that are At; missing ones are 0
    ComplexPart part = ComplexPart::Magnitude;
    bool operator==(const TensorView&) const = default;
};

/// The last two dimensions down and across, the one before as a grid.
std::vector<AxisUse> usualAxes(const std::vector<int64_t>& sizes);
/// Why a tensor of these sizes cannot be shown so; empty: it can.
std::string faultOfAxes(const std::vector<AxisUse>& axes, const std::vector<int64_t>& sizes);

struct PictureAxis {
    int64_t size = 1;
    AxisUse use = AxisUse::At;
    int64_t place = 0; ///< of an axis that is At
    int64_t step = 1;  ///< only each so many are shown
    int64_t count() const { return use == AxisUse::At ? 1 : (size + step - 1) / step; }
    bool operator==(const PictureAxis&) const = default;
};

struct TensorPicture {
    std::vector<PictureAxis> axes; ///< of the tensor's dimensions
    int64_t rows = 0, columns = 0;
    int64_t gridRows = 1, gridColumns = 1;
    int planes = 1;                         ///< 3: red, green and blue
    std::vector<double> cells;              ///< plane by plane, row by row
    std::optional<double> minimum, maximum; ///< of those that are finite
    bool isSampled = false;                 ///< an axis has a step
    bool isWhole = false;                   ///< integers or bools

    double cell(int64_t row, int64_t column, int plane = 0) const {
        return cells[static_cast<size_t>((plane * rows + row) * columns + column)];
    }
};

/// Which element of the tensor a cell is; none where the grid has no tile. The axis of colours stands at 0.
std::optional<std::vector<int64_t>> elementAt(const TensorPicture& picture, int64_t row, int64_t column);
/// The cell in which the element is, or its nearest neighbour of those that are shown; none where an axis
/// shows another place.
std::optional<std::pair<int64_t, int64_t>> cellOf(const TensorPicture& picture,
                                                  const std::vector<int64_t>& element);

inline constexpr int64_t kMostCells = 512, kThumbnailCells = 48; ///< each way

/// At most about `most` cells each way, however large the tensor is. Throws an Error for axes that do not
/// fit.
TensorPicture pictureOf(const at::Tensor& tensor, const TensorView& view, int64_t most = kMostCells);
/// The first less the second, cell by cell; both are of tensors of one shape, and of one view.
TensorPicture differenceOf(const TensorPicture& a, const TensorPicture& b);

/// "quantized: scale 0.05, zero point 128"; empty: the elements are what they are.
std::string quantizationText(const at::Tensor& tensor);

} // namespace fx
