// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/places.h"

#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/places.h"
#include "widgets/document/graph_intents.h"
#include "widgets/panes/finder.h"
#include "widgets/panes/marks_pane.h"
#include "widgets/session/settings.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QInputDialog>

#include <algorithm>

namespace fx::ui {

PlacesController::PlacesController(const WindowContext& context) : m_context(context) {
    addPlaces();
    addSight();
    addThemes();
    addScopes();
    addParts();
    addMarks();
    addSearch();
    connect(&context.tabs, &Tabs::opened, this, &PlacesController::follow);
    connect(&context.tabs, &Tabs::changed, this, [this] {
        if (m_context.tabs.view())
            m_context.view().canvas().setEdgeLabels(m_showsEdgeShapes);
    });
}

void PlacesController::follow() {
    const auto refresh = [this] { m_context.actions.refresh(); };
    connect(&m_context.selection(), &Selection::partChanged, this, refresh);
    connect(&m_context.selection().matches(), &Matches::changed, this, refresh);
    // Selecting a node that is no match ends the search.
    connect(&m_context.selection(), &Selection::changed, this, [selection = &m_context.selection()] {
        Matches& matches = selection->matches();
        if (matches.isLit() && selection->current().node &&
            std::ranges::find(matches.all(), selection->current(), &Match::node) == matches.all().end())
            matches.putOut();
    });
    connect(&m_context.view().places(), &Places::changed, this, refresh);
    for (QAction* action : m_context.actions.onCanvas())
        m_context.view().canvas().addAction(action);
}

void PlacesController::addPlaces() {
    m_context.actions.add(
        MenuPlace::ViewGo,
        {"goBack", "Back", "Alt+Left", "back",
         "Go back to where one was before: another graph, another node, another part of the canvas"},
        [this] { m_context.view().places().go(-1); },
        {.isEnabled = [this] { return m_context.view().places().canGo(-1); }});
    m_context.actions.add(
        MenuPlace::ViewGo,
        {"goForward", "Forward", "Alt+Right", "forward", "Go where one was before one went back"},
        [this] { m_context.view().places().go(1); },
        {.isEnabled = [this] { return m_context.view().places().canGo(1); }});
    m_context.actions.add(
        MenuPlace::ViewGo,
        {"nextMark", "Next mark", "Alt+Down", "", "Go to the next node with a bookmark, note or colour"},
        [this] { walkMarks(1); });
    m_context.actions.add(MenuPlace::ViewGo,
                          {"previousMark", "Previous mark", "Alt+Up", "",
                           "Go to the node with a bookmark, note or colour before it"},
                          [this] { walkMarks(-1); });
}

void PlacesController::addSight() {
    m_context.actions.add(MenuPlace::ViewSight,
                          {"fit", "Show whole graph", "F", "fit", "Fit the graph into the canvas"},
                          [this] { m_context.view().canvas().look().fit(); },
                          {.context = ContextPlace::Sight, .isOnCanvas = true});
    m_context.actions.add(MenuPlace::ViewSight,
                          {"showSelection", "Show selection", "Z", "",
                           "Bring all that is selected into sight, as large as can be read"},
                          [this] { m_context.view().canvas().look().showWholeSelection(); },
                          {.context = ContextPlace::Sight, .isOnCanvas = true, .isEnabled = [this] {
                               return m_context.hasSelection();
                           }});
    m_context.actions.add(MenuPlace::ViewSight, {"zoomIn", "Zoom in", "Ctrl++; Ctrl+=", "plus", "Zoom in"},
                          [this] { m_context.view().canvas().look().zoomBy(1.25); });
    m_context.actions.add(MenuPlace::ViewSight, {"zoomOut", "Zoom out", "Ctrl+-", "minus", "Zoom out"},
                          [this] { m_context.view().canvas().look().zoomBy(0.8); });
    m_context.actions.add(MenuPlace::ViewSight,
                          {"actualSize", "100 %", "Ctrl+0", "", "Back to the natural size"},
                          [this] { m_context.view().canvas().look().setZoom(1); });
}

void PlacesController::addThemes() {
    const auto add = [this](const char* id, const char* text, const char* tip, Theme::Choice choice) {
        m_context.actions.add(MenuPlace::ViewTheme, {id, text, "", "", tip},
                              [this, choice] {
                                  m_context.theme.choose(choice);
                                  Settings::setTheme(static_cast<int>(choice));
                              },
                              {.needs = Needs::Nothing,
                               .isChecked = [this, choice] { return m_context.theme.choice() == choice; }});
    };
    add("themeSystem", "As the desktop", "Light or dark as the desktop is", Theme::Choice::System);
    add("themeLight", "Light", "Light theme", Theme::Choice::Light);
    add("themeDark", "Dark", "Dark theme", Theme::Choice::Dark);
    m_context.actions.add(MenuPlace::ViewLayout,
                          {"bottomPanes", "Bottom panes", "", "",
                           "Expand the panes below the graph, or collapse them to their tabs"},
                          [this] { m_context.docks.setBottomOpen(!m_context.docks.isBottomOpen()); },
                          {.isChecked = [this] { return m_context.docks.isBottomOpen(); }});
    m_context.actions.add(
        MenuPlace::ViewLayout,
        {"resetLayout", "Reset layout", "", "", "Put all panes back where they were at first"},
        [this] { m_context.docks.reset(); }, {.needs = Needs::Model});
}

void PlacesController::addScopes() {
    m_context.actions.add(
        MenuPlace::GraphScope,
        {"toggleScope", "Expand or collapse scope", "Ctrl+]", "",
         "Open or close the selected scope, or the one around the selected node"},
        [this] { m_context.selection().toggleScope(); },
        {.context = ContextPlace::Scope, .isEnabled = [this] { return m_context.hasSelection(); }});
    m_context.actions.add(MenuPlace::GraphScope,
                          {"expandAll", "Expand all scopes", "Ctrl+Shift+]", "", "Open every module scope"},
                          [this] { m_context.selection().expandAll(); }, {.context = ContextPlace::Scope});
    m_context.actions.add(
        MenuPlace::GraphScope,
        {"collapseAll", "Collapse all scopes", "Ctrl+Shift+[", "", "Close every module scope"},
        [this] { m_context.selection().collapseAll(); }, {.context = ContextPlace::Scope});
    m_context.actions.add(
        MenuPlace::GraphShow,
        {"weights", "Show weights", "", "weights", "Show the nodes that fetch parameters and buffers"},
        [this] { m_context.selection().setShowsWeights(!m_context.selection().showsWeights()); },
        {.isChecked = [this] { return m_context.selection().showsWeights(); }});
    m_context.actions.add(
        MenuPlace::GraphShow,
        {"edgeShapes", "Show shapes on wires", "", "", "Write beside each wire the shape that flows"},
        [this] {
            m_showsEdgeShapes = !m_showsEdgeShapes;
            m_context.view().canvas().setEdgeLabels(m_showsEdgeShapes);
        },
        {.isChecked = [this] { return m_showsEdgeShapes; }});
    m_context.actions.add(MenuPlace::GraphShow,
                          {"foldLong", "Fold long graphs", "", "",
                           "Put what is far higher than wide into columns side by side"},
                          [this] { m_context.selection().setFoldsLong(!m_context.selection().foldsLong()); },
                          {.isChecked = [this] { return m_context.selection().foldsLong(); }});
}

void PlacesController::addParts() {
    const auto add = [this](const char* id, const char* text, const char* key, const char* tip,
                            GraphPart::Kind kind) {
        const auto isShown = [this, kind] {
            return m_context.selection().part() && m_context.selection().part()->kind == kind;
        };
        m_context.actions.add(MenuPlace::GraphPart, {id, text, key, "", tip},
                              [this, kind] { m_context.selection().showPart(kind); },
                              {.context = ContextPlace::Part,
                               .isOnCanvas = true,
                               .isEnabled = [this, isShown] { return m_context.hasSelection() || isShown(); },
                               .isChecked = isShown});
    };
    add("partAround", "Only what is around", "I",
        "Show only the selected nodes and those near to them; + and - change how near. Once more: all again",
        GraphPart::Kind::Around);
    add("partAncestors", "Only what it depends on", "U",
        "Show only the selected nodes and what they are computed from. Once more: all again",
        GraphPart::Kind::Ancestors);
    add("partDescendants", "Only what depends on it", "D",
        "Show only the selected nodes and what is computed from them. Once more: all again",
        GraphPart::Kind::Descendants);
    m_context.actions.add(MenuPlace::GraphPart,
                          {"showWhole", "All nodes again", "Shift+I", "",
                           "Show all nodes of the graph again, where one was before"},
                          [this] { m_context.selection().showWhole(); },
                          {.context = ContextPlace::Part, .isOnCanvas = true, .isEnabled = [this] {
                               return m_context.selection().part() != nullptr;
                           }});
}

// --- Marks

void PlacesController::addMarks() {
    m_context.actions.add(MenuPlace::EditMark,
                          {"bookmark", "Bookmark", "B", "",
                           "Put a bookmark on the selected nodes, or take it away; Alt+Down and "
                           "Alt+Up go from mark to mark"},
                          [this] {
                              const bool isThere = markOfCurrent().isBookmark;
                              mark(isThere ? "Take bookmark away" : "Bookmark",
                                   [isThere](NodeMark& each) { each.isBookmark = !isThere; });
                          },
                          {.context = ContextPlace::Mark, .isOnCanvas = true, .isEnabled = [this] {
                               return m_context.hasNode();
                           }});
    m_context.actions.add(
        MenuPlace::EditMark,
        {"note", "Note…", "N", "", "Write a note on the selected node, which is kept with the .fxg"},
        [this] { writeNote(); }, {.context = ContextPlace::Mark, .isOnCanvas = true, .isEnabled = [this] {
                                      return m_context.hasNode();
                                  }});
    m_context.actions.add(MenuPlace::EditMark,
                          {"nextColour", "Next colour", "C", "",
                           "Mark the selected nodes violet, teal, pink, brown, or no more"},
                          [this] {
                              // None, each of them, none.
                              const auto at = std::ranges::find(kMarkColours, markOfCurrent().colour);
                              const auto next = at == kMarkColours.end() ? kMarkColours.begin() : at + 1;
                              const std::string colour = next == kMarkColours.end() ? "" : std::string(*next);
                              mark(colour.empty() ? "Take colour away" : "Colour " + qt(colour),
                                   [colour](NodeMark& each) { each.colour = colour; });
                          },
                          {.context = ContextPlace::Mark, .isOnCanvas = true, .isEnabled = [this] {
                               return m_context.hasNode();
                           }});
}

NodeMark PlacesController::markOfCurrent() const {
    const NodeRef at = m_context.selection().current();
    return markOf(m_context.document().model().graph(at.module).node(at.node));
}

void PlacesController::mark(const QString& title, const std::function<void(NodeMark&)>& change) {
    const Selection& selection = m_context.selection();
    m_context.take(markNodes(m_context.document(), title, selection.graph(), selection.nodes(), change));
}

void PlacesController::writeNote() {
    const NodeRef at = m_context.selection().current();
    const QString name = qt(m_context.document().model().graph(at.module).node(at.node).name);
    bool isTaken = false;
    const QString text = QInputDialog::getMultiLineText(&m_context.window, "Note on " + name,
                                                        "It is kept with the .fxg. Empty: no note.",
                                                        wholeQt(markOfCurrent().note), &isTaken);
    if (isTaken)
        m_context.take(markNodes(m_context.document(), "Note on " + name, at.module, {at.node},
                                 [note = utf8(text.trimmed())](NodeMark& each) { each.note = note; }));
}

void PlacesController::walkMarks(int by) {
    if (const NodeRef node = m_context.view().marks().next(by); node.node)
        m_context.view().goTo(node);
    else
        m_context.tell("Nothing is marked yet: B bookmarks the selected node.");
}

// --- Search

void PlacesController::addSearch() {
    const auto hasMatches = [this] { return !m_context.selection().matches().all().empty(); };
    m_context.actions.add(
        MenuPlace::EditFind,
        {"find", "Find…", "Ctrl+K; Ctrl+F", "find", "Find a node, operator, module or shape"},
        [this] { m_context.finder.open("Find node, op, module, shape…", m_context.view().findable()); });
    m_context.actions.add(
        MenuPlace::EditFind,
        {"findNext", "Next match", "F3", "", "Go to the next node that the last search has found"},
        [this] { walkMatches(1); }, {.isEnabled = hasMatches});
    m_context.actions.add(MenuPlace::EditFind,
                          {"findPrevious", "Previous match", "Shift+F3", "",
                           "Go to the node before, of those that the last search has found"},
                          [this] { walkMatches(-1); }, {.isEnabled = hasMatches});
    connect(&m_context.finder, &Finder::found, this,
            [this](const QString& text, const std::vector<Match>& matches) {
                m_context.selection().matches().set(text, matches);
            });
    connect(&m_context.finder, &Finder::chosen, this, [this](const Match& match) {
        m_context.selection().matches().goTo(match);
        if (m_context.selection().matches().all().size() > 1)
            tellMatch();
    });
}

void PlacesController::walkMatches(int by) {
    const Match match = m_context.selection().matches().step(by);
    m_context.view().goTo(match);
    tellMatch();
}

void PlacesController::tellMatch() {
    const Matches& matches = m_context.selection().matches();
    if (!matches.place().isEmpty())
        m_context.tell(matches.place() + " for " + QChar(0x201C) + matches.text() + QChar(0x201D) +
                       "   F3 next, Shift+F3 previous");
}

} // namespace fx::ui
