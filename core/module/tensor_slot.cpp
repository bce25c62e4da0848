// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/module/tensor_slot.h"

#include "core/base/error.h"

#include <ATen/ATen.h>

#include <mutex>
#include <optional>

namespace fx {

struct TensorSlot::Data {
    std::once_flag described; ///< of a tensor that is at hand: most are never asked for their meta
    TensorMeta meta;
    Loader loader;
    std::mutex mutex;
    std::optional<at::Tensor> value;
};

TensorMeta describe(const at::Tensor& tensor) {
    TensorMeta meta;
    if (!tensor.defined())
        return meta;
    meta.dtype = tensor.scalar_type();
    meta.device = tensor.device();
    meta.layout = tensor.layout();
    meta.requiresGrad = tensor.requires_grad();
    meta.shape.assign(tensor.sizes().begin(), tensor.sizes().end());
    if (tensor.layout() == c10::Layout::Strided)
        meta.stride.assign(tensor.strides().begin(), tensor.strides().end());
    return meta;
}

at::Tensor withoutData(const TensorMeta& meta) {
    const auto numbers = [](const std::vector<Dimension>& dimensions) {
        std::vector<int64_t> out;
        for (const Dimension& dimension : dimensions) {
            const auto* number = std::get_if<int64_t>(&dimension);
            out.push_back(number ? *number : std::get<SymbolicInt>(dimension).hint.value_or(1));
        }
        return out;
    };
    const auto options = at::TensorOptions(c10::kMeta).dtype(meta.dtype);
    return meta.stride.size() == meta.shape.size()
               ? at::empty_strided(numbers(meta.shape), numbers(meta.stride), options)
               : at::empty(numbers(meta.shape), options);
}

TensorSlot::TensorSlot(const at::Tensor& value) : m_data(std::make_shared<Data>()) {
    m_data->value = value;
}

TensorSlot::TensorSlot(TensorMeta meta, Loader loader) : m_data(std::make_shared<Data>()) {
    m_data->meta = std::move(meta);
    m_data->loader = std::move(loader);
}

const TensorMeta& TensorSlot::meta() const {
    if (!m_data->loader)
        std::call_once(m_data->described, [this] { m_data->meta = describe(*m_data->value); });
    return m_data->meta;
}

uint64_t TensorSlot::elementCount() const {
    uint64_t count = 1;
    for (const Dimension& size : meta().shape)
        count *= static_cast<uint64_t>(std::get<int64_t>(size));
    return count;
}

uint64_t TensorSlot::byteCount() const {
    return elementCount() * c10::elementSize(meta().dtype);
}

at::Tensor TensorSlot::value() const {
    std::lock_guard lock(m_data->mutex);
    if (!m_data->value) {
        try {
            m_data->value = m_data->loader();
        } catch (const c10::Error& error) {
            throw Error("", "a tensor cannot be read: " + std::string(error.what_without_backtrace()));
        }
    }
    return *m_data->value;
}

} // namespace fx
