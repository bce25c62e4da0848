// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/module_effects.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace fx {

namespace {

enum class InMode { Never, Training, Always };

/// A class below torch.nn.modules, or, without a dot, all classes of a file that no row above names.
struct EffectsRow {
    std::string_view name;
    InMode drawsRandom = InMode::Never, keepsState = InMode::Never;
    bool sharesMemory = false;
};

// tests/oracle/check_module_effects.py holds random numbers and state against PyTorch, by what cse merges.
constexpr EffectsRow kEffectsRows[] = {
    {"activation.MultiheadAttention", InMode::Training, InMode::Never, true},
    {"activation.RReLU", InMode::Training},
    {"activation"},
    {"adaptive", InMode::Never, InMode::Never, true},
    {"batchnorm", InMode::Never, InMode::Training},
    {"channelshuffle", InMode::Never, InMode::Never, true}, // not on the CPU
    {"container", InMode::Never, InMode::Never, true},
    {"conv"},
    {"distance"},
    {"dropout", InMode::Training, InMode::Never, true},
    {"flatten", InMode::Never, InMode::Never, true},
    {"fold"},
    {"instancenorm", InMode::Never, InMode::Training},
    {"linear.Identity", InMode::Never, InMode::Never, true},
    {"linear"},
    // It calls a function of a user.
    {"loss.TripletMarginWithDistanceLoss", InMode::Always, InMode::Always, true},
    {"loss"},
    {"normalization"},
    {"padding"},
    {"pixelshuffle"},
    {"pooling.FractionalMaxPool2d", InMode::Always},
    {"pooling.FractionalMaxPool3d", InMode::Always},
    {"pooling"},
    {"rnn", InMode::Training, InMode::Never, true},
    {"sparse"},
    {"transformer", InMode::Always, InMode::Never, true}, // an activation can be a function of a user
    {"upsampling"},
};

const EffectsRow* effectsRowOf(std::string_view type) {
    constexpr std::string_view kHead = "torch.nn.modules.";
    if (!type.starts_with(kHead))
        return nullptr;
    type.remove_prefix(kHead.size());
    const std::string_view file = type.substr(0, type.find('.'));
    // The first call of a lazy module makes its weights.
    if (type.substr(std::min(file.size() + 1, type.size())).starts_with("Lazy"))
        return nullptr;
    const auto row = std::ranges::find_if(
        kEffectsRows, [&](const EffectsRow& each) { return each.name == type || each.name == file; });
    return row == std::end(kEffectsRows) ? nullptr : row;
}

bool isGiven(const Argument* value) {
    return value && !value->isNone();
}

} // namespace

ModuleEffects effectsOf(const Module& module) {
    const EffectsRow* row = effectsRowOf(module.type);
    if (!row)
        return {};
    const auto holds = [&](InMode when) {
        return when == InMode::Always || (when == InMode::Training && module.isTraining);
    };
    const bool hasBuffers = std::ranges::any_of(module.tensors, [](const NamedTensor& each) {
        return each.tensor && each.role != TensorRole::Parameter;
    });
    const bool keepsState = row->keepsState == InMode::Always || (hasBuffers && holds(row->keepsState));
    return {holds(row->drawsRandom), keepsState || isGiven(module.value("max_norm")), row->sharesMemory};
}

} // namespace fx
