// SPDX-License-Identifier: GPL-3.0-or-later
// The template behind Evaluator's public entries. Internal to the evaluator's files.
#pragma once

#include "core/python/evaluator.h"

namespace fx {

template <class Work>
auto Evaluator::atBorder(Work work) {
    // Whoever comes in from outside may be on another thread than the last one.
    struct Border {
        Evaluator& evaluator;
        Evaluator* previous;
        const char* previousEnd;
        explicit Border(Evaluator& e) : evaluator(e), previous(e.enter()), previousEnd(e.m_stackEnd) {
            if (++e.m_borders == 1)
                e.m_stackEnd = threadStackEnd();
        }
        ~Border() {
            --evaluator.m_borders;
            evaluator.m_stackEnd = previousEnd;
            evaluator.leave(previous);
        }
    } border(*this);
    if (m_borders > 1)
        return work();
    try {
        return work();
    } catch (const Error& error) {
        locate(error);
    }
}

} // namespace fx
