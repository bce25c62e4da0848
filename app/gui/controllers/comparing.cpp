// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/comparing.h"

#include "core/base/text.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/panes/changes_pane.h"
#include "widgets/panes/compare_window.h"
#include "widgets/panes/compared_nodes.h"
#include "widgets/panes/toast.h"
#include "widgets/panes/verify_pane.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>

namespace fx::ui {

namespace {

struct ColourRow {
    Colouring colouring;
    const char *id, *text, *tip;
    bool isCost = false;
    bool wantsDevice = false;
    bool wantsRun = false;
};

const ColourRow kColours[] = {
    {Colouring::Family, "colourFamily", "Kind of work",
     "Colour boxes by what they do: convolution and linear, normalisation, activation, attention, shape"},
    {Colouring::Kind, "colourKind", "Kind of call",
     "Colour boxes by how they are called: call_module, call_function, call_method, placeholder"},
    {Colouring::Flops, "colourFlops", "FLOPs", "Colour boxes by their FLOPs, which are counted if need be",
     true},
    {Colouring::Bytes, "colourBytes", "Bytes",
     "Colour boxes by the bytes that they read and write, which are counted if need be", true},
    {Colouring::Memory, "colourMemory", "Memory",
     "Colour boxes by what all values take when they have run, which is counted if need be", true},
    {Colouring::Predicted, "colourPredicted", "Predicted time",
     "Colour boxes by how long a device would take, by its numbers and their shapes", true, true},
    {Colouring::Bound, "colourBound", "Bound",
     "Colour boxes by what a device would wait for: compute, memory or overhead", true, true},
    {Colouring::Time, "colourTime", "Time of the run",
     "Colour boxes by how long they took in the run, which begins if there was none", false, false, true},
    {Colouring::Health, "colourHealth", "Health",
     "Colour boxes by what values hold: NaN, Inf, large numbers or only zeros. A run begins if there was "
     "none",
     false, false, true},
    {Colouring::Difference, "colourError", "Error",
     "Colour boxes by how far their values are from those of the last comparison; without one, from those of "
     "the "
     "model as it was opened"},
    {Colouring::Dtype, "colourDtype", "Dtype", "Colour boxes by the dtype of the tensors that they give"},
    {Colouring::Device, "colourDevice", "Device", "Colour boxes by the device of the tensors that they give"},
    {Colouring::Part, "colourPart", "Part", "Colour boxes by the part that their nodes are to go into"},
};

const ColourRow& rowOf(Colouring colouring) {
    return *std::ranges::find(kColours, colouring, &ColourRow::colouring);
}

} // namespace

ComparingController::ComparingController(const WindowContext& context) : m_context(context) {
    addComparisons();
    addColours();
    connect(&context.tabs, &Tabs::opened, this, &ComparingController::follow);
    connect(&context.service, &OpenService::referenceKept, this,
            [this](const QString& path, const QStringList& left) {
                QString text = "Kept the run in " + QFileInfo(path).fileName();
                if (!left.isEmpty())
                    text +=
                        QString(", but for %1, which such a file cannot hold").arg(shown(left.join(", ")));
                if (m_context.tabs.view())
                    m_context.tell(text);
            });
}

void ComparingController::addComparisons() {
    m_context.actions.add(MenuPlace::DebugCheck,
                          {"compare", "Compare side by side…", "Ctrl+Shift+K", "",
                           "Run two states of the model, or another file or a run that was kept and "
                           "the model, and show both "
                           "graphs with how far each node's value is from the other's"},
                          [this] { compareLast(); });
    m_context.actions.add(MenuPlace::DebugCheck,
                          {"compareTab", "Compare with another tab", "", "",
                           "Compare this model with the saved file of the model in another tab, and show "
                           "both graphs side by side"},
                          [this] { compareTab(); },
                          {.isEnabled = [this] { return !otherFiles().isEmpty(); }});
    m_context.actions.add(
        MenuPlace::DebugCheck,
        {"bisect", "Bisect the changes", "Ctrl+Shift+B", "",
         "Find which of all changes made the results other ones than those of the model as it was opened"},
        [this] { bisectSince(0); },
        {.isEnabled = [this] { return m_context.document().undoStack().canUndo(); }});
    m_context.actions.add(
        MenuPlace::DebugCheck,
        {"keepReference", "Save run as reference…", "", "",
         "Run the model, and keep what each node gives in a file, to be compared with later"},
        [this] { keepReference(); });
    m_context.actions.add(
        MenuPlace::DebugWhatIf,
        {"whatIf", "What if…", "Ctrl+Alt+W", "",
         "What the selected nodes would take in another dtype, on another device or as one kernel"},
        [this] { m_context.docks.show(Docks::WhatIf); }, {.context = ContextPlace::Value});
}

void ComparingController::addColours() {
    for (const ColourRow& row : kColours)
        m_context.actions.add(MenuPlace::ViewColour, {row.id, row.text, "", "", row.tip},
                              [this, colouring = row.colouring] { colourBy(colouring); },
                              {.isChecked = [this, colouring = row.colouring] {
                                  return m_context.view().canvas().states().colouring() == colouring;
                              }});
}

void ComparingController::follow() {
    connect(&m_context.view().changes(), &ChangesPane::compareWanted, this, [this](int first, int second) {
        compare({ComparePoint::Kind::State, first}, second);
    });
    connect(&m_context.view().changes(), &ChangesPane::bisectWanted, this, &ComparingController::bisectSince);
    connect(&m_context.view().verify(), &VerifyPane::compareWanted, this, &ComparingController::compareLast);
    Workspace& workspace = m_context.workspace();
    WorkspaceView* view = m_context.tabs.view();
    const auto show = [&workspace, view] { showCosts(workspace, *view); };
    connect(&workspace.costs(), &CostService::changed, view, show);
    connect(&workspace.costs(), &CostService::deviceFailed, view,
            [view](const QString& reason) { view->toast().tell(reason, true); });
    connect(&workspace.document(), &GraphDocument::changed, view, show);
}

void ComparingController::compareLast() {
    const int steps = m_context.document().undoStack().index();
    if (steps > 0) {
        compare({ComparePoint::Kind::State, steps - 1}, steps);
        return;
    }
    // With itself it would be equal.
    showWindow();
    m_context.tell("The model is as it was opened: choose a file as the reference, then Compare.", false);
}

QStringList ComparingController::otherFiles() const {
    QStringList out;
    for (int tab = 0; tab < m_context.tabs.count(); ++tab)
        if (Workspace* other = m_context.tabs.at(tab).workspace.get();
            other && other != m_context.tabs.workspace() && other->document().host().isEmpty())
            out << qt(other->document().opened().path);
    out.removeDuplicates();
    return out;
}

void ComparingController::compareTab() {
    const QStringList files = otherFiles();
    QString file = files.value(0);
    if (files.size() > 1) {
        bool isChosen = false;
        file = QInputDialog::getItem(&m_context.window, "Compare with another tab", "The reference is", files,
                                     0, false, &isChosen);
        if (!isChosen)
            return;
    }
    if (!file.isEmpty())
        compare({ComparePoint::Kind::File, 0, file}, m_context.document().undoStack().index());
}

void ComparingController::compare(const ComparePoint& first, int steps) {
    showWindow().compare(first, steps);
}

CompareWindow& ComparingController::showWindow() {
    auto* window = m_context.view().findChild<CompareWindow*>();
    if (!window)
        window = new CompareWindow(m_context.document(), m_context.selection(), comparer(), m_context.theme,
                                   &m_context.view());
    window->show();
    window->raise();
    window->activateWindow();
    return *window;
}

/// It goes with the model that it is about.
CompareService& ComparingController::comparer() {
    if (auto* known = m_context.view().findChild<CompareService*>())
        return *known;
    const auto open = [this](const std::string& path, Progress& progress) {
        return m_context.service.openBeside(path, progress);
    };
    auto* service = new CompareService(m_context.document(), m_context.debug(), m_context.workspace().host(),
                                       open, &m_context.view());
    WorkspaceView* view = m_context.tabs.view();
    connect(service, &CompareService::compared, view, [view](const Comparison& comparison) {
        if (comparison.state.isCurrent())
            view->canvas().setDifferences(differencesOf(comparison.answer.rows, &CompareRow::b));
    });
    connect(service, &CompareService::failed, view, [view](const QString& reason) {
        if (!view->findChild<CompareWindow*>()) // which tells it
            view->toast().tell(reason, true);
    });
    connect(&m_context.document(), &GraphDocument::changed, view,
            [view] { view->canvas().setDifferences({}); });
    return *service;
}

void ComparingController::bisectSince(int steps) {
    m_context.docks.show(Docks::Verify);
    m_context.workspace().verify().bisectSince(steps);
}

void ComparingController::keepReference() {
    const QFileInfo info(qt(m_context.document().opened().path));
    QString path =
        QFileDialog::getSaveFileName(&m_context.window, "Save run as reference",
                                     info.dir().filePath(info.completeBaseName() + "-run.pt"), "Runs (*.pt)");
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += ".pt";
    m_context.service.keepReference(m_context.workspace().snapshot(), path,
                                    m_context.debug().inputs().requestHere());
}

void ComparingController::askForDifferences() {
    const int steps = m_context.document().undoStack().index();
    if (m_context.view().canvas().states().hasDifferences())
        return;
    if (steps == 0) {
        m_context.tell("The model is as it was opened: edit it, or compare it with another (" +
                           m_context.actions["compare"]->shortcut().toString() + ").",
                       true);
        return;
    }
    if (m_context.view().findChild<CompareWindow*>()) {
        compare({}, steps);
        return;
    }
    m_context.tell("Running it and the model as it was opened…", false);
    comparer().compare({{}, {ComparePoint::Kind::State, steps}, {}, {}});
}

void ComparingController::colourBy(Colouring colouring) {
    const ColourRow& chosen = rowOf(colouring);
    CostService& costs = m_context.workspace().costs();
    if (chosen.wantsDevice && costs.deviceName().isEmpty())
        costs.chooseDevice(kThisMachine); // the one that there is
    m_context.view().canvas().colourBy(colouring);
    showCosts(m_context.workspace(), m_context.view());
    if (colouring == Colouring::Difference)
        askForDifferences();
    if (chosen.isCost && !m_context.debug().inputs().areGiven())
        m_context.tell("What nodes cost depends on the sizes of the inputs: give them first (Ctrl+I).", true);
    if (chosen.isCost && !costs.fault().isEmpty())
        m_context.tell("It cannot be told what nodes cost: " + costs.fault(), true);
    if (chosen.wantsRun && m_context.debug().state() == DebugService::State::Idle)
        m_context.actions["run"]->trigger();
}

void ComparingController::showCosts(Workspace& workspace, WorkspaceView& view) {
    if (!rowOf(view.canvas().states().colouring()).isCost)
        return;
    workspace.costs().ask();
    view.canvas().setCosts(workspace.costs().figures());
}

} // namespace fx::ui
