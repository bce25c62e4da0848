// SPDX-License-Identifier: GPL-3.0-or-later
// The window: its tabs, menus and closing. What the actions do is in app/gui/controllers, what surrounds the
// canvas in docks.h and tool_bar.h, what one sees of a model in workspace_view.h.
#pragma once

#include "app/gui/controllers/comparing.h"
#include "app/gui/controllers/editing.h"
#include "app/gui/controllers/files.h"
#include "app/gui/controllers/help.h"
#include "app/gui/controllers/passes.h"
#include "app/gui/controllers/places.h"
#include "app/gui/controllers/running.h"
#include "app/gui/controllers/saving.h"
#include "app/gui/window_context.h"

#include <QMainWindow>
#include <QStackedWidget>

#include <vector>

namespace fx::ui {

class StartPage;
class StatusLine;
class ToolBar;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `samples`: the folder of the sample models.
    MainWindow(Theme& theme, const QString& samples);
    ~MainWindow() override;

    /// Opens them one after the other, each in a tab of its own; the tab in front is used if it is empty.
    void openFiles(const QStringList& paths) { m_files.open(paths); }
    void openFile(const QString& path) { openFiles({path}); }
    /// As FilesController has it.
    void connectToHost(const RemoteRequest& request) { m_files.connectToHost(request); }
    void offerRecovery() { m_files.offerRecovery(); }
    /// Starts what should be ready when a file is opened.
    void prepare() { m_service.prepare(); }
    /// Runs a pass of a Python file, after asking for its options.
    void runPassOf(const QString& path) { m_passes.runOf(path); }
    QStringList devices() const { return m_context.devices(); }
    Workspace* workspace() { return m_tabs.workspace(); }
    WorkspaceView* view() { return m_tabs.view(); }
    Actions& actions() { return m_actions; }
    Docks& docks() { return m_docks; }

protected:
    void closeEvent(QCloseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void layOut();
    void addActions();
    void fillMenus();
    /// Joins what is shown of the model that was opened.
    void follow();
    /// `hadModel`: the docks are there already.
    void showFront(bool hadModel);
    void leaveFront();
    /// Closes the tab, after asking about unsaved changes.
    void askToClose(int index);
    void closeTab(int index);
    /// Whether the user said that its edits may be lost.
    bool isGivenUp(const GraphDocument& document) const;
    void fillRecent();
    void refresh();

    Theme& m_theme;
    Actions m_actions;
    Docks m_docks;
    OpenService m_service;
    Tabs m_tabs;
    Finder* m_finder;
    CallsAfterDialogs m_afterDialogs;
    const WindowContext m_context;
    SavingController m_saving;
    FilesController m_files;
    PlacesController m_places;
    PassesController m_passes;
    EditingController m_editing;
    RunningController m_running;
    ComparingController m_comparing;
    HelpController m_help;
    QStackedWidget* m_stack;
    StartPage* m_start;
    ToolBar* m_toolBar;
    StatusLine* m_status;
    QMenu* m_recent;
    QByteArray m_dockState;               ///< while the docks are hidden behind the start page
    std::vector<DocumentState> m_givenUp; ///< unsaved, and may be lost
};

} // namespace fx::ui
