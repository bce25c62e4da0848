// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors of a model as one run sees them: on its device, and apart from the model where the run writes
// to them.
#pragma once

#include "core/base/file_memory.h"
#include "core/interpret/run_settings.h"
#include "core/module/model.h"
#include "core/python/value.h"

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <set>
#include <unordered_map>

namespace fx {

class RunTensors {
public:
    RunTensors(const Model& model, const RunSettings& settings);

    /// The same tensor each time, so that what the graph writes is there when it reads again. `moves`: false
    /// for a tensor that Module.to would leave where it is.
    at::Tensor tensor(TensorId id, TensorRole role, bool moves = true);
    /// The run sees what `wrap` gives in the place of each tensor. To be set before the first is asked for.
    void wrapTensors(std::function<at::Tensor(const at::Tensor&)> wrap) { m_wrap = std::move(wrap); }
    /// Those that were asked for so far.
    const std::unordered_map<TensorId, at::Tensor>& tensors() const { return m_tensors; }
    /// The object that a module of one of torch.classes stands for (core/torch/values/script_objects.h).
    Value scriptObject(ModuleId module);
    /// The run reads this tensor: it may be memory of a file.
    void noteRead(const at::Tensor& tensor);
    /// Throws an Error if a file has changed whose bytes the run has read: then so may be what it gives.
    void requireUnchangedFiles() const;

private:
    at::Tensor make(TensorId id, bool moves);
    at::Tensor apartFromModel(const at::Tensor& tensor);
    bool isWritten(TensorId id, const at::Tensor& tensor);

    const Model& m_model;
    std::optional<c10::Device> m_device;
    std::function<at::Tensor(const at::Tensor&)> m_wrap;
    bool m_hasGrad;
    std::set<TensorId> m_written;                           ///< what must not be the model's own
    std::optional<std::set<const void*>> m_writtenStorages; ///< of those; found when it is first asked for
    std::unordered_map<TensorId, at::Tensor> m_tensors;
    std::unordered_map<const void*, at::Tensor> m_copies; ///< by the storage that they copy
    std::unordered_map<ModuleId, Value> m_scriptObjects;
    std::map<const FileMemory*, at::Tensor> m_files; ///< with a tensor that keeps the memory
};

} // namespace fx
