// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the window. Each controller (app/gui/controllers) adds its own with all that belongs to
// them. Menus, toolbar, context menu, palette and the list of keys are made from the same actions.
#pragma once

#include <QAction>
#include <QObject>
#include <QString>

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

class QActionGroup;
class QMenu;
class QMenuBar;

namespace fx::ui {

class Theme;

/// The groups of the menus, between separators, in their order (menuRows() in actions.cpp).
enum class MenuPlace {
    FileOpen,
    FileSave,
    FileExport,
    FileModel,
    EditHistory,
    EditClipboard,
    EditNode,
    EditMark,
    EditFind,
    ViewGo,
    ViewSight,
    ViewColour, ///< a submenu, of which one is chosen
    ViewTheme,  ///< likewise
    ViewLayout,
    GraphScope,
    GraphPart,
    GraphShow,
    Passes, ///< filled by the PassesController
    PassesFile,
    PassesRecipe,
    DebugRun,
    DebugStep,
    DebugBreakpoint,
    DebugValue,
    DebugInputs,
    DebugCheck,
    DebugWhatIf,
    Help,
};

/// The groups of the context menu of the canvas, in their order.
enum class ContextPlace { None, Run, Value, Clipboard, Node, Mark, Scope, Part, Sight, Pass };

/// What has to be open before an action can be used.
enum class Needs { Nothing, Model, Graph };

/// What an action is called and looks like.
struct ActionText {
    std::string id;
    QString text;
    const char* key;  ///< several are separated by "; "; empty: none
    const char* icon; ///< empty: none
    QString tip;
};

struct ActionRules {
    ContextPlace context = ContextPlace::None;
    /// The key works on the canvas alone, as it means something else in fields and lists.
    bool isOnCanvas = false;
    Needs needs = Needs::Graph;
    /// False where it cannot be used although `needs` is there. Null: it can.
    std::function<bool()> isEnabled = {};
    /// For checkable actions: the current state, asked for while a model is open. Other code triggers the
    /// action and never sets its check mark. Null: the action is not checkable.
    std::function<bool()> isChecked = {};
    /// Its text as it is now. Null: ActionText::text.
    std::function<QString()> label = {};
};

class Actions : public QObject {
public:
    /// `isThere`: the greatest need that is satisfied.
    Actions(QWidget& window, const Theme& theme, std::function<Needs()> isThere);

    /// Adds an action, behind those of its group. `work`: what it does.
    QAction* add(MenuPlace place, ActionText text, std::function<void()> work, ActionRules rules = {});
    /// `id`: one that was added.
    QAction* operator[](std::string_view id) const;
    /// The action of a pass, "pass:" and its name being the id.
    QAction* pass(std::string_view name) const;
    /// In the order of the menus.
    std::vector<QAction*> all() const;
    std::vector<QAction*> at(MenuPlace place) const;
    std::vector<QAction*> onCanvas() const;

    /// Makes the menus, once all actions are there.
    void fill(QMenuBar& bar);
    /// "File"; after fill().
    QMenu& menu(const char* title) const;
    /// What can be done with the selection.
    void fillContextMenu(QMenu& menu) const;
    /// Asks each action whether it can be used, is checked, and what its text is.
    void refresh();

private:
    struct Row {
        MenuPlace place;
        ActionText text;
        std::function<void()> work;
        ActionRules rules;
        QAction* action;
    };
    void refresh(const Row& row, Needs isThere);
    QMenu* addGroup(QMenu& menu, MenuPlace place);
    void dress();

    QWidget& m_window;
    const Theme& m_theme;
    const std::function<Needs()> m_isThere;
    std::deque<Row> m_rows; ///< in which a row stays where it is
    std::map<std::string_view, QAction*> m_byId;
    std::map<std::string_view, QMenu*> m_menus;
};

} // namespace fx::ui
