// SPDX-License-Identifier: GPL-3.0-or-later
// core/rewrite/inserted_call.h as a pass: a call into a graph, between a node and its readers if wanted.
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

struct PassOption;
class PassOptions;
struct PassContext;

/// Its result is a line for the new node, with its shape where that is known. Throws an Error where a call
/// cannot take the recorded shapes, the new ones and those that follow from them.
void runInsert(Edit& edit, const PassOptions& options, PassContext& context);

std::vector<PassOption> insertOptions();

} // namespace fx
