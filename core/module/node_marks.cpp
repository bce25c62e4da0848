// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/module/node_marks.h"

#include <algorithm>

namespace fx {

namespace {

constexpr std::string_view kBookmark = "fxscope_bookmark", kNote = "fxscope_note", kColour = "fxscope_colour";

void setText(Edit& edit, NodeId node, std::string_view key, const std::string& before,
             const std::string& text) {
    if (text != before)
        edit.setMeta(node, key, text.empty() ? SharedMeta() : SharedMeta(MetaValue(text)));
}

} // namespace

NodeMark markOf(const Node& node) {
    NodeMark out;
    if (const bool* is = node.meta.find<bool>(kBookmark))
        out.isBookmark = *is;
    if (const std::string* note = node.meta.find<std::string>(kNote))
        out.note = *note;
    if (const std::string* colour = node.meta.find<std::string>(kColour);
        colour && std::ranges::find(kMarkColours, *colour) != kMarkColours.end())
        out.colour = *colour;
    return out;
}

void setMark(Edit& edit, NodeId node, const NodeMark& mark) {
    const NodeMark before = markOf(edit.node(node));
    if (mark.isBookmark != before.isBookmark)
        edit.setMeta(node, kBookmark, mark.isBookmark ? SharedMeta(MetaValue(true)) : SharedMeta());
    setText(edit, node, kNote, before.note, mark.note);
    setText(edit, node, kColour, before.colour, mark.colour);
}

} // namespace fx
