// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/step_plan.h"

namespace fx {

bool StepPlan::endsAt(const FrameStack& frames, int nodeScope, bool isRead) const {
    using Mode = Resume::Mode;
    if (isRead && resume.mode != Mode::Until)
        return false;
    switch (resume.mode) {
    case Mode::Continue:
        return false;
    case Mode::Step:
        return true;
    case Mode::Next:
        return frames.size() <= depth;
    case Mode::NextScope:
        return frames.size() < depth || (frames.size() == depth && nodeScope != scope);
    case Mode::Out:
        if (frames.size() < depth)
            return true;
        return frames.size() == depth && depth == 1 && !frames.back().scopes->isInside(nodeScope, scope);
    case Mode::Until:
        return frames.back().node == resume.node;
    }
    return false;
}

} // namespace fx
