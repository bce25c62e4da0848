// SPDX-License-Identifier: GPL-3.0-or-later
// Which action is in which menu.
#include "app/gui/actions.h"
#include "core/passes/pass.h"
#include "widgets/support/qt_text.h"

#include <QMenu>
#include <QMenuBar>

#include <map>

namespace fx {

namespace {

using Entry = QAction* Actions::*; ///< null: a separator
const Entry kEdit[] = {&Actions::undo,
                       &Actions::redo,
                       nullptr,
                       &Actions::cut,
                       &Actions::copy,
                       &Actions::paste,
                       &Actions::selectAll,
                       nullptr,
                       &Actions::insertBefore,
                       &Actions::rename,
                       &Actions::remove,
                       &Actions::bypass,
                       &Actions::mute,
                       &Actions::duplicate,
                       &Actions::swapInputs,
                       &Actions::connectNodes,
                       &Actions::copyCode,
                       nullptr,
                       &Actions::bookmark,
                       &Actions::note,
                       &Actions::nextColour,
                       nullptr,
                       &Actions::find,
                       &Actions::findNext,
                       &Actions::findPrevious,
                       &Actions::palette};
const Entry kView[] = {
    &Actions::goBack,  &Actions::goForward, &Actions::nextMark,      &Actions::previousMark,
    nullptr,           &Actions::fit,       &Actions::showSelection, &Actions::zoomIn,
    &Actions::zoomOut, &Actions::actualSize};
const Entry kGraph[] = {
    &Actions::toggleScope,   &Actions::expandAll,       &Actions::collapseAll, nullptr, &Actions::partAround,
    &Actions::partAncestors, &Actions::partDescendants, &Actions::showWhole,   nullptr, &Actions::weights,
    &Actions::edgeShapes,    &Actions::foldLong};
const Entry kDebug[] = {&Actions::run,
                        &Actions::runAll,
                        &Actions::runGradients,
                        &Actions::pause,
                        &Actions::stop,
                        nullptr,
                        &Actions::step,
                        &Actions::stepBack,
                        &Actions::runBack,
                        &Actions::into,
                        &Actions::out,
                        &Actions::nextScope,
                        &Actions::runTo,
                        &Actions::restartHere,
                        nullptr,
                        &Actions::breakpoint,
                        &Actions::nonFinite,
                        nullptr,
                        &Actions::watch,
                        &Actions::setValue,
                        &Actions::origin,
                        &Actions::trait,
                        &Actions::difference,
                        nullptr,
                        &Actions::inputs,
                        nullptr,
                        &Actions::verify,
                        &Actions::verifyPasses,
                        &Actions::compare,
                        &Actions::bisect,
                        &Actions::keepReference,
                        nullptr,
                        &Actions::whatIf};
const Entry kHelp[] = {&Actions::keys, &Actions::about};
const Entry kContext[] = {&Actions::breakpoint,
                          &Actions::runTo,
                          &Actions::restartHere,
                          nullptr,
                          &Actions::watch,
                          &Actions::setValue,
                          &Actions::origin,
                          &Actions::trait,
                          &Actions::difference,
                          &Actions::whatIf,
                          nullptr,
                          &Actions::cut,
                          &Actions::copy,
                          &Actions::paste,
                          nullptr,
                          &Actions::insertBefore,
                          &Actions::rename,
                          &Actions::remove,
                          &Actions::bypass,
                          &Actions::mute,
                          &Actions::duplicate,
                          &Actions::swapInputs,
                          &Actions::connectNodes,
                          &Actions::copyCode,
                          nullptr,
                          &Actions::bookmark,
                          &Actions::note,
                          &Actions::nextColour,
                          &Actions::replaceLike,
                          nullptr,
                          &Actions::toggleScope,
                          &Actions::expandAll,
                          &Actions::collapseAll,
                          nullptr,
                          &Actions::partAround,
                          &Actions::partAncestors,
                          &Actions::partDescendants,
                          &Actions::showWhole,
                          nullptr,
                          &Actions::showSelection,
                          &Actions::fit};

template <size_t N>
void addTo(QMenu& menu, const Actions& actions, const Entry (&entries)[N]) {
    for (const Entry entry : entries) {
        if (entry)
            menu.addAction(actions.*entry);
        else
            menu.addSeparator();
    }
}

} // namespace

void Actions::fill(QMenuBar& bar, const QList<QAction*>& panes, QMenu& recent) {
    QMenu* file = bar.addMenu("&File");
    file->addAction(open);
    file->addAction(openFolder);
    file->addAction(trace);
    file->addAction(connectToHost);
    recent.setTitle("Open recent");
    file->addMenu(&recent);
    file->addAction(loadLibrary);
    file->addSeparator();
    for (QAction* each : {save, saveAs})
        file->addAction(each);
    file->addSeparator();
    for (QAction* each : {exportModel, exportPicture})
        file->addAction(each);
    file->addSeparator();
    for (QAction* each : {reload, newTab, nextTab, previousTab, closeModel, quit})
        file->addAction(each);
    addTo(*bar.addMenu("&Edit"), *this, kEdit);
    QMenu* view = bar.addMenu("&View");
    addTo(*view, *this, kView);
    view->addSeparator();
    QMenu* colouring = view->addMenu("Colour by");
    for (QAction* each : colours())
        colouring->addAction(each);
    QMenu* theme = view->addMenu("Theme");
    for (QAction* each : {themeSystem, themeLight, themeDark})
        theme->addAction(each);
    view->addMenu("Panes")->addActions(panes);
    view->addAction(resetLayout);
    addTo(*bar.addMenu("&Graph"), *this, kGraph);
    passMenu = bar.addMenu("&Passes");
    fillPassMenu();
    passMenu->addSeparator();
    morePasses = passMenu->addMenu("More passes");
    passMenu->addAction(passFromFile);
    passMenu->addAction(editPass);
    passMenu->addSeparator();
    passMenu->addAction(saveRecipe);
    passMenu->addAction(applyRecipe);
    addTo(*bar.addMenu("&Debug"), *this, kDebug);
    addTo(*bar.addMenu("&Help"), *this, kHelp);
}

void Actions::fillPassMenu() {
    std::map<std::string, QMenu*> groups;
    const Pass* before = nullptr;
    for (const auto& [row, action] : passes) {
        if (before && before->group.empty() != row->group.empty())
            passMenu->addSeparator();
        before = row;
        QMenu*& menu = groups[row->group];
        if (!menu)
            menu = row->group.empty() ? passMenu : passMenu->addMenu(qt(row->group));
        menu->addAction(action);
        if (row->name == "replace")
            menu->addAction(replaceLike); // which opens its dialog
    }
}

void Actions::fillContextMenu(QMenu& menu) const {
    addTo(menu, *this, kContext);
    menu.addSeparator();
    for (const char* name : {"move-to-part", "group", "extract", "merge-parts", "change-module"})
        menu.addAction(pass(name));
}

} // namespace fx
