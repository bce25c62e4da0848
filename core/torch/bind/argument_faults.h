// SPDX-License-Identifier: GPL-3.0-or-later
// Why a call fits no overload, in the words of PyTorch's argument parser. All throw an Error of kind
// TypeError.
#pragma once

#include "core/python/value.h"
#include "core/torch/bind/signatures.h"

namespace fx {

/// type(value).__name__ as C sees it: with its module where the type is one of torch's.
std::string pythonTypeName(const Value& value);

[[noreturn]] void raiseExtraArguments(const CallSignature& signature, size_t given);
[[noreturn]] void raiseMissingArguments(const CallSignature& signature, size_t from);
/// `positional`: how many arguments were given without a name.
[[noreturn]] void raiseExtraKeywords(const CallSignature& signature, const NamedValues& kwargs,
                                     size_t positional);
/// `position`: from 1, or 0 of a keyword. `failedAt`: the item of a list that is at fault, or -1.
[[noreturn]] void raiseWrongType(const CallSignature& signature, const SignatureParameter& parameter,
                                 const Value& given, size_t position, int64_t failedAt);
/// An item of a list is no int, which is only seen when the list is read.
[[noreturn]] void raiseWrongItem(const CallSignature& signature, const SignatureParameter& parameter,
                                 size_t at, const std::string& given);
/// Of a method that takes no arguments at all: in Python's own words, if any are given.
void requireNothing(std::string_view method, const Values& args, const NamedValues& kwargs);
/// With the overloads, and where the number of arguments fits one, which of them do not fit it.
[[noreturn]] void raiseNoOverload(const SignatureGroup& group, const Values& args, const NamedValues& kwargs);

} // namespace fx
