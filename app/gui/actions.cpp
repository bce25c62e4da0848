// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/actions.h"

#include "core/base/error.h"
#include "widgets/style/theme.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

#include <algorithm>
#include <iterator>
#include <string>

namespace fx::ui {

namespace {

struct MenuRow {
    const char* title;
    std::vector<std::vector<MenuPlace>> groups; ///< between separators
};

std::vector<MenuRow> menuRows() {
    using enum MenuPlace;
    return {
        {"File", {{FileOpen}, {FileSave}, {FileExport}, {FileModel}}},
        {"Edit", {{EditHistory}, {EditClipboard}, {EditNode}, {EditMark}, {EditFind}}},
        {"View", {{ViewGo}, {ViewSight}, {ViewColour, ViewTheme, ViewLayout}}},
        {"Graph", {{GraphScope}, {GraphPart}, {GraphShow}}},
        {"Passes", {{PassesFile}, {PassesRecipe}}},
        {"Debug",
         {{DebugRun},
          {DebugStep},
          {DebugBreakpoint},
          {DebugValue},
          {DebugInputs},
          {DebugCheck},
          {DebugWhatIf}}},
        {"Help", {{Help}}},
    };
}

const std::pair<MenuPlace, const char*> kSubmenus[] = {{MenuPlace::ViewColour, "Colour by"},
                                                       {MenuPlace::ViewTheme, "Theme"}};

} // namespace

Actions::Actions(QWidget& window, const Theme& theme, std::function<Needs()> isThere)
    : QObject(&window), m_window(window), m_theme(theme), m_isThere(std::move(isThere)) {
    connect(&theme, &Theme::changed, this, &Actions::dress);
}

QAction* Actions::add(MenuPlace place, ActionText text, std::function<void()> work, ActionRules rules) {
    auto* action = new QAction(text.text, this);
    if (*text.key)
        action->setShortcuts(QKeySequence::listFromString(text.key));
    const QString shown = action->shortcut().toString(QKeySequence::NativeText);
    action->setToolTip(shown.isEmpty() ? text.tip : QString("%1 (%2)").arg(text.tip, shown));
    action->setStatusTip(text.tip);
    action->setCheckable(rules.isChecked != nullptr);
    if (*text.icon)
        action->setIcon(m_theme.icon(text.icon));
    if (rules.isOnCanvas)
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    else
        m_window.addAction(action);
    const Row& row =
        m_rows.emplace_back(Row{place, std::move(text), std::move(work), std::move(rules), action});
    connect(action, &QAction::triggered, this, [this, &row] {
        row.work();
        if (row.rules.isChecked) // the menu has put or taken the tick by itself
            refresh();
    });
    m_byId[row.text.id] = action;
    return action;
}

QAction* Actions::operator[](std::string_view id) const {
    const auto found = m_byId.find(id);
    if (found == m_byId.end())
        throw Error(std::string(id), "is no action of the window");
    return found->second;
}

QAction* Actions::pass(std::string_view name) const {
    return (*this)["pass:" + std::string(name)];
}

std::vector<QAction*> Actions::all() const {
    std::vector<QAction*> out;
    for (int place = 0; place <= static_cast<int>(MenuPlace::Help); ++place)
        std::ranges::copy(at(static_cast<MenuPlace>(place)), std::back_inserter(out));
    return out;
}

std::vector<QAction*> Actions::at(MenuPlace place) const {
    std::vector<QAction*> out;
    for (const Row& row : m_rows)
        if (row.place == place)
            out.push_back(row.action);
    return out;
}

std::vector<QAction*> Actions::onCanvas() const {
    std::vector<QAction*> out;
    for (const Row& row : m_rows)
        if (row.rules.isOnCanvas)
            out.push_back(row.action);
    return out;
}

QMenu* Actions::addGroup(QMenu& menu, MenuPlace place) {
    const auto* submenu = std::ranges::find(kSubmenus, place, &std::pair<MenuPlace, const char*>::first);
    if (submenu == std::end(kSubmenus)) {
        for (QAction* action : at(place))
            menu.addAction(action);
        return nullptr;
    }
    QMenu* out = menu.addMenu(submenu->second);
    auto* choice = new QActionGroup(this);
    for (QAction* action : at(place)) {
        out->addAction(action);
        choice->addAction(action);
    }
    return out;
}

void Actions::fill(QMenuBar& bar) {
    for (const MenuRow& row : menuRows()) {
        QMenu* menu = m_menus[row.title] = bar.addMenu('&' + QString(row.title));
        for (const std::vector<MenuPlace>& group : row.groups) {
            if (!menu->isEmpty())
                menu->addSeparator();
            for (const MenuPlace place : group)
                addGroup(*menu, place);
        }
    }
}

QMenu& Actions::menu(const char* title) const {
    return *m_menus.at(title);
}

void Actions::fillContextMenu(QMenu& menu) const {
    for (int place = 1; place <= static_cast<int>(ContextPlace::Pass); ++place) {
        menu.addSeparator(); // which is not shown where nothing follows
        for (const Row& row : m_rows)
            if (row.rules.context == static_cast<ContextPlace>(place) && row.action->isEnabled())
                menu.addAction(row.action);
    }
}

void Actions::refresh() {
    const Needs isThere = m_isThere();
    for (const Row& row : m_rows)
        refresh(row, isThere);
}

void Actions::refresh(const Row& row, Needs isThere) {
    const ActionRules& rules = row.rules;
    const bool isPossible = rules.needs <= isThere;
    row.action->setEnabled(isPossible && (!rules.isEnabled || rules.isEnabled()));
    if (isPossible && rules.label)
        row.action->setText(rules.label());
    if (rules.isChecked && (isPossible || isThere == Needs::Model))
        row.action->setChecked(rules.isChecked());
}

void Actions::dress() {
    for (const Row& row : m_rows)
        if (*row.text.icon)
            row.action->setIcon(m_theme.icon(row.text.icon));
}

} // namespace fx::ui
