// SPDX-License-Identifier: GPL-3.0-or-later
// The invertible steps of the module tree, and the one type of news: a step and the module it happened in.
#pragma once

#include "core/base/stable_vector.h"
#include "core/ir/change.h"

#include <string>
#include <variant>
#include <vector>

namespace fx {

enum class TensorRole {
    Parameter,
    Buffer,
    TransientBuffer, ///< a buffer that is not part of the state_dict
    Constant,        ///< a plain attribute
};

struct NamedModule {
    std::string name;
    ModuleId module;
};
/// A registered name may have no tensor: `bias=None`.
struct NamedTensor {
    std::string name;
    TensorId tensor;
    TensorRole role;
};
struct NamedValue {
    std::string name;
    Argument value;
};

/// An entry of one of a module's lists came (no before), went (no after) or was replaced, at `index`.
template <class Entry>
struct EntryChanged {
    size_t index;
    std::optional<Entry> before, after;
};
using ChildChanged = EntryChanged<NamedModule>;
using TensorChanged = EntryChanged<NamedTensor>;
using ValueChanged = EntryChanged<NamedValue>;
struct TrainingChanged {
    bool before, after;
};

using ModuleChange = std::variant<ChildChanged, TensorChanged, ValueChanged, TrainingChanged>;

struct Change {
    ModuleId module;
    std::variant<GraphChange, ModuleChange> step;
};
using Changes = StableVector<Change>;

} // namespace fx
