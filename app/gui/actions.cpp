// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/actions.h"

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

struct ActionRow {
    QAction* Actions::*member;
    const char *text, *key, *icon, *tip;
    bool isCheckable = false;
};

const ActionRow kRows[] = {
    {&Actions::open, "Open…", "Ctrl+O", "open", "Open a model: "},
    {&Actions::openFolder, "Open folder…", "", "",
     "Open what to_folder or fxscope has exported, or a folder of torch.compile's logs"},
    {&Actions::trace, "Trace with options…", "Ctrl+Shift+O", "",
     "Trace Python source or a package: which model, with which weights, leaves and fixed arguments"},
    {&Actions::connectToHost, "Connect to host…", "", "",
     "Open and run a model on another machine, where fxscope serve listens"},
    {&Actions::loadLibrary, "Load operator library…", "", "",
     "Load a shared library that registers operators of your own, as torch.ops.load_library does"},
    {&Actions::save, "Save", "Ctrl+S", "save", "Save the graph, its weights and the layout as .fxg"},
    {&Actions::saveAs, "Save as…", "Ctrl+Shift+S", "", "Save as another .fxg"},
    {&Actions::exportModel, "Export…", "Ctrl+E", "export",
     "Write what Python imports or loads: a folder, a .pt2"},
    {&Actions::exportPicture, "Export picture…", "Ctrl+Shift+E", "picture",
     "Write the graph as SVG, PNG or PDF"},
    {&Actions::reload, "Reload from disk", "Ctrl+Shift+R", "", "Open the file again, as it is on disk now"},
    {&Actions::closeModel, "Close model", "Ctrl+W", "", "Back to the start page"},
    {&Actions::quit, "Quit", "Ctrl+Q", "", "End fxscope"},

    {&Actions::undo, "Undo", "Ctrl+Z", "undo", "Take the last edit back"},
    {&Actions::redo, "Redo", "Ctrl+Shift+Z", "redo", "Do it again"},
    {&Actions::cut, "Cut", "Ctrl+X", "", "Copy the selected nodes, and delete them"},
    {&Actions::copy, "Copy", "Ctrl+C", "",
     "Copy the selected nodes with the modules and weights that they name, for this window or another"},
    {&Actions::paste, "Paste", "Ctrl+V", "",
     "Put the nodes that were copied behind the selected node; what they read and is not here is asked for"},
    {&Actions::remove, "Delete", "Del", "delete",
     "Delete the selected nodes; where others read them, one is asked"},
    {&Actions::bypass, "Bypass", "Ctrl+Del", "",
     "Take the selected nodes out; who read one of them reads its first input"},
    {&Actions::mute, "Mute", "M", "",
     "Leave the selected calls out without taking them away: who reads one gets its first input. Once more: "
     "they call again",
     true},
    {&Actions::duplicate, "Duplicate", "Ctrl+D", "", "Copy the selected nodes, behind the last of them"},
    {&Actions::swapInputs, "Swap inputs", "S", "",
     "Exchange the first two nodes that the selected node reads"},
    {&Actions::rename, "Rename", "F2", "rename", "Give the selected node another name"},
    {&Actions::bookmark, "Bookmark", "B", "",
     "Put a bookmark on the selected nodes, or take it away; Alt+Down and Alt+Up go from mark to mark"},
    {&Actions::note, "Note…", "N", "", "Write a note on the selected node, which is kept with the .fxg"},
    {&Actions::nextColour, "Next colour", "C", "",
     "Mark the selected nodes violet, teal, pink, brown, or no more"},
    {&Actions::copyCode, "Copy as FX code", "Ctrl+Shift+C", "",
     "Copy Python that finds the selected nodes, and that builds the same calls in any graph"},
    {&Actions::find, "Find…", "Ctrl+K", "find", "Find a node, operator, module or shape"},
    {&Actions::findNext, "Next match", "F3", "", "Go to the next node that the last search has found"},
    {&Actions::findPrevious, "Previous match", "Shift+F3", "",
     "Go to the node before, of those that the last search has found"},
    {&Actions::palette, "All commands…", "Ctrl+Shift+P", "", "Find a command by its name"},

    {&Actions::goBack, "Back", "Alt+Left", "back",
     "Go back to where one was before: another graph, another node, another part of the canvas"},
    {&Actions::goForward, "Forward", "Alt+Right", "forward", "Go where one was before one went back"},
    {&Actions::nextMark, "Next mark", "Alt+Down", "", "Go to the next node with a bookmark, note or colour"},
    {&Actions::previousMark, "Previous mark", "Alt+Up", "",
     "Go to the node with a bookmark, note or colour before it"},
    {&Actions::fit, "Show whole graph", "F", "fit", "Fit the graph into the canvas"},
    {&Actions::showSelection, "Show selection", "Z", "",
     "Bring all that is selected into sight, as large as can be read"},
    {&Actions::zoomIn, "Zoom in", "Ctrl++", "plus", "Zoom in"},
    {&Actions::zoomOut, "Zoom out", "Ctrl+-", "minus", "Zoom out"},
    {&Actions::actualSize, "100 %", "Ctrl+0", "", "Back to the natural size"},
    {&Actions::expandAll, "Expand all scopes", "Ctrl+Shift+]", "", "Open every module scope"},
    {&Actions::collapseAll, "Collapse all scopes", "Ctrl+Shift+[", "", "Close every module scope"},
    {&Actions::toggleScope, "Expand or collapse scope", "Ctrl+]", "",
     "Open or close the selected scope, or the one around the selected node"},
    {&Actions::partAround, "Only what is around", "I", "",
     "Show only the selected nodes and those near to them; + and - change how near. Once more: all again",
     true},
    {&Actions::partAncestors, "Only what it depends on", "U", "",
     "Show only the selected nodes and what they are computed from. Once more: all again", true},
    {&Actions::partDescendants, "Only what depends on it", "D", "",
     "Show only the selected nodes and what is computed from them. Once more: all again", true},
    {&Actions::showWhole, "All nodes again", "Shift+I", "",
     "Show all nodes of the graph again, where one was before"},
    {&Actions::weights, "Show weights", "", "weights", "Show the nodes that fetch parameters and buffers",
     true},
    {&Actions::edgeShapes, "Show shapes on wires", "", "", "Write beside each wire the shape that flows",
     true},
    {&Actions::foldLong, "Fold long graphs", "", "",
     "Put what is far higher than wide into columns side by side", true},
    {&Actions::colourKind, "Kind of call", "", "", "Colour boxes by what kind of call they are", true},
    {&Actions::colourFlops, "FLOPs", "", "", "Colour boxes by their FLOPs, which are counted if need be",
     true},
    {&Actions::colourBytes, "Bytes", "", "",
     "Colour boxes by the bytes that they read and write, which are counted if need be", true},
    {&Actions::colourMemory, "Memory", "", "",
     "Colour boxes by what all values take when they have run, which is counted if need be", true},
    {&Actions::colourTime, "Time of the run", "", "",
     "Colour boxes by how long they took in the run, which begins if there was none", true},
    {&Actions::themeSystem, "As the desktop", "", "", "Light or dark as the desktop is", true},
    {&Actions::themeLight, "Light", "", "", "Light theme", true},
    {&Actions::themeDark, "Dark", "", "", "Dark theme", true},
    {&Actions::resetLayout, "Reset layout", "", "", "Put all panes back where they were at first"},

    {&Actions::passFromFile, "From file…", "", "",
     "Run a pass of your own, written for torch.fx, from a Python file"},
    {&Actions::replaceLike, "Replace all like the selection…", "Ctrl+Alt+R", "",
     "Make a pattern of the selected nodes, and replace where it is found"},
    {&Actions::saveRecipe, "Save steps as recipe…", "", "",
     "Write all passes and edits of the history as a recipe, for other models and for fxscope apply"},
    {&Actions::applyRecipe, "Apply recipe…", "", "", "Run the passes and edits of a recipe on this model"},
    {&Actions::editPass, "Write a pass…", "Ctrl+Shift+M", "",
     "Write a pass of your own beside the graph, and run it"},

    {&Actions::run, "Run", "F5", "continue", "Run to the next breakpoint"},
    {&Actions::pause, "Pause", "F6", "pause", "Stop before the next node"},
    {&Actions::step, "Step", "F10", "step", "Run one node of this graph, or one scope that is closed"},
    {&Actions::stepBack, "Step back", "Shift+F10", "", "Go back by one node of this graph"},
    {&Actions::into, "Into", "F11", "into",
     "Step into a nested graph, such as a branch of cond, or into a closed scope"},
    {&Actions::out, "Out", "Shift+F11", "out", "Run until this nested graph or module scope is left"},
    {&Actions::nextScope, "Next scope", "Ctrl+F11", "", "Run until another module scope begins"},
    {&Actions::runTo, "Run to node", "Ctrl+F10", "", "Run until the selected node is next"},
    {&Actions::restartHere, "Restart here", "Ctrl+Shift+F10", "",
     "Run the selected node and what depends on it again, by the values that are there, and stop before it"},
    {&Actions::runAll, "Run all anew", "Ctrl+F5", "", "Run from the start, also what no edit has changed"},
    {&Actions::runGradients, "Run with gradients", "Ctrl+Shift+F5", "",
     "Run from the start, and find the gradient of a loss for each value and parameter. Inputs and run "
     "options say which loss; else it is the sum of the first floating-point output"},
    {&Actions::stop, "Stop", "Shift+F5", "stop", "End the run"},
    {&Actions::breakpoint, "Breakpoint", "F9", "breakpoint", "Stop before the selected node, or no longer"},
    {&Actions::nonFinite, "Stop at NaN or Inf", "", "", "Stop after any node whose value holds NaN or Inf",
     true},
    {&Actions::watch, "Watch value", "Shift+F9", "",
     "Show the value of the selected node wherever a run stops"},
    {&Actions::setValue, "Set value…", "Shift+F2", "",
     "Put what an expression gives in place of the selected node's value, for the rest of this run"},
    {&Actions::origin, "Where NaN or Inf comes from", "Ctrl+Shift+N", "",
     "Go to the node that first gave NaN or Inf, of those that the selected node's value comes from"},
    {&Actions::difference, "Where it differs from a saved run…", "Ctrl+Alt+N", "",
     "Go to the first node that gave another value than the run that a file has, of those that the selected "
     "node's value comes from"},
    {&Actions::inputs, "Inputs and run options…", "Ctrl+I", "inputs",
     "What the model is run on: inputs, seed, device, gradients"},

    {&Actions::verify, "Verify the last change", "Ctrl+Shift+V", "",
     "Run the model as it was before the last change and as it is now, and tell what differs"},
    {&Actions::verifyPasses, "Verify after each pass", "", "",
     "The same after each pass and replacement, where the model has inputs", true},

    {&Actions::compare, "Compare side by side…", "Ctrl+Shift+K", "",
     "Run two states of the model, or another file or a run that was kept and the model, and show both "
     "graphs "
     "with how far each node's value is from the other's"},
    {&Actions::bisect, "Bisect the changes", "Ctrl+Shift+B", "",
     "Find which of all changes made the results other ones than those of the model as it was opened"},
    {&Actions::keepReference, "Save run as reference…", "", "",
     "Run the model, and keep what each node gives in a file, to be compared with later"},

    {&Actions::keys, "Keys…", "F1", "", "All keys"},
    {&Actions::about, "About fxscope", "", "", "Version and licence"},
};

/// What the row of a pass does not say, as the window alone has keys and icons.
struct PassLook {
    const char *name, *key, *icon;
};
const PassLook kPassLooks[] = {
    {"replace", "Ctrl+R", ""},  {"insert", "Ins", "plus"},           {"dead-code", "Ctrl+Shift+D", "clean"},
    {"extract", "Ctrl+G", ""},  {"merge-parts", "Ctrl+Shift+G", ""}, {"change-module", "F4", ""},
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
                        &Actions::keepReference};
const Entry kHelp[] = {&Actions::keys, &Actions::about};
const Entry kContext[] = {&Actions::breakpoint,
                          &Actions::runTo,
                          &Actions::restartHere,
                          nullptr,
                          &Actions::watch,
                          &Actions::setValue,
                          &Actions::origin,
                          &Actions::difference,
                          &Actions::difference,
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
    for (const ActionRow& row : kRows) {
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
    for (QAction* each : {colourKind, colourFlops, colourBytes, colourMemory, colourTime})
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
    view->addMenu("Colour by")->addActions({colourKind, colourFlops, colourBytes, colourMemory, colourTime});
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
    for (const char* name : {"extract", "merge-parts", "change-module"})
        menu.addAction(pass(name));
}

} // namespace fx
