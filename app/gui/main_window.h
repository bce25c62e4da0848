// SPDX-License-Identifier: GPL-3.0-or-later
// The window: joins the actions to the open workspace, and sees to opening, saving and leaving.
// What surrounds the canvas is in docks.h and tool_bar.h, what one sees of a model in workspace_view.h.
#pragma once

#include "app/gui/actions.h"
#include "app/gui/docks.h"
#include "app/gui/workspace.h"
#include "app/gui/workspace_view.h"
#include "core/base/error.h"
#include "core/module/node_marks.h"
#include "core/session/remote_opening.h"
#include "widgets/panes/insert_dialog.h"
#include "widgets/panes/pass_dialog.h"
#include "widgets/session/compare_service.h"
#include "widgets/session/edit_journal.h"
#include "widgets/session/open_service.h"
#include "widgets/support/calls_after_dialogs.h"
#include "widgets/support/job.h"

#include <QMainWindow>
#include <QSet>
#include <QStackedWidget>
#include <QTabBar>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace fx {

class Finder;
class StartPage;
class StatusLine;
class Theme;
class ToolBar;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `samples`: the folder of the sample models.
    MainWindow(Theme& theme, const QString& samples);
    ~MainWindow() override;

    /// Opens them one after the other, each in a tab of its own; the tab in front is used if it is empty.
    /// `isAsBefore`: sources are traced as they were the last time.
    void openFiles(const QStringList& paths, bool isAsBefore = false);
    void openFile(const QString& path) { openFiles({path}); }
    /// Asks which model of which other machine is to be opened, until that has succeeded, and shows it. Where
    /// `request` names an address it is tried at once.
    void connectToHost(const RemoteRequest& request = {});
    /// What the open model can be run on: "cpu", "cuda:0".
    QStringList devices() const;
    /// Starts what should be ready when a file is opened.
    void prepare() { m_service.prepare(); }
    /// Runs a pass of a Python file, the one of that name; without a name asks which, where it has several.
    /// Asks for its options.
    void runPassOf(const QString& path, const QString& name = {});
    /// Offers the edits that an earlier run did not come to save, if there are any, and removes what saves
    /// that were killed have left.
    void offerRecovery();
    Workspace* workspace() { return m_workspace.get(); }
    WorkspaceView* view() { return m_view; }
    Actions& actions() { return m_actions; }
    Docks& docks() { return m_docks; }

