// SPDX-License-Identifier: GPL-3.0-or-later
// What a node's value is in a TorchScript program that is being made: one value of the program, or a
// container whose parts are known while it is made.
#pragma once

#include "core/ir/argument.h"
#include "core/torch/bind/argument_kinds.h"

#include <torch/csrc/jit/ir/ir.h>

#include <string>
#include <vector>

namespace fx {

using JitValue = torch::jit::Value;

struct Lowered {
    enum class Form { Single, Tuple, List, Dict };

    Form form = Form::Single;
    JitValue* value = nullptr; ///< of a single one
    /// Of a single one: TorchScript has an int for a dtype, too.
    ArgumentKind kind = ArgumentKind::Other;
    std::vector<Lowered> parts;
    Arguments keys;                 ///< of a dict
    std::vector<std::string> names; ///< of results that have names
    std::string graph;              ///< where a module is that a node has read, for an operator that calls it
};

/// By its type; `kind` is Other where a call is not bound by it.
inline Lowered loweredValue(JitValue* value) {
    Lowered out;
    out.value = value;
    const c10::TypePtr& type = value->type();
    const auto isOptionalTensor = [&] {
        const auto optional = type->cast<c10::OptionalType>();
        return optional && optional->getElementType()->kind() == c10::TypeKind::TensorType;
    };
    switch (type->kind()) {
    case c10::TypeKind::TensorType:
        out.kind = ArgumentKind::PlainTensor;
        break;
    case c10::TypeKind::IntType:
        out.kind = ArgumentKind::Int;
        break;
    case c10::TypeKind::BoolType:
        out.kind = ArgumentKind::Bool;
        break;
    case c10::TypeKind::FloatType:
        out.kind = ArgumentKind::Float;
        break;
    case c10::TypeKind::NoneType:
        out.kind = ArgumentKind::None;
        break;
    case c10::TypeKind::StringType:
        out.kind = ArgumentKind::Text;
        break;
    case c10::TypeKind::DeviceObjType:
        out.kind = ArgumentKind::Device;
        break;
    case c10::TypeKind::ListType:
        if (type->expectRef<c10::ListType>().getElementType()->kind() == c10::TypeKind::IntType)
            out.kind = ArgumentKind::Sizes;
        break;
    default:
        if (isOptionalTensor())
            out.kind = ArgumentKind::PlainTensor;
    }
    return out;
}

inline Lowered loweredTuple(std::vector<Lowered> parts, Lowered::Form form = Lowered::Form::Tuple) {
    Lowered out;
    out.form = form;
    out.parts = std::move(parts);
    return out;
}

} // namespace fx
