// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/work_budget.h"

#include "core/base/error.h"
#include "core/base/memory_use.h"
#include "core/base/text.h"

#include <algorithm>

namespace fx {

[[noreturn]] static void failLimit(const char* what) {
    throw Error("", std::string("evaluation was stopped: it takes too many ") + what)
        .hint("simplify what runs while the model is constructed or traced")
        .kind(kLimitKind);
}

void WorkBudget::check() {
    if (m_steps > m_limits.steps)
        failLimit("steps");
    // Values that are alive, each with what it usually holds.
    constexpr uint64_t kObjectBytes = 256;
    const int64_t objects = Object::alive() - m_objects;
    if (objects > 0 && static_cast<uint64_t>(objects) * kObjectBytes > m_limits.bytes)
        failLimit("values");
    constexpr uint64_t kBetween = 2048;
    m_nextCheck = std::min(m_limits.steps, m_steps + kBetween);
}

void WorkBudget::reserve(uint64_t bytes) {
    if (bytes > m_limits.bytes)
        throw Error("", "evaluation was stopped: one value would take " + byteText(bytes))
            .hint("give smaller sizes")
            .kind(kLimitKind);
    // What is taken piece by piece is counted, but not what is given back: the system knows what is held.
    m_bytes += bytes;
    if (m_bytes < m_nextBytes)
        return;
    constexpr uint64_t kBetween = 64ull << 20;
    m_nextBytes = m_bytes + kBetween;
    const uint64_t resident = residentBytes();
    if (m_residentBefore == 0)
        m_residentBefore = resident;
    if (m_bytes > m_limits.bytes && resident + bytes > m_residentBefore + m_limits.bytes)
        failLimit("bytes");
}

void WorkBudget::restart() {
    m_steps = m_nextCheck = m_bytes = m_nextBytes = m_residentBefore = 0;
    m_objects = Object::alive();
}

} // namespace fx
