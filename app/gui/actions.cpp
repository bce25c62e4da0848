// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/actions.h"

#include "app/gui/action_rows.h"
#include "core/open/formats.h"
#include "core/passes/registry.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QActionGroup>
#include <QWidget>

#include <algorithm>

namespace fx {

namespace {

/// What the row of a pass does not say, as the window alone has keys and icons.
struct PassLook {
    const char *name, *key, *icon;
};
const PassLook kPassLooks[] = {
    {"replace", "Ctrl+R", ""},   {"insert", "Ins", "plus"},          {"dead-code", "Ctrl+Shift+D", "clean"},
    {"extract", "Ctrl+G", ""},   {"group", "Ctrl+Alt+G", ""},        {"merge-parts", "Ctrl+Shift+G", ""},
    {"change-module", "F4", ""}, {"move-to-part", "Ctrl+Alt+P", ""}, {"lint", "Ctrl+L", "check"}};

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
    return {colourKind, colourFlops,  colourBytes, colourMemory, colourPredicted, colourBound,
            colourTime, colourHealth, colourError, colourDtype,  colourDevice,    colourPart};
}

std::vector<QAction*> Actions::onCanvas() const {
    return {bookmark,   note,          nextColour,      swapInputs, connectNodes, cut,
            copy,       paste,         remove,          mute,       fit,          showSelection,
            partAround, partAncestors, partDescendants, showWhole};
}

void Actions::dress() {
    for (const auto& [action, icon] : m_icons)
        action->setIcon(m_theme.icon(icon));
}

} // namespace fx
