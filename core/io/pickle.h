// SPDX-License-Identifier: GPL-3.0-or-later
// Reads Python pickles without running anything: a global stays a name, a call stays a record of what would
// have been called. What the records mean is decided by who reads them, from a closed list (torch_archive.h).
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fx {

struct PickleValue;
/// Pickles share and nest by reference, also into themselves; the document owns all that it holds.
using PickleRef = PickleValue*;

struct PickleGlobal {
    std::string name; ///< "collections.OrderedDict"
};
struct PickleTuple {
    std::vector<PickleRef> items;
};
struct PickleList {
    std::vector<PickleRef> items;
};
struct PickleDict {
    std::vector<std::pair<PickleRef, PickleRef>> items;
};
/// callable(*arguments), with the state that would have been set on the result, and what was added to it.
struct PickleCall {
    PickleRef callable = nullptr, arguments = nullptr, state = nullptr;
    std::vector<PickleRef> appended;
    std::vector<std::pair<PickleRef, PickleRef>> items;
};
/// What the writer left to its own storage: torch's storages.
struct PicklePersistent {
    PickleRef id;
};
struct PickleBytes {
    std::string bytes;
};

struct PickleValue {
    std::variant<std::monostate, bool, int64_t, double, std::string, PickleBytes, PickleGlobal, PickleTuple,
                 PickleList, PickleDict, PickleCall, PicklePersistent>
        value;

    template <class T>
    const T* as() const {
        return std::get_if<T>(&value);
    }
};

struct PickleDocument {
    std::deque<PickleValue> values;
    PickleRef root = nullptr;
    size_t length = 0; ///< bytes read
};

/// Reads one pickle from the start of `data`.
/// Throws an Error at `place` for what is no pickle, is cut off, or asks for more than its size allows.
PickleDocument readPickle(std::string_view data, const std::string& place);

} // namespace fx
