// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/command_queue.h"

#include <algorithm>

namespace fx {

void CommandQueue::send(DebugCommand command) {
    {
        std::lock_guard lock(m_mutex);
        if (auto* set = std::get_if<SetBreakpoints>(&command)) {
            m_breakpoints = std::move(set->breakpoints);
            m_hasBreakpoints = true;
        } else {
            // Of the looks at values, only the newest is of use to anybody.
            if (std::get_if<Inspect>(&command))
                std::erase_if(m_commands,
                              [](const DebugCommand& waiting) { return std::get_if<Inspect>(&waiting); });
            m_commands.push_back(std::move(command));
        }
    }
    m_wake.notify_all();
}

void CommandQueue::stop() {
    {
        std::lock_guard lock(m_mutex); // else it could come between a look at the flag and the sleep
        m_isStopped = true;
    }
    m_wake.notify_all();
}

void CommandQueue::end() {
    {
        std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_wake.notify_all();
}

std::optional<std::vector<Breakpoint>> CommandQueue::takeBreakpoints() {
    if (!m_hasBreakpoints) // most often; and no lock then
        return std::nullopt;
    std::lock_guard lock(m_mutex);
    m_hasBreakpoints = false;
    return std::move(m_breakpoints);
}

bool CommandQueue::isOvertaken(bool isOver) {
    std::lock_guard lock(m_mutex);
    return m_isEnding || (m_isStopped && !isOver) ||
           std::ranges::any_of(m_commands, [](const DebugCommand& waiting) {
               return std::get_if<Resume>(&waiting) || std::get_if<Jump>(&waiting) ||
                      std::get_if<GoBack>(&waiting) || std::get_if<Inspect>(&waiting);
           });
}

std::optional<DebugCommand> CommandQueue::next(bool isOver) {
    const auto isDone = [&] { return m_isEnding || (m_isStopped && !isOver); };
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [&] { return !m_commands.empty() || isDone(); });
    if (isDone())
        return std::nullopt;
    DebugCommand command = std::move(m_commands.front());
    m_commands.pop_front();
    return command;
}

} // namespace fx