protected:
    void closeEvent(QCloseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    /// A model that is open beside others. What belongs to the one in front is in the window's own members.
    struct OpenTab {
        int id = 0;
        std::unique_ptr<Workspace> workspace;
        std::unique_ptr<EditJournal> journal;
        WorkspaceView* view = nullptr;
        QString traced;
    };
    void connectTabs();
    void addTab();
    /// Brings a tab to the front.
    void showTab(int index);
    void stepTab(int by);
    /// Between the tab and what is in front.
    void exchangeFront(OpenTab& tab);
    void showFront(bool hadModel);
    /// What is open in it is gone, without a question.
    void emptyFront();
    /// Its model too, after asking about unsaved changes.
    void askToClose(int index);
    void closeTab(int index);
    bool isGivenUp(const GraphDocument& document) const;
    void refreshTabs();
    /// The tab of a document; none if it is closed.
    std::optional<int> tabOf(const GraphDocument& document);
    std::optional<int> tabWithId(int id) const;
    int frontId() const { return m_tabs[static_cast<size_t>(m_tab)].id; }
    /// The tab in front if nothing is in it, else kNewTab.
    int emptyTab() const { return m_workspace ? kNewTab : frontId(); }
    /// That for which a model is opened, which is made now if it is a new one.
    void showOpeningTab();
    /// Does `show` there, after asking about the model that it takes the place of.
    void showInTab(std::function<void()> show);
    Workspace* workspaceOf(int tab);
    WorkspaceView* viewOf(int tab);
    void followDisk();
    void connectFile();
    void connectDisk();
    void connectEdit();
    void connectPasses();
    void connectView();
    void connectPlaces();
    /// To the next of what the last search has found, or with -1 to the one before.
    void walkMatches(int by);
    void tellMatch();
    void refreshPlaces();
    void connectDebug();
    /// `host`: which has opened the model, if another machine has.
    void show(std::shared_ptr<OpenedModel> model, std::shared_ptr<RemoteHost> host = nullptr);
    /// Shows what has been opened as soon as no dialog or menu is about the model that it takes the place of.
    void showArrived();
    /// Begins to keep the edits of the model that is shown, or goes on with those that were recovered.
    void keepEdits(std::shared_ptr<FoundJournal> recovered);
    void recover(std::shared_ptr<FoundJournal> found);
    /// False, after it was told, where the model is not the one that was edited.
    bool redoEdits(const FoundJournal& found, OpenedModel& model,
                   std::vector<std::pair<QString, Changes>>& steps);
    /// Takes the place of what is in the tab, which is asked about.
    void openIn(int tab, const QString& path, bool isAsBefore);
    /// What waits for its turn, if nothing is being opened.
    void openNext();
    void openNextSoon();
    void reload();
    void choose();
    void chooseFolder();
    /// Asks how a model is to be traced until that has succeeded, and shows it.
    struct TracingFault {
        Error why;
        std::shared_ptr<OpenedModel> soFar; ///< as OpenService::openingFailed() tells it
    };
    /// Asks how a model is to be made of a file. `fault`: what came of it as it was made before.
    void traceFile(const QString& path, const QString& stateFile = {},
                   const std::optional<TracingFault>& fault = {});
    /// How the model of a file was made the last time; none: it was no traced one.
    static std::optional<TraceOptions> howMade(const QString& path);
    void rememberHowMade(const QString& path);
    /// "net.py:Net(depth=3)" of a source that was opened before, else the path.
    static QString modelOf(const QString& path);
    /// What is open, or a file that is asked for.
    void traceAgain();
    /// Asks for a library of operators, loads it, and does `then`.
    void loadLibrary(std::function<void()> then = {});
    /// Says what failed; where a library may be missing, with a way to load one and to try `again`.
    void tellFailure(const QString& what, const Error& why, std::function<void()> again);
    /// Of a graph that is not whole.
    void showWhereTracingEnded();
    void runPass(const Pass& pass);
    void passFromFile();
    void choosePass(const std::vector<Pass>& found);
    /// Lists what lies in the folders of passes now.
    void fillPassMenu();
    void replaceByPattern();
    /// With a pattern of the selected nodes.
    void replaceLike();
    void openReplace(const QString& pattern);
    bool askAboutPython();
    void saveRecipe();
    void applyRecipe();
    void connectBuilding();
    void connectClipboard();
    /// False, after it was told, where there is nothing to copy.
    bool copySelected();
    void paste();
    void pasteCode(const QString& text);
    /// Where others read it, asks what becomes of them.
    void removeSelected();
    /// Asks what the readers of the nodes read instead, and deletes these.
    void chooseInstead(ModuleId module, const std::vector<NodeId>& nodes);
    /// The second of two selected nodes reads the first; of one, it is asked which reads it.
    void connectSelected();
    /// Where the reader may read it as several of its arguments, asks which; without a reader, what is to be
    /// called with it.
    void connectNodes(NodeRef producer, NodeRef reader);
    /// Asks what is to be called, then for its arguments. `place`: where one has asked.
    void insertCall(const InsertPlace& place);
    void insertAtSelection();
    void insertBeforeSelection();
    void selectAll();
    void fillIn(const InsertPlace& place, const Callable& callable);
    void selectWhatComes(ModuleId graph, bool isFirst);
    PassDialog::Trial trialOf(const Pass& pass, ModuleId graph);
    void suggestModule(const Pass& pass, PassDialog& dialog);
    void showFaults();
    void verifyLast();
    void connectMarks();
    /// Of the selected node, which there must be.
    NodeMark markOfCurrent() const;
    void writeNote();
    void walkMarks(int by);
    void connectComparing();
    /// Joins what the panes of the workspace ask for.
    void followComparing();
    /// Shows both in a window of their own; `steps` and `first` as CompareWish has them.
    void compare(const ComparePoint& first, int steps);
    CompareService& comparer();
    /// For the canvas: where none are known, it is compared with the model as it was opened.
    void askForDifferences();
    void bisectSince(int steps);
    void keepReference();
    void verifyAfterPass(Workspace& workspace);
    /// Tells what the passes of the workspace have done.
    void followPasses();
    void connectCosts();
    /// Joins what the canvas shows of the workspace's costs.
    void followCosts();
    /// As the menu says; what is not known yet is counted.
    void colourBoxes();
    /// Where the canvas is coloured by them.
    void showCosts(Workspace& workspace, WorkspaceView& view);
    /// Ticks in the menu what the canvas in front is coloured by.
    void showColouring();
    void tellPassFault(WorkspaceView& view, const QString& reason);
    /// Does `then` at once or after asking about unsaved changes, or not at all.
    void leave(std::function<void()> then);
    void save(bool asksForPath);
    QString askForPath();
    QString reasonAgainst(const QString& path) const;
    QString askToReplace(const QString& path, const QString& reason);
    void tellNotSaved(const QString& path, const QString& reason);
    void exportModel();
    void exportPicture();
    void editInputs(bool isBeforeRun = false);
    /// Where a run has ended for want of an operator, offers to load its library.
    void offerLibrary();
    /// The node whose NaN or Inf the user can ask about: the selected one, or the output of a finished run if
    /// none is selected. No node if its value is finite.
    NodeRef nonFiniteNode() const;
    /// Whether a run can begin; asks for the inputs that nothing is known of, and whether the model may touch
    /// files.
    bool mayRun();
    /// A scope that is closed is one step, and stepping into it opens it. False where the run stands in none.
    bool stepAtCollapsedScope(Resume::Mode mode);
    /// False where the run is given up.
    bool askAboutOutside();
    void openPalette();
    void showKeys();
    void fillRecent();
    void refresh();
    /// Tells why an edit was refused, if it was.
    void take(const QString& reason);

    Theme& m_theme;
    Actions m_actions;
    Docks m_docks;
    OpenService m_service;
    std::vector<OpenTab> m_tabs; ///< from left to right; that in front is empty here
    int m_tab = 0;               ///< in front
    static constexpr int kNewTab = 0;
    int m_openingFor = kNewTab;                  ///< the id of the tab for which a model is opened
    std::deque<std::function<void()>> m_waiting; ///< what is to be opened after that
    int m_lastId = 0;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<EditJournal> m_journal;     ///< of the workspace's document
    std::shared_ptr<FoundJournal> m_recovering; ///< whose model is being opened
    std::optional<TraceOptions> m_trace; ///< chosen for the model that is being opened or was opened last
    WorkspaceView* m_view = nullptr;
    QTabBar* m_tabBar;
    QStackedWidget* m_stack;
    StartPage* m_start;
    ToolBar* m_toolBar;
    StatusLine* m_status;
    Finder* m_finder;
    QMenu* m_recent;
    QByteArray m_dockState;   ///< while the docks are hidden behind the start page
    bool m_isTracing = false; ///< the trace dialog is open, and waits for what the service has to tell
    std::vector<DocumentState> m_givenUp; ///< unsaved, and may be lost: the user said so
    CallsAfterDialogs m_afterDialogs;
    std::shared_ptr<OpenedModel> m_arrived; ///< opened, and not shown yet
    DocumentState m_discarded;              ///< the edits that may be lost for the model that is being opened
    QString m_opening;                      ///< the file that was to be opened last
    QString m_replaced;                     ///< the file that the user wants to be saved into
    QString m_traced; ///< the file that is open, if its model was made by options that Settings knows
    std::function<void()> m_afterSave;    ///< what one wanted to do when one was asked to save
    DocumentState m_awaited;              ///< and what is to be saved for it
    std::function<void()> m_afterLibrary; ///< and what failed for want of a library
    QString m_passFolder;                 ///< where a pass was last read from
    QSet<QString> m_toldPassFaults;       ///< of files in the folders of passes
    JobRunner m_passReader;               ///< last: its thread uses what is above
};

} // namespace fx
