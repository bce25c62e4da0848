// SPDX-License-Identifier: GPL-3.0-or-later
// The models that are open in a window, each in a tab. What is in front is what the actions are about.
#pragma once

#include "app/gui/workspace.h"
#include "app/gui/workspace_view.h"
#include "widgets/session/edit_journal.h"

#include <QTabBar>

#include <memory>
#include <optional>
#include <vector>

namespace fx::ui {

struct OpenTab {
    int id = 0;
    std::unique_ptr<Workspace> workspace = nullptr; ///< null: nothing is open in it
    std::unique_ptr<EditJournal> journal = nullptr; ///< of the workspace's document
    WorkspaceView* view = nullptr;
    QString traced = {}; ///< the file, if its model was made by options that Settings knows
};

class Tabs : public QObject {
    Q_OBJECT

public:
    /// No id of a tab: a new one is wanted.
    static constexpr int kNew = 0;

    explicit Tabs(const Theme& theme);
    ~Tabs() override;

    QTabBar& bar() { return *m_bar; }
    int count() const { return static_cast<int>(m_tabs.size()); }
    OpenTab& at(int index) { return m_tabs[static_cast<size_t>(index)]; }
    const OpenTab& front() const { return m_tabs[static_cast<size_t>(m_front)]; }
    OpenTab& front() { return at(m_front); }
    int frontIndex() const { return m_front; }
    /// Null: nothing is open in front.
    Workspace* workspace() const { return front().workspace.get(); }
    WorkspaceView* view() const { return front().view; }
    /// The tab of a document; none if it is closed.
    std::optional<int> tabOf(const GraphDocument& document) const;
    std::optional<int> withId(int id) const;
    /// The id of the tab in front if nothing is in it, else kNew.
    int emptyId() const { return workspace() ? kNew : front().id; }

    void add();
    /// Brings a tab to the front.
    void show(int index) { m_bar->setCurrentIndex(index); }
    void step(int by);
    /// Puts a model into the tab in front, in the place of what was there. Returns whether that was a model.
    bool put(std::unique_ptr<Workspace> workspace, Docks& docks, const Actions& actions);
    /// What is open in front is gone, without a question.
    void emptyFront();
    /// The same of all tabs, as the window ends.
    void emptyAll();
    /// The tab in front, which is empty, is gone; it is not the last one.
    void removeFront();
    /// Titles as the documents are now.
    void refresh();

Q_SIGNALS:
    /// The user wants to close it.
    void closeWanted(int index);
    /// What is in front goes: nothing may show it any more.
    void leaving();
    /// A model has been put into the tab in front.
    void opened();
    /// Another tab is in front. `hadModel`: the one before it had a model.
    void changed(bool hadModel);

private:
    void bringToFront(int index);
    static void empty(OpenTab& tab);

    const Theme& m_theme;
    QTabBar* m_bar;
    std::vector<OpenTab> m_tabs; ///< from left to right
    int m_front = 0, m_lastId = 0;
};

} // namespace fx::ui
