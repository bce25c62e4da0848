// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/convolution_settings.h"

namespace fx {

std::optional<std::vector<int64_t>> numbersOf(const Argument* argument, size_t count, int64_t otherwise) {
    if (!argument)
        return std::vector<int64_t>(count, otherwise);
    if (const auto* number = argument->as<int64_t>())
        return std::vector<int64_t>(count, *number);
    if (const auto* word = argument->as<std::string>())
        return *word == "valid" ? std::optional(std::vector<int64_t>(count, 0)) : std::nullopt;
    std::vector<int64_t> out;
    for (const Argument& item : argument->items() ? *argument->items() : Arguments())
        if (const auto* number = item.as<int64_t>())
            out.push_back(*number);
    if (out.size() == 1)
        out.resize(count, out[0]);
    return out.size() == count ? std::optional(out) : std::nullopt;
}

Argument numberList(const std::vector<int64_t>& numbers) {
    return ListValue{Arguments(numbers.begin(), numbers.end())};
}

std::optional<ConvolutionSettings> settingsOf(const std::function<const Argument*(const char* name)>& given,
                                              size_t dimensions) {
    auto stride = numbersOf(given("stride"), dimensions, 1);
    auto padding = numbersOf(given("padding"), dimensions, 0);
    auto dilation = numbersOf(given("dilation"), dimensions, 1);
    if (!stride || !padding || !dilation)
        return std::nullopt;
    return ConvolutionSettings{std::move(*stride), std::move(*padding), std::move(*dilation)};
}

} // namespace fx
