// SPDX-License-Identifier: GPL-3.0-or-later
// Running the model from the window: what it is run on, what it may do, and the actions that steer it.
#pragma once

#include "app/gui/window_context.h"

namespace fx::ui {

class FilesController;

class RunningController : public QObject {
public:
    /// `files`: loads libraries of operators that a run lacks.
    RunningController(const WindowContext& context, FilesController& files);

private:
    void addRuns();
    void addSteps();
    void addBreakpoints();
    void addValues();
    /// Joins what is shown of the model that was opened.
    void follow();
    void editInputs(bool isBeforeRun = false);
    /// Where the run of the front has ended for want of an operator, offers to load its library.
    void offerLibrary();
    /// The node whose NaN or Inf the user can ask about: the selected one, or the output of a finished run if
    /// none is selected. No node if its value is finite.
    NodeRef nonFiniteNode() const;
    /// Whether a run can begin; asks for the inputs that nothing is known of, and whether the model may touch
    /// files.
    bool mayRun();
    /// False where the run is given up.
    bool askAboutOutside();
    void resume(Resume::Mode mode);
    void stepBack();
    /// The first node of the closed scope that stands right before the node which is next; none where no
    /// scope does.
    NodeId beginOfScopeBefore() const;
    /// A scope that is closed is one step, and stepping into it opens it. False where the run stands in none.
    bool stepAtCollapsedScope(Resume::Mode mode);
    void askForTrait();
    void askForSavedRun();

    const WindowContext m_context;
    FilesController& m_files;
};

} // namespace fx::ui
