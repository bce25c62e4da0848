// SPDX-License-Identifier: GPL-3.0-or-later
// tree-sitter's tree of a Python text, and whether it could read all of it.
#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <optional>
#include <string_view>

extern "C" const TSLanguage* tree_sitter_python(void);

namespace fx {

class SyntaxTree {
public:
    explicit SyntaxTree(std::string_view text);
    ~SyntaxTree() { ts_tree_delete(m_tree); }
    SyntaxTree(const SyntaxTree&) = delete;
    SyntaxTree& operator=(const SyntaxTree&) = delete;

    TSNode root() const { return ts_tree_root_node(m_tree); }
    /// The first place that tree-sitter could make nothing of.
    std::optional<uint32_t> fault() const;

private:
    TSTree* m_tree;
};

} // namespace fx
