// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/call_facts.h"

#include "core/base/text.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace fx {

namespace {

enum class InMode { Never, Training, Always };

/// A class below torch.nn.modules, or, without a dot, all classes of a file that no row above names.
struct ModuleFactsRow {
    std::string_view name;
    InMode drawsRandom = InMode::Never, keepsState = InMode::Never;
    bool sharesMemory = false;
    CallKind kind = CallKind::Other;
};

// tests/oracle/check_call_facts.py holds random numbers and state against PyTorch, by what cse merges.
constexpr ModuleFactsRow kModuleFacts[] = {
    {"activation.MultiheadAttention", InMode::Training, InMode::Never, true, CallKind::Attention},
    {"activation.RReLU", InMode::Training},
    {"activation"},
    {"adaptive", InMode::Never, InMode::Never, true},
    {"batchnorm", InMode::Never, InMode::Training, false, CallKind::BatchNorm},
    {"channelshuffle", InMode::Never, InMode::Never, true}, // not on the CPU
    {"container", InMode::Never, InMode::Never, true},
    {"conv"},
    {"distance"},
    {"dropout", InMode::Training, InMode::Never, true, CallKind::Dropout},
    {"flatten", InMode::Never, InMode::Never, true},
    {"fold"},
    {"instancenorm", InMode::Never, InMode::Training, false, CallKind::InstanceNorm},
    {"linear.Identity", InMode::Never, InMode::Never, true},
    {"linear"},
    // It calls a function of a user.
    {"loss.TripletMarginWithDistanceLoss", InMode::Always, InMode::Always, true},
    {"loss"},
    {"normalization.CrossMapLRN2d"},
    {"normalization", InMode::Never, InMode::Never, false, CallKind::OtherNorm},
    {"padding"},
    {"pixelshuffle"},
    {"pooling.FractionalMaxPool2d", InMode::Always},
    {"pooling.FractionalMaxPool3d", InMode::Always},
    {"pooling"},
    {"rnn", InMode::Training, InMode::Never, true},
    {"sparse", InMode::Never, InMode::Never, false, CallKind::Embedding},
    {"transformer", InMode::Always, InMode::Never, true}, // an activation can be a function of a user
    {"upsampling"},
};

using Draws = FunctionFacts::Draws;

// The first row that fits counts.
constexpr FunctionFacts kFunctionFacts[] = {
    {"dropout", CallKind::Dropout, Draws::InTraining, true},
    {"dropout1d", CallKind::Dropout, Draws::InTraining, true},
    {"dropout2d", CallKind::Dropout, Draws::InTraining, true},
    {"dropout3d", CallKind::Dropout, Draws::InTraining, true},
    {"dropout_", CallKind::Dropout, Draws::InTraining, true},
    {"alpha_dropout", CallKind::Dropout, Draws::InTraining, true},
    {"alpha_dropout_", CallKind::Dropout, Draws::InTraining, true},
    {"feature_dropout", CallKind::Dropout, Draws::InTraining, true},
    {"feature_dropout_", CallKind::Dropout, Draws::InTraining, true},
    {"feature_alpha_dropout", CallKind::Dropout, Draws::InTraining, true},
    {"feature_alpha_dropout_", CallKind::Dropout, Draws::InTraining, true},
    {"native_dropout", CallKind::Dropout, Draws::InTraining, true},
    {"rrelu", CallKind::Other, Draws::InTraining},
    {"gumbel_softmax", CallKind::Other, Draws::Always},
    {"multi_head_attention_forward", CallKind::Attention, Draws::InTraining},
    {"scaled_dot_product_attention", CallKind::Attention, Draws::ByRate},
    {"*dropout", CallKind::Other, Draws::InTraining, true},
    {"*fractional_max_pool", CallKind::Other, Draws::Always},
    {"*channel_shuffle", CallKind::Other, Draws::Never, true},
    {"*atleast_", CallKind::Other, Draws::Never, true},
    {"*unsafe_chunk", CallKind::Other, Draws::Never, true},
    {"*unsafe_split", CallKind::Other, Draws::Never, true},
    {"*histogramdd", CallKind::Other, Draws::Never, true}, // its bins
    {"*autocast_to_", CallKind::Other, Draws::Never, true},
    {"_unsafe_view", CallKind::Other, Draws::Never, true},
    {"broadcast_tensors", CallKind::Other, Draws::Never, true},
    {"conj_physical", CallKind::Other, Draws::Never, true},
    {"cartesian_prod", CallKind::Other, Draws::Never, true},
    {"data", CallKind::Other, Draws::Never, true},
    {"dequantize", CallKind::Other, Draws::Never, true},
    {"einsum", CallKind::Other, Draws::Never, true},
    {"lift", CallKind::Other, Draws::Never, true},
    {"meshgrid", CallKind::Other, Draws::Never, true},
    {"sum_to_size", CallKind::Other, Draws::Never, true},
    {"to_dense", CallKind::Other, Draws::Never, true},
    {"type_as", CallKind::Other, Draws::Never, true},
    {"*batch_norm", CallKind::BatchNorm},
    {"*instance_norm", CallKind::InstanceNorm},
    {"*fake_quant", CallKind::Other, Draws::Never, false, true},
    {"*embedding", CallKind::Embedding},
};

const ModuleFactsRow* moduleFactsRowOf(std::string_view type) {
    constexpr std::string_view kHead = "torch.nn.modules.";
    if (!type.starts_with(kHead))
        return nullptr;
    type.remove_prefix(kHead.size());
    const std::string_view file = type.substr(0, type.find('.'));
    // The first call of a lazy module makes its weights.
    if (type.substr(std::min(file.size() + 1, type.size())).starts_with("Lazy"))
        return nullptr;
    const auto row = std::ranges::find_if(
        kModuleFacts, [&](const ModuleFactsRow& each) { return each.name == type || each.name == file; });
    return row == std::end(kModuleFacts) ? nullptr : row;
}

bool isGiven(const Argument* value) {
    return value && !value->isNone();
}

} // namespace

ModuleFacts factsOf(const Module& module) {
    const ModuleFactsRow* row = moduleFactsRowOf(module.type);
    if (!row) {
        // Of others' classes the name is all that there is to go by.
        ModuleFacts out;
        out.kind = contains(module.type, "Norm") ? CallKind::OtherNorm : CallKind::Other;
        return out;
    }
    const auto holds = [&](InMode when) {
        return when == InMode::Always || (when == InMode::Training && module.isTraining);
    };
    const bool hasBuffers = std::ranges::any_of(module.tensors, [](const NamedTensor& each) {
        return each.tensor && each.role != TensorRole::Parameter;
    });
    const bool keepsState = row->keepsState == InMode::Always || (hasBuffers && holds(row->keepsState));
    return {row->kind, holds(row->drawsRandom), keepsState || isGiven(module.value("max_norm")),
            row->sharesMemory};
}

const FunctionFacts& factsOfFunction(std::string_view name) {
    static constexpr FunctionFacts kNone;
    const auto* const row = std::ranges::find_if(kFunctionFacts, [&](const FunctionFacts& each) {
        return each.name.starts_with('*') ? contains(name, each.name.substr(1)) : each.name == name;
    });
    return row == std::end(kFunctionFacts) ? kNone : *row;
}

} // namespace fx
