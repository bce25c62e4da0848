// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/run_state.h"

#include "core/torch/purity.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

bool writesArguments(const Node& node) {
    const std::string& name = node.target.name();
    if (node.opcode == Opcode::CallMethod)
        return name.ends_with('_') && !name.ends_with("__");
    return node.opcode == Opcode::CallFunction &&
           (mutatesArguments(node.target) || name.starts_with("operator.i") || name == "operator.setitem");
}

bool hasWrites(const Model& model) {
    bool found = false;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        if (found || !model.module(id).graph)
            return;
        for (const Node& node : model.graph(id))
            found |= writesArguments(node);
    });
    return found;
}

} // namespace

RunState::RunState(const Model& model, std::optional<c10::Device> device)
    : m_model(model), m_device(device), m_isWritten(hasWrites(model)) {}

at::Tensor RunState::apartFromModel(const at::Tensor& tensor) {
    if (tensor.layout() != at::kStrided || !tensor.has_storage())
        return tensor.clone();
    // Two views of one storage stay views of one storage.
    const auto [copy, isNew] = m_copies.try_emplace(tensor.storage().data());
    if (isNew) {
        const auto bytes = static_cast<int64_t>(tensor.storage().nbytes());
        copy->second = at::empty({bytes}, tensor.options().dtype(at::kByte));
        copy->second.copy_(at::empty({0}, copy->second.options()).set_(tensor.storage(), 0, {bytes}, {1}));
    }
    return at::empty({0}, tensor.options())
        .set_(copy->second.storage(), tensor.storage_offset(), tensor.sizes(), tensor.strides());
}

at::Tensor RunState::tensor(TensorId id, TensorRole role) {
    const auto known = m_tensors.find(id);
    if (known != m_tensors.end())
        return known->second;
    at::Tensor tensor = m_model.tensor(id).value();
    if (m_device)
        tensor = tensor.to(*m_device);
    // Parameters are not written while running.
    if (m_isWritten && role != TensorRole::Parameter)
        tensor = apartFromModel(tensor);
    m_tensors.emplace(id, tensor);
    return tensor;
}

} // namespace fx
