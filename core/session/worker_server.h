// SPDX-License-Identifier: GPL-3.0-or-later
// The worker's end: runs the model that it is sent, for whoever is at the other end of a channel.
#pragma once

#include "core/process/channel.h"

#include <atomic>
#include <cstdint>

namespace fx {

/// Returns when the other end is closed. `position`: as in DebugOptions. What runs then is in the middle of
/// something, so the process is to end without more ado.
void serveRuns(Channel& channel, std::atomic<uint64_t>* position);

} // namespace fx
