// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/part_growth.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace fx {

namespace {

/// The shorter list goes behind the longer one.
void append(std::vector<size_t>& list, std::vector<size_t>& more) {
    if (list.size() < more.size())
        list.swap(more);
    list.insert(list.end(), more.begin(), more.end());
}

} // namespace

std::vector<uint64_t>& PartSet::own(size_t words) {
    if (!m_words)
        m_words = std::make_shared<std::vector<uint64_t>>();
    else if (m_words.use_count() > 1)
        m_words = std::make_shared<std::vector<uint64_t>>(*m_words);
    if (m_words->size() < words)
        m_words->resize(words);
    return *m_words;
}

void PartSet::insert(size_t part) {
    if (!contains(part))
        own(part / 64 + 1)[part / 64] |= uint64_t(1) << (part % 64);
}

void PartSet::erase(size_t part) {
    if (contains(part))
        own(0)[part / 64] &= ~(uint64_t(1) << (part % 64));
}

bool PartSet::insert(const PartSet& other) {
    if (!other.m_words || other.m_words == m_words)
        return false;
    if (!m_words) {
        m_words = other.m_words;
        return true;
    }
    const std::vector<uint64_t>& more = *other.m_words;
    size_t index = 0;
    while (index < more.size() && !(more[index] & ~word(index)))
        ++index;
    if (index == more.size())
        return false;
    std::vector<uint64_t>& words = own(more.size());
    for (; index < more.size(); ++index)
        words[index] |= more[index];
    return true;
}

PartGrowth::PartGrowth(const Graph& graph, const NodePlaces& places)
    : m_graph(graph), m_places(places), m_number(places.size(), kNone), m_beyond(places.size()),
      m_isAdded(places.size()) {}

size_t PartGrowth::numberOf(size_t place) {
    if (m_number[place] == kNone)
        return kNone;
    size_t number = m_number[place];
    while (m_joined[number] != number)
        number = m_joined[number] = m_joined[m_joined[number]];
    return m_number[place] = number;
}

void PartGrowth::add(size_t place, bool isSupported) {
    m_isAdded[place] = true;
    PartSet beyond;
    for (const NodeId user : m_graph.node(m_places.node(place)).users) {
        const size_t reader = m_places.of(user), number = numberOf(reader);
        beyond.insert(number == kNone ? m_beyond[reader] : m_parts[number].beyond);
        if (number != kNone && !isSupported)
            beyond.insert(number);
    }
    for (const NodeId user : m_graph.node(m_places.node(place)).users)
        if (const size_t number = numberOf(m_places.of(user)); number != kNone)
            m_parts[number].inputs.push_back(place);
    if (!isSupported) {
        m_beyond[place] = std::move(beyond);
        return;
    }
    const size_t number = m_parts.size();
    m_number[place] = number;
    m_joined.push_back(number);
    m_live.insert(number);
    if (beyond.contains(0))
        m_beforeFirst.insert(number);
    m_parts.push_back({{number, {place}}, {}, std::move(beyond)});
}

void PartGrowth::joinAll(size_t place) {
    if (m_parts.empty())
        return;
    size_t number = numberOf(place);
    const size_t own = number; // no other than itself
    if (number == kNone)
        number = 0;
    for (size_t index = 0; index <= m_parts.size() / 64; ++index) {
        uint64_t tried = 0;
        for (;;) {
            uint64_t left = m_live.word(index) & ~m_parts[number].beyond.word(index) & ~tried;
            if (number == 0)
                left &= ~m_beforeFirst.word(index);
            if (!left)
                break;
            const uint64_t lowest = left & (~left + 1);
            tried |= lowest | (lowest - 1);
            const size_t other = index * 64 + static_cast<size_t>(std::countr_zero(left));
            if (other != number && other != own)
                join(number, other);
        }
    }
}

void PartGrowth::joinReaders(size_t place) {
    size_t number = numberOf(place);
    std::vector<size_t> others;
    for (const NodeId user : m_graph.node(m_places.node(place)).users)
        if (const size_t other = numberOf(m_places.of(user));
            other != kNone && std::ranges::find(others, other) == others.end())
            others.push_back(other);
    for (const size_t other : others)
        join(number, other);
}

/// `number` becomes that of both.
bool PartGrowth::join(size_t& number, size_t other) {
    if (m_parts[number].beyond.contains(other) || m_parts[other].beyond.contains(number))
        return false;
    const auto [kept, gone] = std::minmax(number, other);
    const bool isOtherLarger = m_parts[number].grown.nodes.size() < m_parts[other].grown.nodes.size();
    const size_t id = m_parts[isOtherLarger ? other : number].grown.id;
    Growing& part = m_parts[kept];
    Growing joined = std::exchange(m_parts[gone], {});
    m_joined[gone] = kept;
    m_live.erase(gone);
    part.grown.id = id;
    append(part.grown.nodes, joined.grown.nodes);
    const bool isMoreBeyond = part.beyond.insert(joined.beyond);
    if (part.beyond.contains(0))
        m_beforeFirst.insert(kept);
    // Those before the part that is gone know it by another number.
    std::vector<size_t> told = joined.inputs;
    append(part.inputs, joined.inputs);
    if (isMoreBeyond) {
        std::erase_if(part.inputs, [&](size_t input) { return numberOf(input) == kept; });
        told = part.inputs;
    }
    number = kept;
    spread(kept, told);
    return true;
}

/// Of a node in no part, or of its part. Whether anything was new.
bool PartGrowth::addBeyond(size_t place, const PartSet& beyond, size_t number) {
    const size_t own = numberOf(place);
    if (own != kNone) {
        const bool isNew = m_parts[own].beyond.insert(beyond);
        if (isNew && m_parts[own].beyond.contains(0))
            m_beforeFirst.insert(own);
        return isNew;
    }
    bool isNew = m_beyond[place].insert(beyond);
    if (number != kNone && !m_beyond[place].contains(number)) {
        m_beyond[place].insert(number);
        isNew = true;
    }
    return isNew;
}

void PartGrowth::spread(size_t number, const std::vector<size_t>& inputs) {
    // A part by its number, a node in none by its place.
    std::vector<std::pair<size_t, bool>> changed;
    const auto tell = [&](size_t place, const PartSet& beyond, size_t from) {
        const size_t own = numberOf(place);
        if (m_isAdded[place] && (from == kNone || own != from) && addBeyond(place, beyond, from))
            changed.emplace_back(own == kNone ? place : own, own != kNone);
    };
    const auto tellInputs = [&](size_t part, const std::vector<size_t>& of) {
        const PartSet beyond = m_parts[part].beyond;
        for (const size_t input : of)
            tell(input, beyond, part);
    };
    tellInputs(number, inputs);
    while (!changed.empty()) {
        const auto [at, isPart] = changed.back();
        changed.pop_back();
        if (isPart) {
            tellInputs(at, m_parts[at].inputs);
            continue;
        }
        const PartSet beyond = m_beyond[at];
        for (const InputUse& use : m_graph.node(m_places.node(at)).inputs)
            tell(m_places.of(use.node), beyond, kNone);
    }
}

std::vector<PartGrowth::Grown> PartGrowth::take() {
    std::vector<Grown> out;
    for (Growing& part : m_parts)
        if (!part.grown.nodes.empty())
            out.push_back(std::move(part.grown));
    std::ranges::sort(out, {}, &Grown::id);
    return out;
}

} // namespace fx
