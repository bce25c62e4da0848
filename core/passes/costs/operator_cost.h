// SPDX-License-Identifier: GPL-3.0-or-later
// What one call of an operator costs, from the sizes of what goes in and comes out. FLOPs are those of
// PyTorch's counter (torch.utils.flop_counter): products of matrices, convolutions and attention, two for
// each multiplication with its addition; all else is counted by its bytes.
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <string>

namespace c10 {
class OperatorHandle;
}

namespace fx {

struct Traffic {
    uint64_t read = 0, written = 0;
    uint64_t total() const { return read + written; }
    Traffic& operator+=(const Traffic& other) {
        read += other.read;
        written += other.written;
        return *this;
    }
    bool operator==(const Traffic&) const = default;
};

struct OperatorCost {
    std::string name; ///< "aten::addmm"
    uint64_t flops = 0;
    Traffic floating, other; ///< bytes of numbers with a fraction, which another dtype could hold; all others
    c10::ScalarType dtype = c10::ScalarType::Undefined; ///< in which it computes: of its first tensor
    Traffic traffic() const {
        Traffic out = floating;
        return out += other;
    }
};

/// Whether calls of the operator are counted as they are, and not by what they call in turn.
bool isCountedWhole(const c10::OperatorHandle& op);
OperatorCost costOf(const c10::OperatorHandle& op, at::ArrayRef<c10::IValue> args,
                    at::ArrayRef<c10::IValue> results);

} // namespace fx
