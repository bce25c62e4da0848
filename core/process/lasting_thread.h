// SPDX-License-Identifier: GPL-3.0-or-later
// Where processes are started that are to end with this one.
#pragma once

#include <functional>

namespace fx {

/// Runs `work` on a thread that lives as long as this process, and waits for its result. The kernel ends a
/// child that asks for it (PR_SET_PDEATHSIG) when the thread that started it ends, not when the process does.
int onLastingThread(const std::function<int()>& work);

} // namespace fx
