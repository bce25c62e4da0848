// SPDX-License-Identifier: GPL-3.0-or-later
// Parts while they grow: from the end of the graph to its begin each supported node joins the oldest part
// that it can, and that one the next. Two parts stay apart where a node in none is on a way from one to the
// other, as together they would wait for themselves.
#pragma once

#include "core/passes/split/parts.h"

#include <memory>

namespace fx {

/// A set of the numbers of parts, which many nodes share.
class PartSet {
public:
    bool contains(size_t part) const { return (word(part / 64) >> (part % 64)) & 1; }
    uint64_t word(size_t index) const { return m_words && index < m_words->size() ? (*m_words)[index] : 0; }
    void insert(size_t part);
    void erase(size_t part);
    /// Whether anything was new.
    bool insert(const PartSet& other);

private:
    std::vector<uint64_t>& own(size_t words);
    std::shared_ptr<std::vector<uint64_t>> m_words;
};

class PartGrowth {
public:
    PartGrowth(const Graph& graph, const NodePlaces& places);

    /// The nodes come from the last to the first. Where `isSupported`, the node is a part from then on.
    void add(size_t place, bool isSupported);
    /// Joins the part of the node, or else the first part, with the others that it can.
    void joinAll(size_t place);
    /// The same with the parts that read the node.
    void joinReaders(size_t place);

    struct Grown {
        size_t id = 0;             ///< torch.fx's: that of the larger one where two join
        std::vector<size_t> nodes; ///< places, in no order
    };
    /// In the order of their ids.
    std::vector<Grown> take();

private:
    /// A part; `number` is that of its first node, by which the oldest comes first.
    struct Growing {
        Grown grown;
        std::vector<size_t> inputs; ///< nodes that it reads
        PartSet beyond;             ///< parts that read it through a node in none
    };
    static constexpr size_t kNone = SIZE_MAX;

    size_t numberOf(size_t place);
    bool join(size_t& number, size_t other);
    /// Tells these inputs of the part, and who leads to them, what lies beyond it now.
    void spread(size_t number, const std::vector<size_t>& inputs);
    bool addBeyond(size_t place, const PartSet& beyond, size_t number);

    const Graph& m_graph;
    const NodePlaces& m_places;
    std::vector<size_t> m_number;  ///< by place: of the part that it began in
    std::vector<size_t> m_joined;  ///< by number: what it joined, or itself
    std::vector<Growing> m_parts;  ///< by number
    std::vector<PartSet> m_beyond; ///< by place, of nodes in no part
    std::vector<bool> m_isAdded;
    PartSet m_live, m_beforeFirst; ///< parts there are; those that have the first one beyond them
};

} // namespace fx
