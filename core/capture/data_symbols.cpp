// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/data_symbols.h"

#include "core/capture/symbolic_call.h"
#include "core/torch/values/symbolic_tensors.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

using c10::IValue;
using c10::SymInt;
using c10::SymNode;
using torch::jit::Stack;

/// A dense one.
at::Tensor fakeOf(const at::Tensor& like, const std::vector<SymInt>& sizes, c10::ScalarType dtype) {
    std::vector<SymInt> strides(sizes.size());
    SymInt stride = 1;
    for (size_t i = sizes.size(); i-- > 0;) {
        strides[i] = stride;
        stride = stride * sizes[i];
    }
    return fakeTensor(sizes, strides, 0, dtype, like.device());
}

at::Tensor places(const at::Tensor& like, const std::vector<SymInt>& sizes) {
    return fakeOf(like, sizes, c10::kLong);
}

bool isMask(const IValue& value) {
    return value.isTensor() && value.toTensor().defined() &&
           (value.toTensor().scalar_type() == c10::kBool || value.toTensor().scalar_type() == c10::kByte);
}

/// The results of the operators that look for what is there once: the elements, the place of each of the
/// given ones among them, and how many each is of, both empty where nobody wants them.
void pushUnique(Stack& stack, const at::Tensor& elements, const std::vector<SymInt>& given, bool hasPlaces,
                bool hasCounts, const SymInt& count) {
    stack.emplace_back(elements);
    stack.emplace_back(places(elements, hasPlaces ? given : std::vector<SymInt>{0}));
    stack.emplace_back(places(elements, {hasCounts ? count : SymInt(0)}));
}

void unique(const std::string& name, const std::vector<IValue>& given, Stack& stack,
            SymbolEnvironment& environment) {
    const at::Tensor& x = given[0].toTensor();
    const SymInt count(environment.unknownInt());
    const std::vector<SymInt> all = x.sym_sizes().vec();
    const bool isConsecutive = name == "aten::unique_consecutive";
    const size_t flags = isConsecutive ? 1 : name == "aten::unique_dim" ? 3 : 2;
    const IValue dim = isConsecutive ? given[3] : name == "aten::unique_dim" ? given[1] : IValue();
    std::vector<SymInt> sizes{count}, of = all;
    if (!dim.isNone()) {
        const auto at = static_cast<size_t>(c10::maybe_wrap_dim(dim.toInt(), x.dim()));
        sizes = all;
        sizes[at] = count;
        of = {all[at]};
    }
    pushUnique(stack, fakeOf(x, sizes, x.scalar_type()), of, given[flags].toBool(), given[flags + 1].toBool(),
               count);
}

} // namespace

void DataSymbols::setNumber(const at::Tensor& tensor, const SymNode& number) {
    m_numbers.insert_or_assign(tensor.unsafeGetTensorImpl(),
                               Known{c10::weak_intrusive_ptr<c10::TensorImpl>(tensor.getIntrusivePtr()),
                                     tensor.unsafeGetTensorImpl()->version_counter().current_version(),
                                     number});
}

SymNode DataSymbols::numberIn(const at::Tensor& tensor, SymbolEnvironment& environment) {
    const auto known = m_numbers.find(tensor.unsafeGetTensorImpl());
    if (known != m_numbers.end() && !known->second.tensor.expired() &&
        known->second.version == tensor.unsafeGetTensorImpl()->version_counter().current_version())
        return known->second.number;
    SymNode number = tensor.is_floating_point() ? environment.unknownFloat() : environment.unknownInt();
    if (tensor.scalar_type() == c10::kBool)
        number = number->eq(number->wrap_int(1));
    setNumber(tensor, number);
    return number;
}

SymInt DataSymbols::countOf(const at::Tensor& tensor, SymbolEnvironment& environment) {
    const uint32_t version = tensor.unsafeGetTensorImpl()->version_counter().current_version();
    const auto known = m_counts.find(tensor.unsafeGetTensorImpl());
    if (known != m_counts.end() && !known->second.tensor.expired() && known->second.version == version)
        return SymInt(known->second.number);
    const SymNode count = environment.unknownInt();
    m_counts.insert_or_assign(
        tensor.unsafeGetTensorImpl(),
        Known{c10::weak_intrusive_ptr<c10::TensorImpl>(tensor.getIntrusivePtr()), version, count});
    return SymInt(count);
}

/// Each mask is as many tensors of places as it has dimensions.
void DataSymbols::index(const c10::OperatorHandle& op, Stack& stack,
                        const std::shared_ptr<SymbolEnvironment>& environment) {
    c10::List<std::optional<at::Tensor>> found;
    for (const IValue& item : stack[stack.size() - 1].toListRef()) {
        if (!isMask(item)) {
            found.push_back(item.isNone() ? std::nullopt : std::optional(item.toTensor()));
            continue;
        }
        const SymInt count = countOf(item.toTensor(), *environment);
        for (int64_t dim = 0; dim < item.toTensor().dim(); ++dim)
            found.push_back(places(item.toTensor(), {count}));
    }
    stack.back() = std::move(found);
    callSymbolically(op, stack, environment);
}

bool DataSymbols::call(const c10::OperatorHandle& op, Stack& stack,
                       const std::shared_ptr<SymbolEnvironment>& environment) {
    const std::string& name = op.schema().name();
    const std::vector<IValue> given = torch::jit::last(stack, op.schema().arguments().size()).vec();
    if (name == "aten::index" && op.schema().overload_name() == "Tensor") {
        if (!std::ranges::any_of(given[1].toListRef(), isMask))
            return false;
        index(op, stack, environment);
        return true;
    }
    const bool isUnique =
        name == "aten::_unique2" || name == "aten::unique_dim" || name == "aten::unique_consecutive";
    const bool isRepeat =
        name == "aten::repeat_interleave" && op.schema().overload_name() == "Tensor" && given[1].isNone();
    const bool isAssertion = name == "aten::_assert_async";
    if (!isUnique && !isRepeat && !isAssertion && name != "aten::nonzero" && name != "aten::masked_select" &&
        name != "aten::_local_scalar_dense")
        return false;
    torch::jit::drop(stack, given.size());
    if (isAssertion)
        return true;
    const at::Tensor& x = given[0].toTensor();
    if (isUnique)
        unique(name, given, stack, *environment);
    else if (isRepeat)
        stack.emplace_back(places(x, {SymInt(environment->unknownInt())}));
    else if (name == "aten::nonzero")
        stack.emplace_back(places(x, {countOf(x, *environment), x.dim()}));
    else if (name == "aten::masked_select")
        stack.emplace_back(fakeOf(x, {SymInt(environment->unknownInt())}, x.scalar_type()));
    else {
        const SymNode number = numberIn(x, *environment);
        stack.push_back(number->is_int()     ? IValue(SymInt(number))
                        : number->is_float() ? IValue(c10::SymFloat(number))
                                             : IValue(c10::SymBool(number)));
    }
    return true;
}

} // namespace fx
