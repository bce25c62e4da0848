// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/actions.h"

#include "app/gui/action_rows.h"
#include "core/open/formats.h"
#include "core/passes/registry.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>

namespace fx {

namespace {

/// What the row of a pass does not say, as the window alone has keys and icons.
struct PassLook {
    const char *name, *key, *icon;
};
const PassLook kPassLooks[] = {{"replace", "Ctrl+R", ""},
                               {"insert", "Ins", "plus"},
                               {"dead-code", "Ctrl+Shift+D", "clean"},
                               {"extract", "Ctrl+G", ""},
                               {"merge-parts", "Ctrl+Shift+G", ""},
                               {"change-module", "F4", ""},
                               {"move-to-part", "Ctrl+Alt+P", ""},
                               {"lint", "Ctrl+L", "check"}};

using Entry = QAction* Actions::*; ///< null: a separator
const Entry kEdit[] = {&Actions::undo,       &Actions::redo,         nullptr,          &Actions::cut,
                       &Actions::copy,       &Actions::paste,        nullptr,          &Actions::rename,
                       &Actions::remove,     &Actions::bypass,       &Actions::mute,   &Actions::duplicate,
                       &Actions::swapInputs, &Actions::copyCode,     nullptr,          &Actions::bookmark,
                       &Actions::note,       &Actions::nextColour,   nullptr,          &Actions::find,
                       &Actions::findNext,   &Actions::findPrevious, &Actions::palette};
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
                          &Actions::difference,
                          &Actions::whatIf,
                          nullptr,
                          &Actions::cut,
                          &Actions::copy,
                          &Actions::paste,
                          nullptr,
                          &Actions::rename,
                          &Actions::remove,
                          &Actions::bypass,
                          &Actions::mute,
                          &Actions::duplicate,
                          &Actions::swapInputs,
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

Actions::Actions(QWidget& window, const Theme& theme) : QObject(&window), m_theme(theme) {
    for (const ActionRow& row : actionRows()) {
        const std::string more = row.member == &Actions::open ? formatNames() : "";
        QAction* action = add(window, row.text, row.key, row.icon, row.tip + qt(more));
        action->setCheckable(row.isCheckable);
        this->*row.member = action;
    }
    for (const Pass& pass : fx::passes()) {
        const auto* look = std::find_if(std::begin(kPassLooks), std::end(kPassLooks),
                                        [&](const PassLook& each) { return pass.name == each.name; });
        const bool isPlain = look == std::end(kPassLooks);
        QString tip = qt(pass.summary);
        tip[0] = tip[0].toUpper();
        passes.push_back({&pass, add(window, qt(pass.title) + (pass.options.empty() ? "" : "…"),
                                     isPlain ? "" : look->key, isPlain ? "" : look->icon, tip)});
        passes.back().action->setObjectName(qt(pass.name)); // the palette finds it by that, too
    }
    auto* themes = new QActionGroup(this);
    for (QAction* each : {themeSystem, themeLight, themeDark})
        themes->addAction(each);
    auto* colours = new QActionGroup(this);
    for (QAction* each : this->colours())
        colours->addAction(each);
    redo->setShortcuts({QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")});
    find->setShortcuts({QKeySequence("Ctrl+K"), QKeySequence("Ctrl+F")});
    zoomIn->setShortcuts({QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")});
    connect(&theme, &Theme::changed, this, &Actions::dress);
    dress();
}

QAction* Actions::add(QWidget& window, const QString& text, const char* key, const char* icon,
                      const QString& tip) {
    auto* action = new QAction(text, this);
    action->setShortcut(QKeySequence(key));
    const QString shown = action->shortcut().toString(QKeySequence::NativeText);
    action->setToolTip(shown.isEmpty() ? tip : QString("%1 (%2)").arg(tip, shown));
    action->setStatusTip(tip);
    if (*icon)
        m_icons.push_back({action, icon});
    m_all.push_back(action);
    window.addAction(action);
    return action;
}

QAction* Actions::pass(std::string_view name) const {
    for (const PassAction& each : passes)
        if (each.pass->name == name)
            return each.action;
    return nullptr;
}

std::vector<QAction*> Actions::colours() const {
    return {colourKind,      colourFlops, colourBytes, colourMemory,
            colourPredicted, colourBound, colourTime,  colourPart};
}

std::vector<QAction*> Actions::onCanvas() const {
    return {bookmark, note, nextColour, swapInputs,    cut,        copy,          paste,
            remove,   mute, fit,        showSelection, partAround, partAncestors, partDescendants,
            showWhole};
}

void Actions::dress() {
    for (const auto& [action, icon] : m_icons)
        action->setIcon(m_theme.icon(icon));
}

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
    for (QAction* each : {reload, closeModel, quit})
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
    for (const PassAction& each : passes)
        passMenu->addAction(each.action);
    passMenu->addSeparator();
    passMenu->addAction(replaceLike);
    passMenu->addAction(passFromFile);
    passMenu->addAction(editPass);
    passMenu->addSeparator();
    passMenu->addAction(saveRecipe);
    passMenu->addAction(applyRecipe);
    addTo(*bar.addMenu("&Debug"), *this, kDebug);
    addTo(*bar.addMenu("&Help"), *this, kHelp);
}

void Actions::fillContextMenu(QMenu& menu) const {
    addTo(menu, *this, kContext);
    menu.addSeparator();
    for (const char* name : {"move-to-part", "extract", "merge-parts", "change-module"})
        menu.addAction(pass(name));
}

} // namespace fx
