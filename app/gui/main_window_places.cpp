// SPDX-License-Identifier: GPL-3.0-or-later
// Going about in the model: found by name, back and forward, a part of the graph alone.
#include "app/gui/main_window.h"
#include "widgets/canvas/places.h"
#include "widgets/panes/finder.h"
#include "widgets/panes/toast.h"
#include "widgets/support/qt_text.h"

#include <QMouseEvent>

#include <array>

namespace fx {

namespace {

std::array<std::pair<QAction*, GraphPart::Kind>, 3> partsOf(const Actions& actions) {
    return {{{actions.partAround, GraphPart::Kind::Around},
             {actions.partAncestors, GraphPart::Kind::Ancestors},
             {actions.partDescendants, GraphPart::Kind::Descendants}}};
}

} // namespace

void MainWindow::connectPlaces() {
    connect(m_actions.goBack, &QAction::triggered, this, [this] { m_view->places().go(-1); });
    connect(m_actions.goForward, &QAction::triggered, this, [this] { m_view->places().go(1); });
    connect(m_actions.fit, &QAction::triggered, this, [this] { m_view->canvas().fit(); });
    connect(m_actions.showSelection, &QAction::triggered, this,
            [this] { m_view->canvas().showWholeSelection(); });
    connect(m_actions.find, &QAction::triggered, this,
            [this] { m_finder->open("Find node, op, module, shape…", m_view->findable()); });
    connect(m_actions.findNext, &QAction::triggered, this, [this] { walkMatches(1); });
    connect(m_actions.findPrevious, &QAction::triggered, this, [this] { walkMatches(-1); });
    connect(m_finder, &Finder::found, this, [this](const QString& text, const std::vector<Match>& matches) {
        m_workspace->selection().matches().set(text, matches);
    });
    connect(m_finder, &Finder::chosen, this, [this](const Match& match) {
        m_workspace->selection().matches().goTo(match);
        if (m_workspace->selection().matches().all().size() > 1)
            tellMatch();
    });
    for (const auto& [action, kind] : partsOf(m_actions))
        connect(action, &QAction::triggered, this, [this, kind = kind] {
            m_workspace->selection().showPart(kind);
            refreshPlaces(); // the menu has put or taken the tick by itself
        });
    connect(m_actions.showWhole, &QAction::triggered, this, [this] { m_workspace->selection().showWhole(); });
}

void MainWindow::walkMatches(int by) {
    const Match match = m_workspace->selection().matches().step(by);
    m_view->goTo(match);
    tellMatch();
}

void MainWindow::tellMatch() {
    const Matches& matches = m_workspace->selection().matches();
    if (matches.place().isEmpty())
        return;
    m_view->toast().tell(matches.place() + " for " + QChar(0x201C) + matches.text() + QChar(0x201D) +
                             "   F3 next, Shift+F3 previous",
                         false);
}

void MainWindow::refreshPlaces() {
    if (!m_view) // it was told by a tab that is not in front
        return;
    const Selection& selection = m_workspace->selection();
    const bool hasSelection = selection.currentNode() || !selection.scope().isEmpty();
    m_actions.goBack->setEnabled(m_view->places().canGo(-1));
    m_actions.goForward->setEnabled(m_view->places().canGo(1));
    m_actions.showSelection->setEnabled(hasSelection);
    for (QAction* action : {m_actions.findNext, m_actions.findPrevious})
        action->setEnabled(!selection.matches().all().empty());
    for (const auto& [action, kind] : partsOf(m_actions)) {
        const bool isShown = selection.part() && selection.part()->kind == kind;
        action->setEnabled(hasSelection || isShown);
        action->setChecked(isShown);
    }
    m_actions.showWhole->setEnabled(selection.part());
}

void MainWindow::mousePressEvent(QMouseEvent* event) {
    QAction* action = event->button() == Qt::BackButton      ? m_actions.goBack
                      : event->button() == Qt::ForwardButton ? m_actions.goForward
                                                             : nullptr;
    if (action)
        action->trigger(); // does nothing where there is nowhere to go
    else
        QMainWindow::mousePressEvent(event);
}

} // namespace fx
