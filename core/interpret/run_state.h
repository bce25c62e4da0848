// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors of a model as one run sees them: on its device, and apart from the model where the run writes
// to them.
#pragma once

#include "core/module/model.h"

#include <ATen/core/Tensor.h>

#include <optional>
#include <unordered_map>

namespace fx {

class RunState {
public:
    /// `device`: none leaves each tensor where it is.
    explicit RunState(const Model& model, std::optional<c10::Device> device = std::nullopt);

    /// The same tensor each time, so that what the graph writes is there when it reads again.
    at::Tensor tensor(TensorId id, TensorRole role);

private:
    at::Tensor apartFromModel(const at::Tensor& tensor);

    const Model& m_model;
    std::optional<c10::Device> m_device;
    bool m_isWritten; ///< some operator of the model changes its arguments
    std::unordered_map<TensorId, at::Tensor> m_tensors;
    std::unordered_map<const void*, at::Tensor> m_copies; ///< by the storage that they copy
};

} // namespace fx
