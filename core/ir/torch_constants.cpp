// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/torch_constants.h"

#include "core/ir/dtype.h"

#include <algorithm>

namespace fx {

namespace {

/// In the order of c10::QScheme.
constexpr std::string_view kSchemes[] = {"per_tensor_affine", "per_channel_affine", "per_tensor_symmetric",
                                         "per_channel_symmetric", "per_channel_affine_float_qparams"};

EnumValue member(std::string_view name) {
    return EnumValue{Target("torch"), std::string(name)};
}

std::optional<EnumValue> qschemeFromName(std::string_view name) {
    if (name.starts_with("torch."))
        name.remove_prefix(6);
    const auto found = std::ranges::find(kSchemes, name);
    return found == std::end(kSchemes) ? std::nullopt : std::optional(member(*found));
}

} // namespace

std::optional<Argument> torchConstant(std::string_view name) {
    if (const auto dtype = dtypeFromName(name))
        return *dtype;
    if (const auto layout = layoutFromName(name))
        return *layout;
    if (const auto format = memoryFormatFromName(name))
        return *format;
    if (auto scheme = qschemeFromName(name))
        return std::move(*scheme);
    return std::nullopt;
}

EnumValue qschemeArgument(c10::QScheme scheme) {
    return member(kSchemes[static_cast<size_t>(scheme)]);
}

bool isQScheme(const Argument& argument) {
    const auto* held = argument.as<EnumValue>();
    return held && held->type.name() == "torch" && qschemeFromName(held->member);
}

} // namespace fx
