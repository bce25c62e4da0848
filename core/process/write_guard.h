// SPDX-License-Identifier: GPL-3.0-or-later
// A process beside a confined one. It never runs anything of a file. The kernel hands it the calls of the
// confined process that open files for writing, replace or remove them, or send signals; it makes those that
// are allowed itself (seccomp_unotify(2)), so that the confined process has no way to do so.
#pragma once

#include "core/process/output_rules.h"

#include <sys/types.h>

namespace fx {

class WriteGuard {
public:
    /// Starts the guard of this process. `furtherOutputs`: a socket on which further outputs are named, a
    /// path each packet; -1: there is none.
    WriteGuard(OutputRules rules, int furtherOutputs);
    ~WriteGuard();
    WriteGuard(const WriteGuard&) = delete;
    WriteGuard& operator=(const WriteGuard&) = delete;

    /// False where the system does not let a process look at another one, as the guard has to.
    bool isReady() const { return m_isReady; }
    /// Hands over the descriptor of the filter's notifications, and closes it here. Returns false if the
    /// guard could not take it.
    bool take(int listener);

private:
    pid_t m_guard = -1;
    int m_socket = -1;
    bool m_isReady = false;
};

} // namespace fx
