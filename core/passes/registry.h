// SPDX-License-Identifier: GPL-3.0-or-later
// The passes: one row each.
#pragma once

#include "core/passes/pass.h"

#include <deque>

namespace fx {

/// Where a row lies it stays.
const std::deque<Pass>& passes();
/// Throws an Error that lists the passes.
const Pass& findPass(std::string_view name);
/// Throws an Error for a row that could not be used: a name that is taken or that no flag can have, a default
/// that is none of its type.
void requireUsable(const Pass& pass);
/// For plugins, before anything runs.
void addPass(Pass pass);

} // namespace fx
