// SPDX-License-Identifier: GPL-3.0-or-later
// The table behind sets. Beside the keys themselves stands the hash table that CPython 3.11 would have for
// them, as the order of its slots is the order of iteration: ten slots are looked at before a jump, and it
// grows when three fifths are filled, those of erased keys among them.
#include "core/python/value.h"

#include <utility>

namespace fx {

namespace {

constexpr size_t kLeast = 8;
constexpr size_t kNeighbours = 9;

} // namespace

struct SetTable::Slots {
    struct Slot {
        enum class State : uint8_t { Free, Used, Erased } state = State::Free;
        size_t hash = 0;
        Value key;
    };

    std::vector<Slot> slots = std::vector<Slot>(kLeast);
    size_t filled = 0; ///< slots that are not free
    size_t finger = 0; ///< where pop() looks next
    std::optional<std::vector<Entry>> sorted;

    size_t mask() const { return slots.size() - 1; }
    bool isFull(size_t count) const { return count * 5 >= mask() * 3; }

    /// Slots on the way of a hash, until `isWanted` says so of one.
    template <class Wanted>
    size_t walk(size_t hash, Wanted isWanted) const {
        size_t rest = hash;
        for (size_t at = hash & mask();; at = (at * 5 + 1 + rest) & mask()) {
            const size_t last = at + kNeighbours <= mask() ? at + kNeighbours : at;
            for (size_t i = at; i <= last; ++i)
                if (isWanted(i))
                    return i;
            rest >>= 5;
        }
    }

    /// Where the key is.
    size_t place(const Value& key, size_t hash) const {
        return walk(hash, [&](size_t i) {
            return slots[i].state == Slot::State::Used && slots[i].hash == hash &&
                   areEqual(slots[i].key, key);
        });
    }

    /// A new key takes the first free slot, or the last one before it that was erased. Says whether more are
    /// filled now.
    bool insert(const Value& key, size_t hash) {
        std::optional<size_t> erased;
        const size_t free = walk(hash, [&](size_t i) {
            if (slots[i].state == Slot::State::Erased)
                erased = i;
            return slots[i].state == Slot::State::Free;
        });
        slots[erased.value_or(free)] = {Slot::State::Used, hash, key};
        filled += erased ? 0 : 1;
        sorted.reset();
        return !erased;
    }

    Value erase(size_t at) {
        sorted.reset();
        return std::exchange(slots[at], {Slot::State::Erased, 0, Value()}).key;
    }

    void resize(size_t least) {
        size_t size = kLeast;
        while (size <= least)
            size *= 2;
        const std::vector<Slot> old = std::exchange(slots, std::vector<Slot>(size));
        filled = 0;
        for (const Slot& slot : old)
            if (slot.state == Slot::State::Used)
                insert(slot.key, slot.hash);
    }
};

SetTable::SetTable() = default;
SetTable::SetTable(SetTable&& other) noexcept = default;
SetTable::~SetTable() = default;

SetTable::SetTable(const SetTable& other)
    : m_items(other.m_items), m_slots(other.m_slots ? std::make_unique<Slots>(*other.m_slots) : nullptr) {}

/// Where pop() looks next stays, as CPython has it.
SetTable& SetTable::operator=(SetTable other) noexcept {
    if (const size_t finger = m_slots ? m_slots->finger : 0) {
        if (!other.m_slots && other.empty())
            other.m_slots = std::make_unique<Slots>();
        if (other.m_slots)
            other.m_slots->finger = finger;
    }
    std::swap(m_items, other.m_items); // the old keys go last: that may run code that looks at this set
    std::swap(m_slots, other.m_slots);
    return *this;
}

void SetTable::grow(size_t least) {
    if (!m_slots)
        m_slots = std::make_unique<Slots>();
    m_slots->resize(least);
}

void SetTable::add(const Value& key) {
    if (has(key))
        return;
    const bool isFirst = m_items.empty();
    m_items.set(key, Value());
    if (!isHashPythons(key))
        m_slots.reset();
    else if (isFirst && !m_slots)
        m_slots = std::make_unique<Slots>();
    if (!m_slots)
        return;
    if (m_slots->insert(key, hashOf(key)) && m_slots->isFull(m_slots->filled))
        m_slots->resize(size() * (size() > 50000 ? 2 : 4));
}

bool SetTable::erase(const Value& key) {
    if (!has(key))
        return false;
    if (m_slots)
        m_slots->erase(m_slots->place(key, hashOf(key)));
    return m_items.erase(key);
}

Value SetTable::pop() {
    Value key;
    if (m_slots) {
        size_t at = m_slots->finger & m_slots->mask();
        while (m_slots->slots[at].state != Slots::Slot::State::Used)
            at = (at + 1) & m_slots->mask();
        m_slots->finger = at + 1;
        key = m_slots->erase(at);
    } else {
        key = m_items.entries().front().key;
    }
    m_items.erase(key);
    return key;
}

void SetTable::clear() {
    *this = SetTable();
}

void SetTable::expect(size_t count) {
    if (!m_slots && !m_items.empty())
        return;
    if (m_slots ? m_slots->isFull(m_slots->filled + count) : count * 5 >= (kLeast - 1) * 3)
        grow((size() + count) * 2);
}

void SetTable::shrink() {
    if (m_slots && m_slots->filled - size() > m_slots->mask() / 4)
        m_slots->resize(size() * (size() > 50000 ? 2 : 4));
}

void SetTable::merge(const SetTable& other) {
    const std::vector<Entry> keys = other.entries();
    if (keys.empty())
        return;
    if (other.m_slots)
        expect(keys.size());
    const bool isFresh = m_items.empty() && other.m_slots && (!m_slots || m_slots->filled == 0);
    if (!isFresh) {
        for (const Entry& entry : keys)
            add(entry.key);
        return;
    }
    if (!m_slots)
        m_slots = std::make_unique<Slots>();
    const bool isCopied = m_slots->mask() == other.m_slots->mask() && other.m_slots->filled == keys.size();
    for (const Entry& entry : keys) {
        m_items.set(entry.key, Value());
        if (!isCopied)
            m_slots->insert(entry.key, hashOf(entry.key));
    }
    if (isCopied) {
        m_slots->slots = other.m_slots->slots;
        m_slots->filled = other.m_slots->filled;
        m_slots->sorted.reset();
    }
}

SetTable SetTable::copied() const {
    SetTable out;
    out.merge(*this);
    return out;
}

const std::vector<SetTable::Entry>& SetTable::entries() const {
    if (!m_slots)
        return m_items.entries();
    if (!m_slots->sorted) {
        m_slots->sorted.emplace();
        for (const Slots::Slot& slot : m_slots->slots)
            if (slot.state == Slots::Slot::State::Used)
                m_slots->sorted->push_back({slot.key, Value(), slot.hash});
    }
    return *m_slots->sorted;
}

} // namespace fx
