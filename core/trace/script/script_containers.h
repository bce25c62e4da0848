// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of TorchScript on lists, tuples and dicts. Those are live while a program is traced, and may hold
// proxies.
#pragma once

#include "core/trace/script/script_tracer.h"

#include <ATen/core/jit_type.h>

namespace fx {

struct ContainerCall {
    ScriptTracer& tracer;
    const Values& args; ///< the first is the container
    c10::TypePtr type;  ///< of the container in the program
};

/// What the operator gives, None where it gives nothing; none where it is no operator of the container.
/// Throws what Python throws, with the place.
std::optional<Value> callOnContainer(std::string_view name, const ContainerCall& call);

/// Where an index of Python points; none outside.
std::optional<size_t> placeIn(size_t count, int64_t index);
/// items[start:stop:step]; what is no int is not given.
Values sliceOf(const Values& items, const Value& start, const Value& stop, const Value& step);

} // namespace fx
