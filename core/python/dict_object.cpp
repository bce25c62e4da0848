// SPDX-License-Identifier: GPL-3.0-or-later
// The table behind dicts, sets and names: entries in the order of insertion, and an index over them once they
// are many. Hashes are made in hash.cpp.
#include "core/base/error.h"
#include "core/python/evaluator.h"

#include <algorithm>
#include <utility>

namespace fx {

namespace {

constexpr size_t kIndexedFrom = 9; ///< fewer entries are searched one by one

} // namespace

bool areEqual(const Value& a, const Value& b) {
    if (a.isSame(b) && !a.isDouble() && !a.isTensor())
        return true;
    if (a.isString() || b.isString())
        if (a.isData() && b.isData())
            return a.isString() && b.isString() && a.text() == b.text();
    if (a.isInt() && b.isInt())
        return a.data().toInt() == b.data().toInt();
    if (Evaluator* evaluator = Evaluator::current())
        return areEqual(*evaluator, a, b);
    const std::optional<Value> result = operatePlain(nullptr, Operator::Eq, a, b);
    return result && isTrue(*result);
}

namespace {

constexpr int32_t kFree = -1;
constexpr int32_t kErased = -2; ///< a bucket whose entry is gone: searches go on behind it
constexpr size_t kGapHash = ~size_t(0);

/// No key's hash is that of a gap.
size_t keyHash(size_t hash) {
    return hash == kGapHash ? 0 : hash;
}

/// Where the search for a hash begins. The hash of an object is its address, whose low bits are all the same.
size_t bucketOf(size_t hash) {
    return static_cast<size_t>((uint64_t{hash} * 0x9E3779B97F4A7C15u) >> 32);
}

} // namespace

template <class Matches>
ptrdiff_t DictObject::locate(size_t hash, Matches matches) const {
    // Comparing may run code that changes the dict.
    const auto isFound = [&](size_t index) {
        return m_entries[index].hash == hash && matches(m_entries[index]) && index < m_entries.size() &&
               m_entries[index].hash == hash;
    };
    if (m_buckets.empty()) {
        for (size_t i = m_first; i < m_entries.size(); ++i)
            if (isFound(i))
                return static_cast<ptrdiff_t>(i);
        return -1;
    }
    const size_t mask = m_buckets.size() - 1;
    for (size_t at = bucketOf(hash) & mask; m_buckets[at] != kFree; at = (at + 1) & mask) {
        if (m_buckets[at] >= 0 && isFound(static_cast<size_t>(m_buckets[at])))
            return m_buckets[at];
        if (m_buckets.size() != mask + 1)
            return locate(hash, matches);
    }
    return -1;
}

namespace {

auto isText(std::string_view text) {
    return [text](const DictObject::Entry& entry) {
        if (entry.key.isData())
            return entry.key.isString() && entry.key.text() == text;
        const Value held = entry.key;
        return held.as<InstanceObject>() && areEqual(held, makeText(std::string(text)));
    };
}
auto isValue(const Value& key) {
    return [&key](const DictObject::Entry& entry) {
        const Value held = entry.key; // comparing may run code that changes the dict
        return held.isSame(key) || areEqual(held, key);
    };
}

} // namespace

TextKey::TextKey(std::string_view text) : text(text), hash(keyHash(hashText(text))) {}

Value* DictObject::find(const TextKey& key) {
    const ptrdiff_t at = locate(key.hash, isText(key.text));
    return at < 0 ? nullptr : &m_entries[static_cast<size_t>(at)].value;
}

Value* DictObject::find(const Value& key) {
    if (key.isString())
        return find(TextKey(key.text()));
    const ptrdiff_t at = locate(keyHash(hashOf(key)), isValue(key));
    return at < 0 ? nullptr : &m_entries[static_cast<size_t>(at)].value;
}

const DictObject::Entry* DictObject::entryFrom(size_t& at) const {
    at = std::max(at, m_first);
    while (at < m_entries.size() && m_entries[at].hash == kGapHash)
        ++at;
    return at < m_entries.size() ? &m_entries[at] : nullptr;
}

std::atomic<uint64_t> DictObject::Watch::moves = 0;

void DictObject::append(Value key, Value value, size_t hash) {
    ++m_version;
    m_watch.tell();
    if (m_gaps > kIndexedFrom && m_gaps > size())
        rebuild();
    m_entries.push_back({std::move(key), std::move(value), hash});
    if (m_entries.size() >= kIndexedFrom &&
        (std::max(m_filled, m_entries.size()) + 1) * 3 > m_buckets.size() * 2)
        return rebuild();
    if (m_buckets.empty())
        return;
    const size_t mask = m_buckets.size() - 1;
    size_t at = bucketOf(hash) & mask;
    while (m_buckets[at] != kFree)
        at = (at + 1) & mask;
    m_buckets[at] = static_cast<int32_t>(m_entries.size() - 1);
    ++m_filled;
}

/// Closes the gaps and makes the index anew.
void DictObject::rebuild() {
    m_watch.tell();
    if (m_gaps > 0)
        std::erase_if(m_entries, [](const Entry& entry) { return entry.hash == kGapHash; });
    m_gaps = m_first = m_filled = 0;
    m_buckets.clear();
    if (m_entries.size() < kIndexedFrom)
        return;
    size_t size = 16;
    while (size < m_entries.size() * 2)
        size *= 2;
    m_buckets.assign(size, kFree);
    for (size_t i = 0; i < m_entries.size(); ++i) {
        size_t at = bucketOf(m_entries[i].hash) & (size - 1);
        while (m_buckets[at] != kFree)
            at = (at + 1) & (size - 1);
        m_buckets[at] = static_cast<int32_t>(i);
    }
    m_filled = m_entries.size();
}

void DictObject::remove(ptrdiff_t given) {
    ++m_version;
    m_watch.tell();
    const auto place = static_cast<size_t>(given);
    // The key and the value go last: to let go of them may run code that looks at this dict.
    const Entry gone = std::exchange(m_entries[place], Entry{Value(), Value(), kGapHash});
    ++m_gaps;
    if (!m_buckets.empty()) {
        const size_t mask = m_buckets.size() - 1;
        size_t at = bucketOf(gone.hash) & mask;
        while (m_buckets[at] != given)
            at = (at + 1) & mask;
        m_buckets[at] = kErased;
    }
    while (!m_entries.empty() && m_entries.back().hash == kGapHash) {
        m_entries.pop_back();
        --m_gaps;
    }
    while (m_first < m_entries.size() && m_entries[m_first].hash == kGapHash)
        ++m_first;
    if (m_entries.empty() || m_buckets.empty())
        rebuild();
}

void DictObject::set(std::string_view key, Value value) {
    const size_t hash = keyHash(hashText(key));
    if (const ptrdiff_t at = locate(hash, isText(key)); at >= 0)
        m_entries[static_cast<size_t>(at)].value = std::move(value);
    else
        append(makeText(std::string(key)), std::move(value), hash);
}

void DictObject::set(const Value& key, Value value) {
    if (key.isString()) {
        const size_t hash = keyHash(hashText(key.text()));
        if (const ptrdiff_t at = locate(hash, isText(key.text())); at >= 0)
            m_entries[static_cast<size_t>(at)].value = std::move(value);
        else
            append(key, std::move(value), hash);
        return;
    }
    const size_t hash = keyHash(hashOf(key));
    if (const ptrdiff_t at = locate(hash, isValue(key)); at >= 0)
        m_entries[static_cast<size_t>(at)].value = std::move(value);
    else
        append(key, std::move(value), hash);
}

bool DictObject::erase(const Value& key) {
    if (key.isString())
        return erase(std::string_view(key.text()));
    const ptrdiff_t at = locate(keyHash(hashOf(key)), isValue(key));
    if (at >= 0)
        remove(at);
    return at >= 0;
}

bool DictObject::erase(std::string_view key) {
    const ptrdiff_t at = locate(keyHash(hashText(key)), isText(key));
    if (at >= 0)
        remove(at);
    return at >= 0;
}

void DictObject::clear() {
    ++m_version;
    std::vector<Entry> gone; // let go of last: that may run code that looks at this dict
    gone.swap(m_entries);
    m_gaps = 0;
    rebuild();
}

} // namespace fx
