// SPDX-License-Identifier: GPL-3.0-or-later
// Sorted uses with tombstones: appending and erasing stay cheap also for a node with 100,000 readers.
#include "core/ir/user_list.h"

#include <algorithm>

namespace fx {

bool UserList::contains(NodeId user) const {
    return std::any_of(begin(), end(), [user](NodeId other) { return other == user; });
}

NodeId UserList::at(uint32_t sequence) const {
    const auto at = std::lower_bound(m_uses.begin(), m_uses.end(), sequence,
                                     [](const Use& use, uint32_t value) { return use.sequence < value; });
    return at != m_uses.end() && at->sequence == sequence ? at->user : NodeId();
}

void UserList::insert(uint32_t sequence, NodeId user) {
    if (sequence == m_next) {
        m_uses.push_back({sequence, user});
        ++m_live;
        ++m_next;
        return;
    }
    const auto at = std::lower_bound(m_uses.begin(), m_uses.end(), sequence,
                                     [](const Use& use, uint32_t value) { return use.sequence < value; });
    if (at != m_uses.end() && at->sequence == sequence)
        at->user = user;
    else
        m_uses.insert(at, {sequence, user});
    ++m_live;
    m_next = std::max(m_next, sequence + 1);
}

void UserList::erase(uint32_t sequence) {
    const auto at = std::lower_bound(m_uses.begin(), m_uses.end(), sequence,
                                     [](const Use& use, uint32_t value) { return use.sequence < value; });
    at->user = NodeId();
    --m_live;
    if (m_uses.size() > 8 && m_live * 2 < m_uses.size())
        m_uses.erase(std::remove_if(m_uses.begin(), m_uses.end(), [](const Use& use) { return !use.user; }),
                     m_uses.end());
}

} // namespace fx
