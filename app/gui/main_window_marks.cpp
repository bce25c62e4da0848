// SPDX-License-Identifier: GPL-3.0-or-later
// Bookmarks, notes and colours that a user puts on nodes.
#include "app/gui/main_window.h"
#include "core/module/node_marks.h"
#include "widgets/document/graph_intents.h"
#include "widgets/panes/marks_pane.h"
#include "widgets/panes/toast.h"
#include "widgets/support/qt_text.h"

#include <QInputDialog>

#include <algorithm>

namespace fx {

void MainWindow::connectMarks() {
    const auto markSelected = [this](const QString& title, const std::function<void(NodeMark&)>& change) {
        const Selection& selection = m_workspace->selection();
        take(markNodes(m_workspace->document(), title, selection.graph(), selection.nodes(), change));
    };
    connect(m_actions.bookmark, &QAction::triggered, this, [this, markSelected] {
        const bool isThere = markOfCurrent().isBookmark;
        markSelected(isThere ? "Take bookmark away" : "Bookmark",
                     [isThere](NodeMark& mark) { mark.isBookmark = !isThere; });
    });
    connect(m_actions.note, &QAction::triggered, this, &MainWindow::writeNote);
    connect(m_actions.nextColour, &QAction::triggered, this, [this, markSelected] {
        // None, each of them, none.
        const auto at = std::ranges::find(kMarkColours, markOfCurrent().colour);
        const auto next = at == kMarkColours.end() ? kMarkColours.begin() : at + 1;
        const std::string colour = next == kMarkColours.end() ? "" : std::string(*next);
        markSelected(colour.empty() ? "Take colour away" : "Colour " + qt(colour),
                     [colour](NodeMark& mark) { mark.colour = colour; });
    });
    connect(m_actions.nextMark, &QAction::triggered, this, [this] { walkMarks(1); });
    connect(m_actions.previousMark, &QAction::triggered, this, [this] { walkMarks(-1); });
}

NodeMark MainWindow::markOfCurrent() const {
    const NodeRef at = m_workspace->selection().current();
    return markOf(m_workspace->document().model().graph(at.module).node(at.node));
}

void MainWindow::writeNote() {
    const NodeRef at = m_workspace->selection().current();
    const QString name = qt(m_workspace->document().model().graph(at.module).node(at.node).name);
    bool isTaken = false;
    const QString text =
        QInputDialog::getMultiLineText(this, "Note on " + name, "It is kept with the .fxg. Empty: no note.",
                                       wholeQt(markOfCurrent().note), &isTaken);
    if (isTaken)
        take(markNodes(m_workspace->document(), "Note on " + name, at.module, {at.node},
                       [note = utf8(text.trimmed())](NodeMark& mark) { mark.note = note; }));
}

void MainWindow::walkMarks(int by) {
    if (const NodeRef node = m_view->marks().next(by); node.node)
        m_view->goTo(node);
    else
        m_view->toast().tell("Nothing is marked yet: B bookmarks the selected node.", false);
}

} // namespace fx
