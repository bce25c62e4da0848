// SPDX-License-Identifier: GPL-3.0-or-later
// What nodes and globals are called in generated code. Both live in one namespace, filled in the order in
// which the code meets them (FX rule N9); nearly always each gets the name it asks for. Only families of
// names with a clash ("input", "input_1") are worked out one by one, and only when they change.
#pragma once

#include "core/codegen/expression.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fx {

class CodeNames {
public:
    /// Follows the graph after `touched` nodes came, went, moved or changed. Gives the nodes that are now
    /// called otherwise, and those that name a global which is.
    std::vector<NodeId> update(const Graph& graph, const std::vector<NodeId>& touched);

    std::string local(const Node& node) const;
    std::string global(const GlobalName& name) const;

private:
    struct Record {
        bool isPresent = false;
        std::string name, family;
        std::vector<GlobalName> globals;
    };

    void forget(NodeId id);
    void remember(const Node& node);
    /// One more (or less) claim to a name; keeps the count of troubled claims of its family.
    void claim(const std::string& name, const std::string& family, int difference, bool isImpossible);
    void resolve(const Graph& graph, const std::string& family, std::vector<NodeId>& changed);

    std::vector<Record> m_records; ///< by node
    std::unordered_map<std::string, int> m_claims;
    std::unordered_map<std::string, int> m_globalUses;
    std::unordered_map<std::string, int> m_trouble;         ///< by family
    std::unordered_set<std::string> m_dirty;                ///< families to look at again
    std::unordered_map<NodeId, std::string> m_locals;       ///< where it differs from the node's name
    std::unordered_map<std::string, std::string> m_globals; ///< where it differs from what was asked for
};

} // namespace fx
