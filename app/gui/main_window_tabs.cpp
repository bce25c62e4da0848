// SPDX-License-Identifier: GPL-3.0-or-later
// Several models in one window: each has a tab, and what is in front is what the window's actions are about.
#include "app/gui/main_window.h"
#include "app/gui/status_line.h"
#include "app/gui/tool_bar.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/panes/disk_notice.h"
#include "widgets/panes/finder.h"
#include "widgets/panes/start_page.h"
#include "widgets/style/small_button.h"
#include "widgets/support/qt_text.h"

#include <QToolButton>

#include <algorithm>

namespace fx {

void MainWindow::connectTabs() {
    m_tabBar->setAccessibleName("Models");
    m_tabBar->setDocumentMode(true);
    m_tabBar->setDrawBase(false);
    m_tabBar->setExpanding(false);
    m_tabBar->setElideMode(Qt::ElideMiddle);
    addTab();
    connect(m_tabBar, &QTabBar::currentChanged, this, &MainWindow::showTab);
    connect(m_actions.newTab, &QAction::triggered, this, &MainWindow::addTab);
    connect(m_actions.nextTab, &QAction::triggered, this, [this] { stepTab(1); });
    connect(m_actions.previousTab, &QAction::triggered, this, [this] { stepTab(-1); });
}

void MainWindow::addTab() {
    m_tabs.push_back({++m_lastId, nullptr, nullptr, nullptr, {}});
    const int index = m_tabBar->addTab("New tab");
    QToolButton* close = smallButton("close", "Close this model", m_theme);
    connect(close, &QToolButton::clicked, this, [this, close] {
        for (int i = 0; i < m_tabBar->count(); ++i)
            if (m_tabBar->tabButton(i, QTabBar::RightSide) == close)
                return askToClose(i);
    });
    m_tabBar->setTabButton(index, QTabBar::RightSide, close);
    m_tabBar->setCurrentIndex(index);
}

void MainWindow::stepTab(int by) {
    m_tabBar->setCurrentIndex((m_tab + by + m_tabBar->count()) % m_tabBar->count());
}

void MainWindow::exchangeFront(OpenTab& tab) {
    std::swap(m_workspace, tab.workspace);
    std::swap(m_journal, tab.journal);
    std::swap(m_view, tab.view);
    std::swap(m_traced, tab.traced);
}

void MainWindow::showTab(int index) {
    if (index < 0 || index == m_tab)
        return;
    m_finder->close(); // what it lists is in the model that goes
    const bool hadModel = m_view;
    exchangeFront(m_tabs[static_cast<size_t>(m_tab)]);
    m_tab = index;
    exchangeFront(m_tabs[static_cast<size_t>(m_tab)]);
    showFront(hadModel);
}

/// `hadModel`: the docks are there already.
void MainWindow::showFront(bool hadModel) {
    m_toolBar->follow(m_workspace.get());
    m_toolBar->setDevices(devices());
    m_status->follow(m_workspace.get());
    if (hadModel && !m_view) {
        m_dockState = m_docks.state();
        m_docks.setAllVisible(false);
    }
    m_docks.show(m_view ? &m_view->panes() : nullptr);
    if (m_view) {
        m_stack->setCurrentWidget(m_view);
        if (!hadModel)
            m_docks.restore(m_dockState);
        m_docks.adapt(width());
        m_view->canvas().setEdgeLabels(m_actions.edgeShapes->isChecked());
        showColouring();
        m_actions.weights->setChecked(m_workspace->selection().showsWeights());
        m_actions.foldLong->setChecked(m_workspace->selection().foldsLong());
    } else {
        m_start->refresh();
        m_stack->setCurrentWidget(m_start);
    }
    refresh();
    if (m_view)
        m_view->canvas().setFocus();
}

void MainWindow::emptyFront() {
    m_finder->close();
    m_toolBar->follow(nullptr);
    m_status->follow(nullptr);
    m_docks.show(nullptr); // the focus goes elsewhere while all is still there
    delete std::exchange(m_view, nullptr);
    m_journal.reset();
    m_workspace.reset();
    m_traced.clear();
}

void MainWindow::askToClose(int index) {
    m_tabBar->setCurrentIndex(index); // one sees what one is asked about
    leave([this, id = m_tabs[static_cast<size_t>(index)].id] {
        if (const std::optional<int> tab = tabWithId(id))
            closeTab(*tab);
    });
}

void MainWindow::closeTab(int index) {
    m_tabBar->setCurrentIndex(index);
    const bool isLast = m_tabs.size() == 1; // it stays, for another model
    if (!isLast && frontId() == m_openingFor) {
        m_service.cancelOpening();
        m_arrived.reset();
    }
    const bool hadModel = m_view;
    if (hadModel)
        m_dockState = m_docks.state();
    emptyFront();
    if (!isLast) {
        m_tabs.erase(m_tabs.begin() + m_tab);
        const int next = std::min(m_tab, static_cast<int>(m_tabs.size()) - 1);
        {
            const QSignalBlocker quiet(m_tabBar);
            m_tabBar->removeTab(m_tab);
            m_tabBar->setCurrentIndex(next);
        }
        m_tab = next;
        exchangeFront(m_tabs[static_cast<size_t>(m_tab)]);
    }
    if (hadModel && !m_view)
        m_docks.setAllVisible(false);
    showFront(hadModel && m_view);
}

Workspace* MainWindow::workspaceOf(int tab) {
    return tab == m_tab ? m_workspace.get() : m_tabs[static_cast<size_t>(tab)].workspace.get();
}

WorkspaceView* MainWindow::viewOf(int tab) {
    return tab == m_tab ? m_view : m_tabs[static_cast<size_t>(tab)].view;
}

std::optional<int> MainWindow::tabOf(const GraphDocument& document) {
    for (int tab = 0; tab < m_tabBar->count(); ++tab)
        if (Workspace* workspace = workspaceOf(tab); workspace && &workspace->document() == &document)
            return tab;
    return std::nullopt;
}

std::optional<int> MainWindow::tabWithId(int id) const {
    const auto found = std::ranges::find(m_tabs, id, &OpenTab::id);
    return found == m_tabs.end() ? std::nullopt : std::optional(static_cast<int>(found - m_tabs.begin()));
}

bool MainWindow::isGivenUp(const GraphDocument& document) const {
    return std::ranges::any_of(m_givenUp, [&](const DocumentState& state) {
        return state.document() == &document && state.isCurrent();
    });
}

void MainWindow::refreshTabs() {
    for (int tab = 0; tab < m_tabBar->count(); ++tab) {
        Workspace* workspace = workspaceOf(tab);
        const bool isModified = workspace && !workspace->document().isSaved();
        m_tabBar->setTabText(tab, workspace ? workspace->document().title() + (isModified ? " *" : "")
                                            : QString("New tab"));
        m_tabBar->setTabToolTip(tab, workspace ? plainTip(workspace->document().place()) : QString());
    }
    m_tabBar->setVisible(m_tabBar->count() > 1); // one alone needs none
    for (QAction* action : {m_actions.nextTab, m_actions.previousTab})
        action->setEnabled(m_tabBar->count() > 1);
}

void MainWindow::followDisk() {
    DiskNotice* notice = &m_view->diskNotice();
    const auto tell = [notice, document = &m_workspace->document()](const QString& what, bool isThere) {
        notice->tell(document->title() + what, isThere);
    };
    connect(&m_workspace->fileWatch(), &FileWatch::changed, notice,
            [tell] { tell(" was changed on disk since it was opened.", true); });
    connect(&m_workspace->fileWatch(), &FileWatch::deleted, notice,
            [tell] { tell(" was deleted on disk. The model stays open, and can be saved.", false); });
}

} // namespace fx
