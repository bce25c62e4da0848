// SPDX-License-Identifier: GPL-3.0-or-later
// The console's commands that resume or start the run.
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
    jumpTo(nodeNamed(arguments));
}

void Console::jumpTo(NodeRef node) {
    if (!state().isPaused() || node.module != frames().back().node.module)
        throw Error("", "a jump needs a paused run and a node of its innermost graph");
    m_control.run().ask(Jump{0, node.node}, [this](const Answer& answer) { take(answer); });
}

void Console::reverseStep(const std::string&) {
    requireStop();
    goBack(false);
}

void Console::reverseContinue(const std::string&) {
    requireStop();
    goBack(true);
}

void Console::goBack(bool isToStop) {
    if (!state().isPaused())
        return;
    GoBack request{0, isToStop};
    const ModuleId innermost = frames().back().node.module;
    if (isToStop)
        for (const Display& each : m_displays)
            if (!each.graph || *each.graph == innermost)
                request.watched.push_back(each.expression);
    m_control.run().ask(std::move(request), [this](const Answer& answer) { take(answer); });
}

void Console::run(const std::string&) {
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
