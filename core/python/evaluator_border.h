// SPDX-License-Identifier: GPL-3.0-or-later
// The template behind Evaluator's public entries. Internal to the evaluator's files.
#pragma once

#include "core/python/evaluator.h"

namespace fx {

template <class Work>
auto Evaluator::atBorder(Work work) {
    struct Border {
        int& depth;
        explicit Border(int& d) : depth(d) { ++depth; }
        ~Border() { --depth; }
    } border(m_borders);
    if (m_borders > 1)
        return work();
    try {
        return work();
    } catch (const Error& error) {
        locate(error);
    }
}

} // namespace fx
