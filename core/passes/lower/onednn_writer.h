// SPDX-License-Identifier: GPL-3.0-or-later
// Puts oneDNN's calls into a graph, each before the last node that it takes the place of, with a node that
// lays out its weight.
#pragma once

#include "core/module/edit.h"
#include "core/passes/lower/onednn_call.h"

namespace fx {

void writeOnednnCalls(Edit& edit, const std::vector<OnednnCall>& calls);

} // namespace fx
