// SPDX-License-Identifier: GPL-3.0-or-later
// What is written in a box: name, what it calls with the arguments that a person would want, and its value.
#pragma once

#include "core/layout/diagram.h"

#include <string>

namespace fx {

struct BoxText {
    std::string title;  ///< the node's name, or the scope's path below its parent
    std::string detail; ///< "aten.conv2d(stride=[2, 2])", "Bottleneck"
    std::string value;  ///< "f32[1, 64, 56, 56]"; empty: not known
    std::string badge;  ///< of a scope: "9 nodes"; "same as layer1.0"
};

/// Texts for all boxes of a graph's diagrams; equal scopes are found once.
class BoxTexts {
public:
    BoxTexts(const Graph& graph, const ScopeTree& scopes);
    BoxText text(const DiagramBox& box) const;

private:
    const Graph& m_graph;
    const ScopeTree& m_scopes;
    std::vector<std::string> m_equal;
};

/// "aten.topk(k=2, dim=1)": the constants that differ from the operator's defaults. Inputs are seen as edges.
std::string callText(const Graph& graph, const Node& node);

} // namespace fx
