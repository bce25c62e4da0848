// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/wildcards.h"

namespace fx {

bool matchesPattern(std::string_view pattern, std::string_view text) {
    size_t at = 0, in = 0, star = pattern.npos, mark = 0;
    while (in < text.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            mark = in;
        } else if (at < pattern.size() && pattern[at] == text[in]) {
            ++at;
            ++in;
        } else if (star != pattern.npos) {
            at = star + 1;
            in = ++mark;
        } else {
            return false;
        }
    }
    while (at < pattern.size() && pattern[at] == '*')
        ++at;
    return at == pattern.size();
}

} // namespace fx
