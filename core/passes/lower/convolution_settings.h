// SPDX-License-Identifier: GPL-3.0-or-later
// How a convolution's kernel moves, as one number for each dimension.
#pragma once

#include "core/ir/argument.h"

#include <functional>
#include <optional>
#include <vector>

namespace fx {

struct ConvolutionSettings {
    std::vector<int64_t> stride, padding, dilation;
    bool operator==(const ConvolutionSettings&) const = default;
};

/// `given` is what a call or a module has under "stride", "padding" and "dilation"; null: the default. None
/// for the padding "same" and for what is computed.
std::optional<ConvolutionSettings> settingsOf(const std::function<const Argument*(const char* name)>& given,
                                              size_t dimensions);

/// A setting as one number for each dimension; none where it is no number.
std::optional<std::vector<int64_t>> numbersOf(const Argument* argument, size_t count, int64_t otherwise);
Argument numberList(const std::vector<int64_t>& numbers);

} // namespace fx
