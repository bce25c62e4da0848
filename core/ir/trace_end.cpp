// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/trace_end.h"

namespace fx {

std::optional<TraceEnd> traceEndOf(const Graph& graph) {
    for (const Node& node : graph)
        if (const auto* why = node.meta.find<std::string>(meta::kFault))
            return TraceEnd{node, *why};
    return std::nullopt;
}

} // namespace fx
