// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a parsed call as an operator takes them. That they may be such values, the parser has seen.
#pragma once

#include "core/torch/bind/argument_parser.h"

#include <c10/core/Device.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>

#include <optional>

namespace fx {

/// The value of a parameter that is given. Throws for items of a list that are no ints, and devices that are
/// not there.
c10::IValue unpack(const ParsedCall& call, size_t parameter);
/// The same of a value alone, for parameters that take no list; but for one that takes ints, torch.Size or an
/// int.
c10::IValue unpackValue(const SignatureParameter& parameter, const Value& value);
int64_t unpackInt(const Value& value); ///< of an int, a bool, or a tensor of one number

// The same for single kinds; none (or the default) where the parameter is not given. The device is then that
// of `with torch.device(...)`, for functions that heed it.
std::optional<c10::ScalarType> unpackDType(const ParsedCall& call, size_t parameter);
std::optional<c10::Device> unpackDevice(const ParsedCall& call, size_t parameter);
std::optional<c10::MemoryFormat> unpackMemoryFormat(const ParsedCall& call, size_t parameter);
bool unpackBool(const ParsedCall& call, size_t parameter, bool byDefault);

c10::ScalarType dtypeOf(const Value& value); ///< of a dtype, or of float, int, bool, complex
c10::Device deviceOf(const Value& value);    ///< of a device, its name or its number
/// A number as the tensor that type promotion treats as a number.
at::Tensor numberAsTensor(const c10::IValue& number);

} // namespace fx
