// SPDX-License-Identifier: GPL-3.0-or-later
// What a user asked for last: where the run stops again if no breakpoint stops it before.
#pragma once

#include "core/run/later_runs.h"

namespace fx {

class StepPlan {
public:
    explicit StepPlan(const Model& model) : m_model(model) {}

    void set(Resume resume);
    /// Why the run would not stop where it is to, if it went on from here; else empty.
    std::string whyNever(const FrameStack& frames) const;
    /// The run goes on from here.
    void goFrom(const FrameStack& frames);
    /// Whether it ends before the innermost frame's node, which is in `scope`. `note`: why it ends elsewhere
    /// than was asked for.
    bool endsAt(const FrameStack& frames, int scope, bool isRead, std::string& note);

private:
    bool isLeft(const FrameStack& frames, bool isRead);

    const Model& m_model;
    Resume m_resume;
    size_t m_depth = 0;                   ///< how many graphs were running where it was asked for
    int m_scope = 0;                      ///< the module scope there
    std::optional<LaterRuns> m_laterRuns; ///< of the node to run to
    size_t m_depthBefore = 0;             ///< how many graphs were running at the node before
};

} // namespace fx
