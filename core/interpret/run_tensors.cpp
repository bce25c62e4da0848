// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/run_tensors.h"

#include "core/interpret/written_tensors.h"
#include "core/torch/bind/meta_fallback.h"
#include "core/torch/values/script_objects.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

namespace fx {

namespace {

/// Another tensor over the same data, which autograd knows nothing of.
at::Tensor viewOf(const at::Tensor& tensor, const c10::Storage& storage) {
    return at::empty({0}, tensor.options())
        .set_(storage, tensor.storage_offset(), tensor.sizes(), tensor.strides());
}

bool isPlain(const at::Tensor& tensor) {
    return tensor.layout() == at::kStrided && tensor.has_storage() && !tensor.is_quantized();
}

} // namespace

RunTensors::RunTensors(const Model& model, const RunSettings& settings)
    : m_model(model), m_device(settings.device), m_hasGrad(settings.gradMode == GradMode::Grad),
      m_written(writtenTensors(model)) {
    if (m_device && m_device->is_meta())
        supportMeta();
}

at::Tensor RunTensors::apartFromModel(const at::Tensor& tensor) {
    // Of the rows of an embedding there is no clone, and nothing writes into them.
    if (tensor.is_quantized() && tensor.qscheme() == at::kPerChannelAffineFloatQParams)
        return tensor;
    if (!isPlain(tensor))
        return tensor.clone();
    // Two views of one storage stay views of one storage; that of no bytes has no place in memory.
    const void* place = tensor.storage().data();
    const auto [copy, isNew] = m_copies.try_emplace(place ? place : tensor.storage().unsafeGetStorageImpl());
    if (isNew) {
        const auto bytes = static_cast<int64_t>(tensor.storage().nbytes());
        copy->second = at::empty({bytes}, tensor.options().dtype(at::kByte));
        copy->second.copy_(at::empty({0}, copy->second.options()).set_(tensor.storage(), 0, {bytes}, {1}));
    }
    return viewOf(tensor, copy->second.storage());
}

/// Also where it is another tensor of the model that is written, and this one is a view of the same storage.
bool RunTensors::isWritten(TensorId id, const at::Tensor& tensor) {
    if (m_written.contains(id) || m_written.empty() || !isPlain(tensor))
        return m_written.contains(id);
    if (!m_writtenStorages) {
        m_writtenStorages.emplace();
        for (TensorId other : m_written)
            if (const at::Tensor value = m_model.tensor(other).value();
                isPlain(value) && value.storage().data())
                m_writtenStorages->insert(value.storage().data());
    }
    return m_writtenStorages->contains(tensor.storage().data());
}

at::Tensor RunTensors::make(TensorId id, bool moves) {
    // Whatever the graph has set by then, these are its leaves.
    const c10::InferenceMode plain(false);
    const at::NoGradGuard noGrad;
    const TensorMeta& meta = m_model.tensor(id).meta();
    if (moves && m_device && m_device->is_meta() && meta.layout == c10::kStrided)
        return withoutData(meta);
    at::Tensor tensor = m_model.tensor(id).value();
    noteRead(tensor);
    if (tensor.is_meta())
        supportMeta();
    const bool isCopied = isWritten(id, tensor);
    if (moves && m_device)
        tensor = tensor.to(*m_device);
    if (isCopied)
        tensor = apartFromModel(tensor);
    else if (m_hasGrad && isPlain(tensor) && !tensor.is_meta())
        tensor = viewOf(tensor, tensor.storage()); // the model's own may have been read in inference mode
    return tensor;
}

at::Tensor RunTensors::tensor(TensorId id, TensorRole role, bool moves) {
    const auto known = m_tensors.find(id);
    if (known != m_tensors.end())
        return known->second;
    at::Tensor tensor = make(id, moves);
    if (m_wrap)
        tensor = m_wrap(tensor);
    const bool wantsGrad = role == TensorRole::Parameter && m_model.tensor(id).meta().requiresGrad;
    if (wantsGrad && !tensor.requires_grad() && !tensor.is_inference())
        tensor.set_requires_grad(true);
    m_tensors.emplace(id, tensor);
    return tensor;
}

void RunTensors::noteRead(const at::Tensor& tensor) {
    if (tensor.defined() && tensor.has_storage() && tensor.is_cpu())
        if (const FileMemory* file = fileMemoryAt(tensor.storage().data()))
            m_files.try_emplace(file, tensor);
}

void RunTensors::requireUnchangedFiles() const {
    for (const auto& [file, tensor] : m_files)
        file->requireUnchanged();
}

Value RunTensors::scriptObject(ModuleId id) {
    const auto [known, isNew] = m_scriptObjects.try_emplace(id);
    if (!isNew)
        return known->second;
    const Module& module = m_model.module(id);
    const Argument* state = module.value("state");
    const Value made =
        makeScriptObject(module.type, state ? *state : Argument(), [&](const std::string& name) {
            const NamedTensor* entry = module.tensor(name);
            if (entry && entry->tensor)
                return Value(c10::IValue(tensor(entry->tensor, entry->role, false)));
            const ModuleId child = module.child(name);
            return child ? scriptObject(child) : Value();
        });
    return m_scriptObjects[id] = made;
}

} // namespace fx
