// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of values, told apart as far as the choice of an overload depends on them: a call that is bound for
// the kinds of its arguments holds for all values of those kinds.
#pragma once

#include "core/python/value.h"

#include <ATen/core/Tensor.h>

namespace fx {

enum class ArgumentKind : uint8_t {
    Tensor,       ///< whichever of the tensors below: what a call may hold for, never what a value is
    PlainTensor,  ///< that no overload takes for a number or a size
    NumberTensor, ///< without dimensions, which may stand for its number: a float or complex one,
    IntTensor,    ///< a whole one
    BoolTensor,   ///< or a bool
    IndexTensor,  ///< with dimensions and one whole number, which may stand for a size
    Int,
    Bool,
    Float,
    Complex,
    None,
    Text,
    DType,
    Layout,
    MemoryFormat,
    Device,
    Sizes, ///< torch.Size with something in it
    Other  ///< nothing is bound ahead for
};

ArgumentKind kindOf(const Value& value);
/// A value of that kind, to bind a call with; of a plain tensor, an undefined one.
const Value& standInFor(ArgumentKind kind);

inline bool isTensorKind(ArgumentKind kind) {
    return kind <= ArgumentKind::IndexTensor;
}

/// Whether a value is of that kind.
inline bool isOfKind(const Value& value, ArgumentKind kind) {
    if (kind == ArgumentKind::Tensor)
        return value.isTensor();
    if (kind == ArgumentKind::Int)
        return value.isInt();
    if (kind != ArgumentKind::PlainTensor || !value.isTensor())
        return kindOf(value) == kind;
    const at::Tensor& tensor = value.data().toTensor();
    return (tensor.dim() > 0 && tensor.numel() > 1) || kindOf(value) == kind;
}

} // namespace fx
