// SPDX-License-Identifier: GPL-3.0-or-later
// Identities that survive undo: an index that is never given to anything else in the same model.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace fx {

template <class Tag>
struct Id {
    int32_t value = -1;

    explicit operator bool() const { return value >= 0; }
    auto operator<=>(const Id&) const = default;
};

using NodeId = Id<struct NodeTag>;
using ModuleId = Id<struct ModuleTag>;
using TensorId = Id<struct TensorTag>;

} // namespace fx

template <class Tag>
struct std::hash<fx::Id<Tag>> {
    size_t operator()(fx::Id<Tag> id) const noexcept { return std::hash<int32_t>()(id.value); }
};
