// SPDX-License-Identifier: GPL-3.0-or-later
// What a user asked for last: where the run stops again if no breakpoint stops it before.
#pragma once

#include "core/interpret/frame_stack.h"

namespace fx {

struct StepPlan {
    Resume resume;
    size_t depth = 0; ///< how many graphs were running where it was asked for
    int scope = 0;    ///< the module scope there

    /// Whether it ends before the innermost frame's node, which is in `scope`.
    bool endsAt(const FrameStack& frames, int scope, bool isRead) const;
};

} // namespace fx
