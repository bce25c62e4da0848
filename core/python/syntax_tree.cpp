// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/syntax_tree.h"

#include <memory>

namespace fx {

SyntaxTree::SyntaxTree(std::string_view text) {
    const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(), ts_parser_delete);
    ts_parser_set_language(parser.get(), tree_sitter_python());
    m_tree = ts_parser_parse_string(parser.get(), nullptr, text.data(), static_cast<uint32_t>(text.size()));
}

std::optional<uint32_t> SyntaxTree::fault() const {
    if (!ts_node_has_error(root()))
        return std::nullopt;
    TSTreeCursor cursor = ts_tree_cursor_new(root());
    uint32_t at = 0;
    for (;;) {
        const TSNode node = ts_tree_cursor_current_node(&cursor);
        at = ts_node_start_byte(node);
        if (ts_node_is_error(node) || ts_node_is_missing(node) || !ts_tree_cursor_goto_first_child(&cursor))
            break;
        while (!ts_node_has_error(ts_tree_cursor_current_node(&cursor)) &&
               ts_tree_cursor_goto_next_sibling(&cursor)) {
        }
    }
    ts_tree_cursor_delete(&cursor);
    return at;
}

} // namespace fx
