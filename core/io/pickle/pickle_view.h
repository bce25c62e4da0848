// SPDX-License-Identifier: GPL-3.0-or-later
// Common records of Python pickles seen as what they mean: dicts, instances of classes, plain values.
// Nothing is made that the record does not hold; what has no plain value is a text that names it.
#pragma once

#include "core/io/pickle/pickle.h"
#include "core/ir/argument.h"

#include <optional>
#include <string>
#include <string_view>

namespace fx {

/// Of one module: they are searched one by one.
inline constexpr size_t kMostMembers = 5000;

/// The entries of a dict, OrderedDict or defaultdict, in order; none for anything else.
std::optional<PickleItems> pickledDict(const PickleValue& value);
/// The value under a text key of a dict; null where there is none.
const PickleValue* pickledEntry(const PickleValue& dict, std::string_view key);
/// The items of a tuple, list, set or frozenset; none for anything else.
std::optional<std::vector<PickleRef>> pickledItems(const PickleValue& value);
/// Text of a str, also of one that was written as bytes; none for anything else.
std::optional<std::string> pickledText(const PickleValue& value);

/// An object that was made without its constructor and given a state, as classes are pickled.
struct PickledInstance {
    std::string className;              ///< "torch.nn.modules.linear.Linear"
    const PickleValue* type = nullptr;  ///< what stands for the class in the pickle
    const PickleValue* state = nullptr; ///< mostly a dict, the object's __dict__; null: none
};
std::optional<PickledInstance> pickledInstance(const PickleValue& value);
/// The name of a class or function; also of one that a legacy file keeps with its source. Else empty.
std::string pickledClassName(const PickleValue& value);

/// A plain value as an argument; what is none, or too much to show, becomes an OpaqueValue that names it.
Argument pickledArgument(const PickleValue& value);

} // namespace fx
