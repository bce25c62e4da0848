// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of one level by Graphviz's dot. Not thread-safe, cannot be cancelled and may take for ever: it runs
// in the worker process (app/layout_worker), which worker_client.h watches.
#pragma once

#include "core/layout/level.h"

namespace fx {

LevelLayout layoutWithGraphviz(const Level& level);

} // namespace fx
