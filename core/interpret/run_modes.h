// SPDX-License-Identifier: GPL-3.0-or-later
// What LibTorch keeps by thread and a graph may change in its middle: grad mode, inference mode and autocast;
// and how far the calls of a run may reach. A run has its own, from one step to the next and on whichever
// thread that is; a thread has its own back when the run leaves it, also by an error.
#pragma once

#include "core/interpret/run_settings.h"
#include "core/torch/bind/operator_effects.h"
#include "core/torch/values/thread_modes.h"

namespace fx {

class RunModes {
public:
    explicit RunModes(const RunSettings& settings)
        : m_mode(settings.gradMode), m_reach(settings.isOutsideAllowed ? Reach::Outside : Reach::Running) {}
    RunModes(const RunModes&) = delete;
    RunModes& operator=(const RunModes&) = delete;

    /// Back to what a run begins with.
    void reset() { m_own.reset(); }

    /// The modes of the run hold on this thread while it lives. Scopes of one run may nest.
    class Scope {
    public:
        explicit Scope(RunModes& modes);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        RunModes& m_modes;
        bool m_isOutermost;
        ReachScope m_reach;
    };

private:
    void start() const;

    GradMode m_mode;
    Reach m_reach;
    int m_depth = 0;
    std::optional<ThreadModes> m_own; ///< none before the first step
    std::optional<ThreadModes> m_outer;
};

} // namespace fx
