// SPDX-License-Identifier: GPL-3.0-or-later
// Reads Python pickles without running anything: a global stays a name, a call stays a record of what would
// have been called. What the records mean is decided by who reads them, from closed lists (torch_archive.h,
// pickled_tensors.h, pickled_module.h).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fx {

struct PickleValue;
/// Pickles share and nest by reference, also into themselves; the document owns all that it holds.
using PickleRef = PickleValue*;
using PickleItems = std::vector<std::pair<PickleRef, PickleRef>>;

struct PickleGlobal {
    std::string name; ///< "collections.OrderedDict"
};
struct PickleTuple {
    std::vector<PickleRef> items;
};
struct PickleList {
    std::vector<PickleRef> items;
};
/// A set or frozenset of the pickle's own opcodes; older pickles call the class with a list.
struct PickleSet {
    std::vector<PickleRef> items;
};
struct PickleDict {
    PickleItems items;
};
/// callable(*arguments), with the state that would have been set on the result, and what was added to it.
struct PickleCall {
    PickleRef callable = nullptr, arguments = nullptr, state = nullptr;
    PickleRef keywords = nullptr; ///< of an object that is made with keyword arguments; mostly null
    bool isNew = false;           ///< callable.__new__(callable, *arguments): an instance, nothing more
    std::vector<PickleRef> appended;
    PickleItems items;

    /// What the callable is given by position; none if they are no tuple.
    const std::vector<PickleRef>& positional() const;
};
/// What the writer left to its own storage: torch's storages.
struct PicklePersistent {
    PickleRef id;
};
struct PickleBytes {
    std::string bytes;
};
/// An int beyond 64 bits, as hexadecimal ("0x1950a8...") or, from the oldest pickles, decimal digits.
struct PickleLong {
    std::string text;
};

struct PickleValue {
    std::variant<std::monostate, bool, int64_t, double, std::string, PickleBytes, PickleLong, PickleGlobal,
                 PickleTuple, PickleList, PickleSet, PickleDict, std::unique_ptr<PickleCall>,
                 PicklePersistent>
        value;

    template <class T>
    const T* as() const {
        if constexpr (std::is_same_v<T, PickleCall>) {
            const auto* held = std::get_if<std::unique_ptr<T>>(&value);
            return held ? held->get() : nullptr;
        } else {
            return std::get_if<T>(&value);
        }
    }
    bool isNone() const { return std::holds_alternative<std::monostate>(value); }
    /// The name, if it is a global; else empty.
    std::string_view globalName() const {
        const auto* global = as<PickleGlobal>();
        return global ? std::string_view(global->name) : std::string_view();
    }
};

struct PickleDocument {
    std::deque<PickleValue> values; ///< in the order in which they were made
    PickleRef root = nullptr;
    size_t length = 0; ///< bytes read
};

/// Reads one pickle from the start of `data`; what follows it is left alone.
/// Throws an Error at `place` for what is no pickle, is cut off, or asks for more than its size allows.
PickleDocument readPickle(std::string_view data, const std::string& place);

} // namespace fx
