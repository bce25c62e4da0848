// SPDX-License-Identifier: GPL-3.0-or-later
// aten::slice where it begins or ends at a number that depends on symbols: where it lies is decided, as
// PyTorch decides it, so that its size is a plain difference.
#include "core/capture/symbolic_slice.h"

#include "core/torch/values/symbolic_tensors.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

using c10::IValue;
using c10::SymInt;

bool isKnown(const SymInt& number) {
    return number.maybe_as_int() || number.toSymNode()->has_hint();
}

/// From the beginning, and within the tensor.
SymInt within(SymInt place, const SymInt& least, const SymInt& size) {
    if (place < 0)
        place = place + size;
    return place < least ? least : place > size ? size : place;
}

} // namespace

bool sliceSymbolically(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    if (op.schema().name() != "aten::slice" || op.schema().overload_name() != "Tensor")
        return false;
    const std::vector<IValue> given = torch::jit::last(stack, 5).vec(); // tensor, dim, start, end, step
    if (!given[2].isSymInt() && !given[3].isSymInt())
        return false;
    const at::Tensor x = given[0].toTensor();
    const int64_t dim = c10::maybe_wrap_dim(given[1].toInt(), x.dim());
    const SymInt size = x.sym_size(dim), step = given[4].toSymInt();
    SymInt start = given[2].isNone() ? SymInt(0) : given[2].toSymInt(),
           end = given[3].isNone() ? size : given[3].toSymInt();
    if (!isKnown(size) || !isKnown(start) || !isKnown(end) || !step.maybe_as_int())
        return false;
    start = within(start, 0, size);
    end = end >= size ? size : within(end, start, size); // the whole of it is nothing to decide
    std::vector<SymInt> sizes = x.sym_sizes().vec(), strides = x.sym_strides().vec();
    const auto at = static_cast<size_t>(dim);
    sizes[at] = step == 1 ? end - start : (end - start + step - 1) / step;
    const SymInt offset = x.sym_storage_offset() + start * strides[at];
    strides[at] = strides[at] * step;
    torch::jit::drop(stack, given.size());
    stack.emplace_back(fakeTensor(sizes, strides, offset, x.scalar_type(), x.device()));
    return true;
}

} // namespace fx
