// SPDX-License-Identifier: GPL-3.0-or-later
// Following edits of the document.
#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"

#include <utility>

namespace fx {

void DebugService::follow(const Changes& changes, bool isBackwards) {
    const bool wasLive = runState().isLive();
    const size_t breakpointsBefore = breakpoints().size();
    m_run.follow(updateOf(model(), changes, isBackwards, std::exchange(m_known, ModelExtent(model()))));
    if (state() != State::Idle) {
        if (!changesNoValue(changes))
            forgetGradients();
        if (wasLive && !runState().isLive()) {
            m_console.forgetRun();
            tell("the graph has changed, so the run has ended; F5 goes on with the new one",
                 ConsoleStyle::Dim);
        }
        if (m_nonFinite)
            m_nonFinite = m_run.values().nonFinite(model()); // the node that it names may be gone
        Q_EMIT recordsChanged();
        tellState();
    }
    if (breakpoints().size() != breakpointsBefore)
        Q_EMIT breakpointsChanged();
}

} // namespace fx
