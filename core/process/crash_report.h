// SPDX-License-Identifier: GPL-3.0-or-later
// A process that runs a stranger's operators may die by a signal. Its last words say in which call, and
// whoever started it tells that in one line.
#pragma once

#include "core/base/error.h"

#include <chrono>
#include <functional>
#include <string>

namespace fx {

/// How a process of ours ended.
struct ProcessEnd {
    int exitStatus = 0;
    int signal = 0;            ///< 0: it ended by itself
    bool isLate = false;       ///< it was stopped at its time limit
    bool isOverMemory = false; ///< it took more memory than it may
    std::string node, call;    ///< where it was, if it could still say so
    std::string line;          ///< "net.py:5"
};

/// From now on this process writes to `descriptor` what it was doing (current_work.h) when a signal kills it,
/// and when `limit` is over, which ends it. Zero: no limit.
void reportCrashes(int descriptor, std::chrono::seconds limit = {});

/// Ends this process, which takes more memory than it may, with a report.
[[noreturn]] void endOverMemory();
/// What a process told and how it ended; `status`: as waitpid gives it. Reads `descriptor` to its end.
ProcessEnd processEnd(int status, int descriptor);

/// Runs `work` in a child of this process and waits for it. The child ends with the status that `work` gives;
/// it gets SIGKILL when this process ends, and 2 s after `limit`. Only for a process that has no threads and
/// has not computed in parallel: LibTorch's own would be missing in the child, which waits for them for ever.
ProcessEnd runInChild(const std::function<int()>& work, std::chrono::seconds limit = {});

/// "crashed in torch._stack (signal 11)"; "took longer than 60 s, and was stopped in torch.matmul".
std::string endText(const ProcessEnd& end, std::chrono::seconds limit = {});

} // namespace fx
