// SPDX-License-Identifier: GPL-3.0-or-later
// A tensor of a model: its description is known at once, its data may be read only when it is needed.
// This header is free of ATen, so that the interface can show tensors without including it.
#pragma once

#include "core/ir/meta.h"

#include <functional>
#include <memory>

namespace at {
class Tensor;
}

namespace fx {

/// A handle: copies share the data, as two modules with tied weights do.
class TensorSlot {
public:
    /// Reads the data; may throw fx::Error.
    using Loader = std::function<at::Tensor()>;

    explicit TensorSlot(const at::Tensor& value);
    TensorSlot(TensorMeta meta, Loader loader);

    /// Concrete sizes and strides.
    const TensorMeta& meta() const;
    uint64_t elementCount() const;
    uint64_t byteCount() const;
    /// Loads the data on the first call. Safe from any thread.
    at::Tensor value() const;
    bool isSame(const TensorSlot& other) const { return m_data == other.m_data; }

private:
    struct Data;
    std::shared_ptr<Data> m_data;
};

/// The description of a tensor that is at hand.
TensorMeta describe(const at::Tensor& tensor);
/// A strided tensor of that description without data, on the device meta. A size that is a formula is what
/// it was when the value was recorded, or 1.
at::Tensor withoutData(const TensorMeta& meta);

} // namespace fx
