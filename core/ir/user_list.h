// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of a node in the order in which they began to read it, as torch.fx's ordered `users`.
// Each reader holds a sequence number, so that undo can put it back exactly where it was.
#pragma once

#include "core/base/ids.h"

#include <c10/util/SmallVector.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fx {

class UserList {
    struct Use {
        uint32_t sequence;
        NodeId user;
    };

public:
    class Iterator {
    public:
        using value_type = NodeId;
        using difference_type = std::ptrdiff_t;
        Iterator() = default;
        Iterator(const Use* at, const Use* end) : m_at(at), m_end(end) { skip(); }
        NodeId operator*() const { return m_at->user; }
        Iterator& operator++() {
            ++m_at;
            skip();
            return *this;
        }
        Iterator operator++(int) {
            Iterator old = *this;
            ++*this;
            return old;
        }
        bool operator==(const Iterator& other) const { return m_at == other.m_at; }

    private:
        void skip() {
            while (m_at != m_end && !m_at->user)
                ++m_at;
        }
        const Use* m_at = nullptr;
        const Use* m_end = nullptr;
    };

    Iterator begin() const { return {m_uses.data(), m_uses.data() + m_uses.size()}; }
    Iterator end() const { return {m_uses.data() + m_uses.size(), m_uses.data() + m_uses.size()}; }
    size_t size() const { return m_live; }
    bool empty() const { return m_live == 0; }
    bool contains(NodeId user) const;
    std::vector<NodeId> toVector() const { return {begin(), end()}; }

    /// The number that the next reader will be given.
    uint32_t nextSequence() const { return m_next; }
    /// Gives no new reader a number below this one.
    void skipTo(uint32_t sequence) { m_next = std::max(m_next, sequence); }
    /// The reader of that number, or no node.
    NodeId at(uint32_t sequence) const;
    void insert(uint32_t sequence, NodeId user);
    void erase(uint32_t sequence);

private:
    c10::SmallVector<Use, 2>
        m_uses; ///< sorted by sequence; an erased use has no user until the list is compacted
    uint32_t m_live = 0;
    uint32_t m_next = 0;
};

} // namespace fx
