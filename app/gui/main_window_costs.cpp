// SPDX-License-Identifier: GPL-3.0-or-later
// What nodes cost, as colours of the canvas, and the question what they would cost otherwise.
#include "app/gui/main_window.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/panes/toast.h"

namespace fx {

namespace {

struct ColourRow {
    QAction* Actions::*action;
    Colouring colouring;
    bool isCost = false;
    bool wantsDevice = false;
    bool wantsRun = false;
};

const ColourRow kColours[] = {
    {&Actions::colourKind, Colouring::Kind},
    {&Actions::colourFlops, Colouring::Flops, true},
    {&Actions::colourBytes, Colouring::Bytes, true},
    {&Actions::colourMemory, Colouring::Memory, true},
    {&Actions::colourPredicted, Colouring::Predicted, true, true},
    {&Actions::colourBound, Colouring::Bound, true, true},
    {.action = &Actions::colourTime, .colouring = Colouring::Time, .wantsRun = true},
    {.action = &Actions::colourHealth, .colouring = Colouring::Health, .wantsRun = true},
    {&Actions::colourError, Colouring::Difference},
    {&Actions::colourDtype, Colouring::Dtype},
    {&Actions::colourDevice, Colouring::Device},
    {&Actions::colourPart, Colouring::Part},
};

const ColourRow& rowOf(WorkspaceView& view) {
    return *std::ranges::find(kColours, view.canvas().states().colouring(), &ColourRow::colouring);
}

} // namespace

void MainWindow::connectCosts() {
    m_actions.colourKind->setChecked(true);
    for (QAction* each : m_actions.colours())
        connect(each, &QAction::triggered, this, &MainWindow::colourBoxes);
    connect(m_actions.whatIf, &QAction::triggered, this, [this] { m_docks.show(Docks::WhatIf); });
}

void MainWindow::followCosts() {
    Workspace& workspace = *m_workspace;
    WorkspaceView* view = m_view;
    const auto show = [this, &workspace, view] { showCosts(workspace, *view); };
    connect(&workspace.costs(), &CostService::changed, view, show);
    connect(&workspace.costs(), &CostService::deviceFailed, view,
            [view](const QString& reason) { view->toast().tell(reason, true); });
    connect(&workspace.document(), &GraphDocument::changed, view, show);
}

void MainWindow::colourBoxes() {
    const auto* chosen = std::ranges::find_if(
        kColours, [this](const ColourRow& row) { return (m_actions.*row.action)->isChecked(); });
    CostService& costs = m_workspace->costs();
    if (chosen->wantsDevice && costs.deviceName().isEmpty())
        costs.chooseDevice(kThisMachine); // the one that there is
    m_view->canvas().colourBy(chosen->colouring);
    showCosts(*m_workspace, *m_view);
    if (chosen->colouring == Colouring::Difference)
        askForDifferences();
    if (chosen->isCost && !m_workspace->debug().inputs().areGiven())
        m_view->toast().tell("What nodes cost depends on the sizes of the inputs: give them first (Ctrl+I).",
                             true);
    if (chosen->isCost && !costs.fault().isEmpty())
        m_view->toast().tell("It cannot be told what nodes cost: " + costs.fault(), true);
    if (chosen->wantsRun && m_workspace->debug().state() == DebugService::State::Idle)
        m_actions.run->trigger();
}

void MainWindow::showColouring() {
    (m_actions.*rowOf(*m_view).action)->setChecked(true);
}

void MainWindow::showCosts(Workspace& workspace, WorkspaceView& view) {
    if (!rowOf(view).isCost)
        return;
    workspace.costs().ask();
    view.canvas().setCosts(workspace.costs().figures());
}

} // namespace fx
