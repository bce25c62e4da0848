// SPDX-License-Identifier: GPL-3.0-or-later
// Which operator an overload of a function in C calls, and which of its parameters becomes which argument of
// it.
#pragma once

#include "core/torch/bind/operators.h"
#include "core/torch/bind/signatures.h"

#include <ATen/core/jit_type.h>

#include <optional>

namespace fx {

/// Where one argument of the operator comes from.
struct ArgumentSource {
    enum class Kind : uint8_t { Constant, Self, Parameter, OutItem };
    Kind kind = Kind::Constant;
    bool isOptionalList = false; ///< of tensors, each of which may be missing
    size_t parameter = 0;
    size_t item = 0;
    c10::IValue constant; ///< also for a parameter that is not given
};

struct CallPlan {
    const TorchOperator* op = nullptr;
    std::vector<ArgumentSource> sources; ///< one for each argument of the operator
    std::optional<size_t>
        results; ///< the parameter that takes them: of a call that gives it, see planOf(.., true)
    std::optional<size_t> out, dtype, layout, device, requiresGrad; ///< parameters that are no argument of it
    std::shared_ptr<c10::TupleType> named;                          ///< of results that have names
    bool returnsFirst = false; ///< in-place on a list of tensors: Python gets that list again
};

/// The plan of a signature, made at its first use. `isOut`: of its variant with out=.
const CallPlan& planOf(const CallSignature& signature, bool isOut);

} // namespace fx
