// SPDX-License-Identifier: GPL-3.0-or-later
// What is written in a box: name, what it calls with the arguments that a person would want, and its value.
#pragma once

#include "core/layout/call_text.h"
#include "core/layout/diagram.h"
#include "core/layout/picture_scopes.h"

#include <string>

namespace fx {

struct BoxText {
    std::string title;  ///< the node's name, or the scope's path below its parent
    std::string detail; ///< "aten.conv2d(stride=[2, 2])", "Bottleneck"
    std::string value;  ///< "f32[1, 64, 56, 56]"; empty: not known
    std::string badge;  ///< of a scope: "9 nodes"; "same as layer1.0"
};

/// For each module that the graph calls.
ModuleCalls moduleCalls(const Model& model, ModuleId owner);

/// Texts for all boxes of a graph's diagrams; equal scopes are found once.
class BoxTexts {
public:
    /// `modules`: what moduleCalls() gives; without it a call of a module is named by its path.
    BoxTexts(const Graph& graph, const ScopeTree& scopes, ModuleCalls modules = {});
    /// Each within kLabelLimits.
    BoxText text(const DiagramBox& box) const;

private:
    BoxText wholeText(const DiagramBox& box) const;
    /// The path below the scope around it.
    std::string scopeTitle(int scope) const;

    const Graph& m_graph;
    const ScopeTree& m_scopes;
    std::vector<std::string> m_equal;
    ModuleCalls m_modules;
    mutable CallTexts m_calls;
};

} // namespace fx
