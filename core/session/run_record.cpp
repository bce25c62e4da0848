// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/run_record.h"

namespace fx {

void RunRecord::start(int run, const RunRequest& request) {
    if (!request.changed)
        end();
    m_state = startedRun(run, request.pausesAtEntry);
    m_gradients.reset();
    m_breakpoints = request.breakpoints;
}

void RunRecord::take(int run, const DebugEvent& event) {
    if (run != m_state.run)
        return;
    m_state = next(std::move(m_state), event);
    if (const auto* executed = std::get_if<Executed>(&event)) {
        for (const NodeRecord& record : executed->records) {
            const auto [place, isNew] = m_places.try_emplace(record.node, m_records.size());
            if (isNew)
                m_records.push_back(record);
            else
                m_records[place->second] = record;
        }
    } else if (const auto* memory = std::get_if<MemoryReport>(&event)) {
        m_memory = *memory;
    } else if (const auto* gradients = std::get_if<Differentiated>(&event)) {
        m_gradients = *gradients;
    } else if (const auto* changed = std::get_if<BreakpointsChanged>(&event)) {
        m_breakpoints = changed->breakpoints;
    }
}

std::vector<DebugEvent> RunRecord::events() const {
    std::vector<DebugEvent> out;
    if (m_state.run == 0)
        return out;
    out.push_back(BreakpointsChanged{m_breakpoints});
    if (!m_records.empty())
        out.push_back(Executed{m_records, true});
    if (m_memory)
        out.push_back(*m_memory);
    if (m_gradients)
        out.push_back(*m_gradients);
    if (const std::optional<DebugEvent> state = stateEvent(m_state))
        out.push_back(*state);
    if (!m_state.whyGone.empty())
        out.push_back(ValuesGone{m_state.whyGone});
    return out;
}

} // namespace fx
