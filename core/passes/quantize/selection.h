// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls a user means by words such as "layer4", "fc", "conv2d", "Linear" or "blocks.*.attn".
#pragma once

#include "core/module/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// Words with commas between them: the name of a node, the path of a module with all that is in it, its
/// class, or what is called; `*` stands for any text.
class CallPatterns {
public:
    explicit CallPatterns(std::string_view text);
    bool isEmpty() const { return m_words.empty(); }
    /// `call`: what is called, in one name.
    bool matches(const Node& node, const Module* module, std::string_view call) const;
    /// Words that have matched nothing so far.
    std::vector<std::string> unused() const;

private:
    struct Word {
        std::string text;
        mutable bool isUsed = false;
    };
    std::vector<Word> m_words;
};

struct LayerSelection {
    CallPatterns only, skip;
    bool takesBfloat16 = false; ///< weights of that, too
    /// Why the call stays as it is; empty: it does not.
    std::string obstacle(const Node& node, const Module* module, std::string_view call) const;
};

} // namespace fx
