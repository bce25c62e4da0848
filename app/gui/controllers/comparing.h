// SPDX-License-Identifier: GPL-3.0-or-later
// What holds the model against others: the compare window, runs that are kept, the search for the change that
// made results differ; and what nodes cost or differ, as colours of the canvas.
#pragma once

#include "app/gui/window_context.h"
#include "widgets/canvas/box_states.h"
#include "widgets/session/compare_service.h"

namespace fx::ui {

class CompareWindow;

class ComparingController : public QObject {
public:
    explicit ComparingController(const WindowContext& context);

private:
    void addComparisons();
    void addColours();
    /// Joins what is shown of the model that was opened.
    void follow();
    /// Shows both in a window of their own; `steps` and `first` as CompareWish has them.
    void compare(const ComparePoint& first, int steps);
    /// With the model before its last step.
    void compareLast();
    /// The file of the model in another tab is the reference; with several others, the user chooses one.
    void compareTab();
    CompareWindow& showWindow();
    /// Of the models in the other tabs.
    QStringList otherFiles() const;
    CompareService& comparer();
    void bisectSince(int steps);
    void keepReference();
    /// For the canvas: where none are known, it is compared with the model as it was opened.
    void askForDifferences();
    /// What is not known yet is counted, run or compared.
    void colourBy(Colouring colouring);
    /// Where the canvas is coloured by them.
    static void showCosts(Workspace& workspace, WorkspaceView& view);

    const WindowContext m_context;
};

} // namespace fx::ui
