// SPDX-License-Identifier: GPL-3.0-or-later
// The hosts of an evaluator, by the kind of value that each serves. Hosts know nothing of each other: one
// program can run tensors, record proxies and hold what a third host has made.
#pragma once

#include "core/python/host.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace fx {

class Hosts {
public:
    /// A host that is added later ranks higher: where values of several hosts meet in one operation it is
    /// that of the highest, so that a proxy records what is done with a tensor. Who adds a host keeps it for
    /// as long as the evaluator lives. With no kinds: a host of handles alone (HandleObject).
    void add(ValueHost& host, std::initializer_list<HostedKind> kinds = {});
    /// Asks the host before each call of a native function or of a hosted value; the latest first.
    void addInterceptor(ValueHost& host) { m_interceptors.insert(m_interceptors.begin(), &host); }

    /// The host of the value; null where it is Python's own.
    ValueHost* of(const Value& value) const { return m_hosts[rankOf(value)]; }
    ValueHost* of(HostedKind kind) const { return m_hosts[m_ranks[static_cast<size_t>(kind)]]; }
    /// The highest of those of two values.
    ValueHost* of(const Value& a, const Value& b) const { return m_hosts[std::max(rankOf(a), rankOf(b))]; }
    /// The highest of that of a hosted object and those of what an index or item of it holds.
    ValueHost* ofAccess(const Value& object, std::initializer_list<const Value*> operands) const;
    const std::vector<ValueHost*>& interceptors() const { return m_interceptors; }

private:
    using Rank = uint8_t; ///< an index of m_hosts
    Rank rankOf(const Value& value) const {
        // Most values are numbers, which need no search.
        return value.isInt() || value.isBool() || value.isDouble() || value.isNone() ? Rank()
                                                                                     : rankOfOther(value);
    }
    Rank rankOfOther(const Value& value) const;
    /// Also of what lists, tuples, dicts and slices hold, so many levels down.
    Rank rankWithin(const Value& value, int levels) const;

    std::vector<ValueHost*> m_hosts = {nullptr};
    std::array<Rank, kHostedKinds> m_ranks = {};
    std::vector<ValueHost*> m_interceptors;
};

} // namespace fx
