// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/frame_stack.h"

namespace fx {

RunningFrame& FrameStack::arrive(Interpreter& interpreter, NodeRef node) {
    const auto is = [&](const RunningFrame& frame) {
        return frame.interpreter == &interpreter && frame.activation == interpreter.activation();
    };
    while (!m_frames.empty() && !is(m_frames.back()) && m_frames.back().interpreter != interpreter.parent())
        m_frames.pop_back();
    if (m_frames.empty() || !is(m_frames.back()))
        m_frames.push_back({&interpreter, interpreter.activation(), &scopesOf(node.module), node});
    m_frames.back().node = node;
    return m_frames.back();
}

RunningFrame& FrameStack::backTo(const Interpreter& interpreter) {
    while (m_frames.back().interpreter != &interpreter)
        m_frames.pop_back();
    return m_frames.back();
}

void FrameStack::takeNoTime(RunningFrame::Clock::duration time) {
    for (RunningFrame& frame : m_frames)
        frame.start += time;
}

const ScopeTree& FrameStack::scopesOf(ModuleId module) {
    const auto found = m_scopes.find(module);
    return found != m_scopes.end() ? found->second
                                   : m_scopes.emplace(module, ScopeTree(m_model.graph(module))).first->second;
}

std::vector<DebugFrame> FrameStack::described() const {
    std::vector<DebugFrame> out;
    for (const RunningFrame& frame : m_frames)
        out.push_back({frame.node, pathOf(frame.node.module)});
    return out;
}

std::string FrameStack::pathOf(ModuleId module) const {
    std::string found;
    m_model.forEachModule(m_model.root(), [&](ModuleId id, const std::string& path) {
        if (id == module)
            found = path;
    });
    return found;
}

} // namespace fx
