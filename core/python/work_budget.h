// SPDX-License-Identifier: GPL-3.0-or-later
// Counts what a program takes, and stops it at its limits.
#pragma once

#include "core/base/limits.h"
#include "core/python/value.h"

#include <cstdint>
#include <string_view>

namespace fx {

struct EvaluationLimits {
    uint64_t steps = 50'000'000;            ///< statements, calls and iterations
    int depth = 1000;                       ///< Python calls, as in Python
    uint64_t bytes = OpeningLimits().bytes; ///< taken by one value at once, or by all together
};

/// The kind of an error for which a limit is the reason. The program cannot catch it.
inline constexpr std::string_view kLimitKind = "LimitReached";

class WorkBudget {
public:
    explicit WorkBudget(const EvaluationLimits& limits) : m_limits(limits) {}

    /// Counts one step; throws at the limit.
    void step() {
        if (++m_steps > m_nextCheck)
            check();
    }
    /// Counts work that is more than one step. Throws nothing: the next step does.
    void charge(uint64_t steps) { m_steps += steps; }
    /// To be asked before so many bytes are taken at once.
    void reserve(uint64_t bytes);
    /// What was done so far does not count any more.
    void restart();

private:
    void check();

    const EvaluationLimits m_limits;
    uint64_t m_steps = 0;
    uint64_t m_nextCheck = 0; ///< the step at which limits are looked at again
    uint64_t m_bytes = 0;
    uint64_t m_nextBytes = 0;            ///< at which memory is looked at again
    uint64_t m_residentBefore = 0;       ///< memory of the process, when that began
    int64_t m_objects = Object::alive(); ///< that were there before
};

} // namespace fx
