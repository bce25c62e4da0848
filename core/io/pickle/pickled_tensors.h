// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors of a torch.save file: from the record of the call that would rebuild one to a slot that reads
// it when it is used. Strided, quantized, sparse COO and meta tensors; other kinds are none.
#pragma once

#include "core/io/torch/torch_container.h"
#include "core/module/tensor_slot.h"

#include <map>
#include <optional>
#include <tuple>

namespace fx {

struct PickledTensor {
    TensorSlot slot;
    bool isParameter = false;
    const PickleValue* attributes = nullptr; ///< a dict, where the tensor had attributes of its own
};

class PickledTensors {
public:
    /// The container outlives this, and need not outlive the slots. Ties: a record that is referred to twice
    /// is one slot; with `tiesEqualViews` so are two records of the same view of the same storage, which is
    /// how a state_dict holds tied weights.
    PickledTensors(const TorchContainer& container, bool tiesEqualViews);

    /// None where the value is no tensor, or of a kind that is not known. Throws at the container's place for
    /// a tensor that does not lie inside its storage.
    std::optional<PickledTensor> find(const PickleValue& value);

private:
    using View =
        std::tuple<std::string, c10::ScalarType, std::vector<int64_t>, std::vector<int64_t>, int64_t, bool>;

    std::optional<PickledTensor> findNew(const PickleValue& value, int depth);
    PickledTensor parameter(const std::vector<PickleRef>& arguments, int depth);
    TensorSlot strided(const std::vector<PickleRef>& arguments, bool hasDtype, bool requiresGrad);
    TensorSlot quantized(const std::vector<PickleRef>& arguments);
    std::optional<TensorSlot> sparse(const std::vector<PickleRef>& arguments, int depth);
    TensorSlot metaTensor(const std::vector<PickleRef>& arguments);
    StridedShape shapeOf(const std::vector<PickleRef>& arguments, c10::ScalarType dtype);
    std::vector<int64_t> integers(const PickleValue& value);
    [[noreturn]] void fail(const std::string& message) const;

    const TorchContainer& m_container;
    bool m_tiesEqualViews;
    std::map<const PickleValue*, PickledTensor> m_known;
    std::map<View, TensorSlot> m_views;
};

/// torch.float32 as a pickle names it.
std::optional<c10::ScalarType> pickledDtype(const PickleValue& value);

} // namespace fx
