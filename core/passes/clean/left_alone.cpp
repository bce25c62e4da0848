// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/left_alone.h"

#include "core/base/text.h"

#include <algorithm>
#include <span>

namespace fx {

void LeftAlone::tellIn(std::vector<std::string>& results) const {
    constexpr size_t kShown = 8;
    for (const auto& [reason, nodes] : m_nodes) {
        const size_t shown = std::min(nodes.size(), kShown);
        results.push_back(
            std::to_string(nodes.size()) + ' ' + m_what + ", " + reason + ": " +
            join(std::span(nodes).first(shown), ", ") +
            (nodes.size() > shown ? " and " + std::to_string(nodes.size() - shown) + " more" : ""));
    }
}

} // namespace fx
