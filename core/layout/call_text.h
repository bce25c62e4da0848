// SPDX-License-Identifier: GPL-3.0-or-later
// What a node calls, with the constants among its arguments by name where the schema of what is called names
// them: "aten.batch_norm(training=False, momentum=0.1, eps=1e-05)". Defaults are left out, inputs are seen as
// edges.
#pragma once

#include "core/module/model.h"
#include "core/rewrite/callables.h"

#include <string>
#include <unordered_map>

namespace fx {

/// Texts of calls; what a function or a method takes is looked up once.
class CallTexts {
public:
    std::string text(const Graph& graph, const Node& node);

private:
    /// The overload that takes these arguments, or null.
    const CallForm* formOf(const Node& node);

    std::unordered_map<std::string, std::vector<CallForm>> m_forms;
};

} // namespace fx
