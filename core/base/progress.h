// SPDX-License-Identifier: GPL-3.0-or-later
// How long work tells what it is doing and learns that nobody wants it any more.
#pragma once

#include "core/base/error.h"

#include <atomic>
#include <string>

namespace fx {

class Progress {
public:
    virtual ~Progress() = default;
    /// `fraction` from 0 to 1. Called from the thread that works.
    virtual void report(double fraction, const std::string& what) {
        (void)fraction;
        (void)what;
    }
    void cancel() { m_isCancelled = true; }
    bool isCancelled() const { return m_isCancelled; }
    /// Reports, and throws Cancelled if the work is no longer wanted.
    void step(double fraction, const std::string& what) {
        if (m_isCancelled)
            throw Cancelled();
        report(fraction, what);
    }

private:
    std::atomic<bool> m_isCancelled = false;
};

} // namespace fx
