// SPDX-License-Identifier: GPL-3.0-or-later
// What a user has put on a node for people: a bookmark, a note, a colour. They are metadata, which an .fxg
// keeps and no computation reads.
#pragma once

#include "core/module/edit.h"

#include <array>
#include <string>
#include <string_view>

namespace fx {

inline constexpr std::array<std::string_view, 4> kMarkColours = {"violet", "teal", "pink", "brown"};

struct NodeMark {
    bool isBookmark = false;
    std::string note;
    std::string colour; ///< of kMarkColours; empty: none
    bool operator==(const NodeMark&) const = default;
};

NodeMark markOf(const Node& node);
void setMark(Edit& edit, NodeId node, const NodeMark& mark);

} // namespace fx
