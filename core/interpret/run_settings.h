// SPDX-License-Identifier: GPL-3.0-or-later
// What the user chooses for a run beside its inputs.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// What of autograd a run begins with; regions of the graph may change it.
enum class GradMode { Inference, NoGrad, Grad };

/// "inference", "no_grad" or "grad". Throws an Error for another word.
GradMode parseGradMode(const std::string& text);
/// Those words.
const std::vector<std::string>& gradModeNames();

struct RunSettings {
    /// Where the model's parameters and buffers are moved to; none leaves each where it is.
    std::optional<c10::Device> device = std::nullopt;
    /// Seeds all generators when the run begins, as torch.manual_seed before the call of the model does.
    std::optional<uint64_t> seed = std::nullopt;
    GradMode gradMode = GradMode::Inference;
    /// Whether operators may touch files, other programs and the terminal
    /// (core/torch/bind/operator_effects.h).
    bool isOutsideAllowed = false;
};

} // namespace fx
