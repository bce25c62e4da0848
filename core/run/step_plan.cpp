// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/step_plan.h"

namespace fx {

void StepPlan::set(Resume resume) {
    m_resume = resume;
    m_laterRuns.reset();
    if (resume.mode == Resume::Mode::Until)
        m_laterRuns.emplace(m_model, resume.node);
}

std::string StepPlan::whyNever(const FrameStack& frames) const {
    if (!m_laterRuns || m_laterRuns->mayCome(frames))
        return {};
    const NodeRef here = frames.back().node;
    const std::string name = m_model.graph(m_resume.node.module).node(m_resume.node.node).name;
    if (here == m_resume.node)
        return name + " is the node that runs next, and it does not run again after that";
    const bool canGoBack = here.module == m_resume.node.module;
    return name + " does not run any more; " +
           (canGoBack ? "'jump " + name + "' goes back to it" : "'run' starts the run anew");
}

void StepPlan::goFrom(const FrameStack& frames) {
    m_depth = m_depthBefore = frames.size();
    m_scope = frames.back().scopes->scopeOf(frames.back().node.node);
}

bool StepPlan::endsAt(const FrameStack& frames, int scope, bool isRead, std::string& note) {
    using Mode = Resume::Mode;
    if (isRead && m_resume.mode != Mode::Until)
        return false;
    switch (m_resume.mode) {
    case Mode::Continue:
        return false;
    case Mode::Step:
        return true;
    case Mode::Next:
        return frames.size() <= m_depth;
    case Mode::NextScope:
        return frames.size() < m_depth || (frames.size() == m_depth && scope != m_scope);
    case Mode::Out:
        if (frames.size() < m_depth)
            return true;
        return frames.size() == m_depth && m_depth == 1 && !frames.back().scopes->isInside(scope, m_scope);
    case Mode::Until:
        if (frames.back().node == m_resume.node)
            return true;
        if (!isLeft(frames, isRead))
            return false;
        note = whyNever(frames);
        return true;
    }
    return false;
}

/// Whether a graph has ended and the node cannot come any more. pdb's "until" ends with its function, too.
bool StepPlan::isLeft(const FrameStack& frames, bool isRead) {
    if (isRead)
        return false; // at the next node that is more than read
    return std::exchange(m_depthBefore, frames.size()) > frames.size() && !m_laterRuns->mayCome(frames);
}

} // namespace fx
