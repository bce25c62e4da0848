// SPDX-License-Identifier: GPL-3.0-or-later
// The console's words for running on; those for going back are in console_back.cpp.
#include "core/base/error.h"
#include "core/console/console.h"

namespace fx {

const Paused& Console::requireStop() const {
    if (!state().isPaused())
        throw Error("", state().isOver() ? "the run is over; 'run' starts it anew" : "nothing is running");
    return state().stop;
}

/// After an edit, the commands that resume a paused run go on from the values that are not stale.
void Console::resumeWith(Resume resume) {
    if (!state().isOver() || !m_control.run().isOutdated())
        requireStop();
    m_control.resume(resume);
}

void Console::step(const std::string&) {
    resumeWith({Resume::Mode::Step, {}});
}

void Console::next(const std::string&) {
    resumeWith({Resume::Mode::Next, {}});
}

void Console::scope(const std::string&) {
    resumeWith({Resume::Mode::NextScope, {}});
}

void Console::out(const std::string&) {
    resumeWith({Resume::Mode::Out, {}});
}

void Console::resume(const std::string&) {
    resumeWith({Resume::Mode::Continue, {}});
}

void Console::until(const std::string& arguments) {
    resumeWith({Resume::Mode::Until, nodeNamed(arguments)});
}

void Console::jump(const std::string& arguments) {
    const NodeRef node = nodeNamed(arguments);
    if (!state().isPaused() || node.module != frames().back().node.module)
        throw Error("", "a jump needs a paused run and a node of its innermost graph");
    jumpTo(node.node);
}

void Console::jumpTo(NodeId node) {
    m_control.run().ask(Jump{0, node}, [this](const Answer& answer) {
        if (answer.isError)
            m_seek.reset();
        take(answer);
    });
}

void Console::run(const std::string&) {
    m_seek.reset();
    for (Display& display : m_displays)
        display.text.reset(); // what it was in another run is no news
    m_control.restart();
}

void Console::rerun(const std::string& arguments) {
    requireRun();
    const NodeRef node = nodeNamed(arguments);
    m_control.restartFrom(node);
}

void Console::quit(const std::string&) {
    m_control.quit();
}

} // namespace fx
