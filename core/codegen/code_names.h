// SPDX-License-Identifier: GPL-3.0-or-later
// What nodes and globals are called in generated code. Both live in one namespace, filled in the order in
// which the code meets them (FX rule N9); nearly always each gets the name it asks for. Only families of
// names with a clash ("input", "input_1") are worked out one by one, and only when they change.
#pragma once

#include "core/codegen/expression.h"

#include <c10/util/flat_hash_map.h>

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

    const std::string& local(const Node& node) const;
    std::string global(const GlobalName& name) const;

private:
    /// The hash of a name, or of the family it belongs to. Two names of one hash only seem to clash: their
    /// families are worked out, and each gets the name it asked for after all.
    using Hash = size_t;
    static Hash hashOf(std::string_view text) { return std::hash<std::string_view>()(text); }

    struct Record {
        bool isPresent = false;
        bool isImpossible = false; ///< the name cannot be used as it is
        Hash name = 0, family = 0;
        std::vector<GlobalName> globals;
    };

    void forget(NodeId id);
    void remember(const Node& node);
    /// One more (or less) claim to a name; keeps the count of troubled claims of its family.
    void claim(Hash name, Hash family, int difference, bool isImpossible);
    void claimGlobal(const GlobalName& global, int difference);
    /// The first use of the global may be another now.
    void lookAgain(const GlobalName& global);
    void resolve(const Graph& graph, Hash family, std::vector<NodeId>& changed);

    std::vector<Record> m_records; ///< by node
    ska::flat_hash_map<Hash, int> m_claims;
    std::unordered_map<std::string, int> m_globalUses;
    std::unordered_map<Hash, int> m_trouble;                ///< by family; none where there is none
    std::unordered_set<Hash> m_dirty;                       ///< families to look at again
    std::unordered_map<NodeId, std::string> m_locals;       ///< where it differs from the node's name
    std::unordered_map<std::string, std::string> m_globals; ///< where it differs from what was asked for
};

} // namespace fx
