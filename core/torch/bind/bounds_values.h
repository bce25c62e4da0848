// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of a call as rules for bounds read them, and how a rule refuses one.
#pragma once

#include "core/torch/bind/bounds_rules.h"

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace fx {

std::optional<size_t> argumentNamed(const c10::FunctionSchema& schema, std::string_view name);
/// Null where the argument is left out or no tensor, and for a tensor whose sizes are symbols.
const at::Tensor* tensorIn(const c10::IValue& value);
/// An int, or those of a list; symbols are left out.
std::vector<int64_t> intsIn(const c10::IValue& value);
/// "[2, 3]"
std::string listedSizes(at::IntArrayRef sizes);
/// The elements of a tensor of integers, from any device; none for a tensor without data.
std::vector<int64_t> elementsIn(const at::Tensor& tensor);

/// Throws: "aten::OP: argument 'NAME' FAULT".
[[noreturn]] void refuseArgument(const BoundedCall& call, size_t argument, const std::string& fault);
/// Throws unless the integers of a tensor are from `least` to `limit` - 1, or `allowed`.
void requireWithin(const BoundedCall& call, size_t argument, int64_t least, int64_t limit,
                   std::optional<int64_t> allowed = {});
/// Throws unless a view of these sizes and strides, in elements of `itemBytes` bytes, lies within `bytes`
/// bytes. `offset`: in elements.
void requireExtent(const BoundedCall& call, at::IntArrayRef sizes, at::IntArrayRef strides, int64_t offset,
                   size_t itemBytes, size_t bytes);

/// The arguments of one call by name. A family has them all, or its rule is for no such overload.
class NamedArguments {
public:
    explicit NamedArguments(const BoundedCall& call) : m_call(call) {}

    size_t at(std::string_view name) const { return argumentNamed(m_call.schema, name).value(); }
    const c10::IValue& value(std::string_view name) const { return m_call.args[at(name)]; }
    /// Null where it is left out.
    const at::Tensor* tensor(std::string_view name) const {
        return argumentNamed(m_call.schema, name) ? tensorIn(value(name)) : nullptr;
    }
    int64_t number(std::string_view name) const { return value(name).isInt() ? value(name).toInt() : 0; }
    [[noreturn]] void refuse(std::string_view name, const std::string& fault) const {
        refuseArgument(m_call, at(name), fault);
    }
    const BoundedCall& call() const { return m_call; }

private:
    const BoundedCall& m_call;
};

} // namespace fx
