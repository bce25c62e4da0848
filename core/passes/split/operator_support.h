// SPDX-License-Identifier: GPL-3.0-or-later
// What a backend can run: torch.fx's OperatorSupport, a table from what is called to the dtypes of its
// arguments, and for each node that it refuses the reason. core/open/backend_support.h has what needs more
// than a table, core/open/support_file.h the user's.
#pragma once

#include "core/module/model.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

/// Why nodes are refused; who is not in it is supported.
using Refusals = std::unordered_map<NodeId, std::string>;

struct SupportRule {
    using Dtypes = std::vector<c10::ScalarType>; ///< empty: any
    Dtypes all;                                  ///< of every tensor that is given
    std::vector<Dtypes> args;                    ///< by position
    std::map<std::string, Dtypes> kwargs;
};

class SupportTable {
public:
    /// `target`: "torch.relu", "_operator.add", a method, or the class of a module, as torch.fx's
    /// get_node_target names them; "torch.ops.aten.add" is all of its overloads, and "aten.*" what begins so.
    void add(const std::string& target, SupportRule rule);
    bool empty() const { return m_rules.empty() && m_prefixes.empty(); }

    /// The calls of the graph that it refuses.
    Refusals refusals(const Model& model, ModuleId module) const;

private:
    const SupportRule* ruleOf(const std::string& target) const;

    std::map<std::string, SupportRule> m_rules, m_prefixes;
};

/// "torch.relu", "_operator.add": torch.fx's get_node_target.
std::string nodeTarget(const Model& model, ModuleId module, const Node& node);

/// Tables of our own: "onednn", what torch.fx.experimental.optimization and oneDNN's operators run;
/// "quantizable", what torch.ao quantizes statically to int8. Null for another name.
const SupportTable* supportTable(const std::string& name);

} // namespace fx
