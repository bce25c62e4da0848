// SPDX-License-Identifier: GPL-3.0-or-later
// What a process may do in which a stranger's code is evaluated: compute, read files, and write to what is
// open.
#pragma once

#include "core/base/limits.h"

#include <string>

namespace fx {

/// Takes from this process, for good, what opening a model does not need: opening files for writing, starting
/// programs, sockets, signals to others, privileges. Bounds its address space and its time. `fileBytes`: what
/// the files of the model hold.
void confineThisProcess(const OpeningLimits& limits, uint64_t fileBytes);

/// True if this build and this kernel can filter system calls.
bool hasSeccomp();
/// What of it this machine has, for people: "seccomp, resource limits".
std::string confinementText();

} // namespace fx
