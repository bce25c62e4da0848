// SPDX-License-Identifier: GPL-3.0-or-later
// What this process takes of the machine's memory, in bytes.
#pragma once

#include <cstdint>

namespace fx {

uint64_t addressSpaceBytes();
uint64_t residentBytes();
/// Without what it shares with others or with files.
uint64_t ownBytes();
/// What the machine has.
uint64_t machineBytes();

} // namespace fx
