// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/module_effects.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace fx {

namespace {

enum class When { Never, Training, Always };

/// A class below torch.nn.modules, or, without a dot, all classes of a file that no row above names.
struct Row {
    std::string_view name;
    When drawsRandom = When::Never, keepsState = When::Never;
    bool sharesMemory = false;
};

// tests/oracle/check_module_effects.py holds random numbers and state against PyTorch, by what cse merges.
constexpr Row kRows[] = {
    {"activation.MultiheadAttention", When::Training, When::Never, true},
    {"activation.RReLU", When::Training},
    {"activation"},
    {"adaptive", When::Never, When::Never, true},
    {"batchnorm", When::Never, When::Training},
    {"channelshuffle", When::Never, When::Never, true}, // not on the CPU
    {"container", When::Never, When::Never, true},
    {"conv"},
    {"distance"},
    {"dropout", When::Training, When::Never, true},
    {"flatten", When::Never, When::Never, true},
    {"fold"},
    {"instancenorm", When::Never, When::Training},
    {"linear.Identity", When::Never, When::Never, true},
    {"linear"},
    {"loss.TripletMarginWithDistanceLoss", When::Always, When::Always, true}, // calls a function of a user
    {"loss"},
    {"normalization"},
    {"padding"},
    {"pixelshuffle"},
    {"pooling.FractionalMaxPool2d", When::Always},
    {"pooling.FractionalMaxPool3d", When::Always},
    {"pooling"},
    {"rnn", When::Training, When::Never, true},
    {"sparse"},
    {"transformer", When::Always, When::Never, true}, // an activation can be a function of a user
    {"upsampling"},
};

const Row* rowOf(std::string_view type) {
    constexpr std::string_view kHead = "torch.nn.modules.";
    if (!type.starts_with(kHead))
        return nullptr;
    type.remove_prefix(kHead.size());
    const std::string_view file = type.substr(0, type.find('.'));
    // The first call of a lazy module makes its weights.
    if (type.substr(std::min(file.size() + 1, type.size())).starts_with("Lazy"))
        return nullptr;
    const auto row =
        std::ranges::find_if(kRows, [&](const Row& each) { return each.name == type || each.name == file; });
    return row == std::end(kRows) ? nullptr : row;
}

bool isSet(const Argument* value) {
    return value && !value->isNone();
}

} // namespace

ModuleEffects effectsOf(const Module& module) {
    const Row* row = rowOf(module.type);
    if (!row)
        return {};
    const auto holds = [&](When when) {
        return when == When::Always || (when == When::Training && module.isTraining);
    };
    const bool hasBuffers = std::ranges::any_of(module.tensors, [](const NamedTensor& each) {
        return each.tensor && each.role != TensorRole::Parameter;
    });
    const bool keepsState = row->keepsState == When::Always || (hasBuffers && holds(row->keepsState));
    return {holds(row->drawsRandom), keepsState || isSet(module.value("max_norm")), row->sharesMemory};
}

} // namespace fx
