// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/types/growing_text.h"

#include <algorithm>

namespace fx {

void appendPart(Evaluator& evaluator, std::string& out, std::string_view part) {
    constexpr size_t kUncounted = 65536; // bytes
    const size_t needed = out.size() + part.size();
    if (needed > kUncounted && needed > out.capacity()) {
        const size_t room = std::max(needed, out.size() * 2);
        evaluator.reserve(room);
        out.reserve(room);
    }
    out += part;
}

} // namespace fx
