// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/main_window.h"

#include "app/gui/export_dialog.h"
#include "app/gui/status_line.h"
#include "app/gui/tool_bar.h"
#include "core/base/error.h"
#include "core/base/file_leases.h"
#include "core/base/text.h"
#include "core/module/muted.h"
#include "core/plugins/pass_folders.h"
#include "widgets/canvas/places.h"
#include "widgets/panes/finder.h"
#include "widgets/panes/picture_dialog.h"
#include "widgets/panes/start_page.h"
#include "widgets/panes/tensor_pane.h"
#include "widgets/panes/toast.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QVBoxLayout>

namespace fx {

MainWindow::MainWindow(Theme& theme, const QString& samples)
    : m_theme(theme), m_actions(*this, theme), m_docks(*this, paneSpecs(), theme), m_tabBar(new QTabBar),
      m_stack(new QStackedWidget), m_start(new StartPage(samples, theme)),
      m_toolBar(new ToolBar(m_actions, theme)), m_status(new StatusLine(m_service, theme)),
      m_finder(new Finder(this)), m_recent(new QMenu(this)) {
    keepOpenFilesUnchanged();
    setAcceptDrops(true);
    setMinimumSize(640, 420);
    setUnifiedTitleAndToolBarOnMac(true);
    m_stack->addWidget(m_start);
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabBar);
    column->addWidget(m_stack, 1);
    setCentralWidget(middle);
    addToolBar(m_toolBar);
    setStatusBar(m_status);
    QList<QAction*> panes;
    for (QDockWidget* dock : m_docks.docks())
        panes << dock->toggleViewAction();
    m_actions.fill(*menuBar(), panes, *m_recent);
    resize(QSize(1600, 1000).boundedTo(screen()->availableSize() - QSize(20, 60)));
    restoreGeometry(Settings::windowGeometry());
    m_dockState = Settings::windowState();
    m_docks.setAllVisible(false);
    connectTabs();
    connectFile();
    connectDisk();
    connectEdit();
    connectBuilding();
    connectClipboard();
    connectPasses();
    connectComparing();
    connectMarks();
    connectView();
    connectCosts();
    connectPlaces();
    connectDebug();
    refresh();
}

MainWindow::~MainWindow() {
    // In order: what shows a model goes before it, and a history that ends must not be followed any more.
    emptyFront();
    for (OpenTab& tab : m_tabs) {
        exchangeFront(tab);
        emptyFront();
    }
}

// --- Models

void MainWindow::show(std::shared_ptr<OpenedModel> model, std::shared_ptr<RemoteHost> host) {
    const QString path = host ? QString() : qt(model->path); // of this machine
    const std::shared_ptr<FoundJournal> recovered = std::exchange(m_recovering, nullptr);
    std::vector<std::pair<QString, Changes>> steps;
    if (recovered && !redoEdits(*recovered, *model, steps))
        return;
    auto workspace = std::make_unique<Workspace>(std::move(*model), m_theme, std::move(host));
    if (recovered)
        workspace->document().restore(std::move(steps));
    const bool hadModel = m_view;
    emptyFront();
    m_workspace = std::move(workspace);
    m_view = new WorkspaceView(*m_workspace, m_docks, m_actions, m_theme);
    WorkspaceView* view = m_view;
    m_stack->addWidget(view);
    connect(&view->canvas(), &CanvasView::connectWanted, this, &MainWindow::connectNodes);
    connect(&view->canvas(), &CanvasView::insertWanted, view, [this](NodeRef producer, NodeRef reader) {
        insertCall({m_workspace->selection().graph(), producer.node, reader.node});
    });
    connect(&view->canvas(), &CanvasView::paletteWanted, this, &MainWindow::insertAtSelection);
    for (QAction* action : m_actions.onCanvas())
        view->canvas().addAction(action);
    connect(&m_workspace->debug(), &DebugService::stateChanged, this, &MainWindow::refresh);
    connect(&m_workspace->debug(), &DebugService::valueReplaced, this, &MainWindow::refresh);
    connect(
        &m_workspace->debug(), &DebugService::stateChanged, view,
        [this, view] {
            if (view == m_view)
                offerLibrary();
        },
        Qt::QueuedConnection);
    connect(&m_workspace->debug().breakpoints(), &Breakpoints::changed, this, &MainWindow::refresh);
    connect(&m_workspace->document().undoStack(), &QUndoStack::indexChanged, this, &MainWindow::refresh);
    connect(&m_workspace->document(), &GraphDocument::saved, this, &MainWindow::refresh);
    connect(&m_workspace->selection(), &Selection::changed, this, &MainWindow::refresh);
    connect(&m_workspace->selection(), &Selection::partChanged, this, &MainWindow::refreshPlaces);
    connect(&m_workspace->selection().matches(), &Matches::changed, this, &MainWindow::refreshPlaces);
    connect(&view->tensor(), &TensorPane::subjectChanged, view, [this, view] {
        if (view == m_view) // its page may be going
            m_actions.setValue->setEnabled(view->tensor().isSettable());
    });
    connect(&view->places(), &Places::changed, this, &MainWindow::refreshPlaces);
    followPasses();
    followComparing();
    followCosts();
    if (!path.isEmpty())
        Settings::addRecentFile(path);
    m_replaced.clear();
    m_traced = m_trace ? path : QString();
    rememberHowMade(path);
    m_workspace->fileWatch().follow(path);
    followDisk();
    keepEdits(recovered);
    showFront(hadModel);
}

void MainWindow::exportModel() {
    const ModelSnapshot model = m_workspace->snapshot();
    OpenedModel written = *model.opened; // but by a format that keeps all
    takeOutMuted(written.model);
    ExportDialog dialog(written, m_workspace->document().title(), this);
    if (dialog.exec() == QDialog::Accepted)
        m_service.exportModel(model, dialog.path(), dialog.format(), dialog.className(),
                              m_workspace->debug().inputs().requestHere());
}

void MainWindow::exportPicture() {
    PictureDialog dialog(m_view->canvas(), QFileInfo(m_workspace->document().title()).completeBaseName(),
                         m_theme.tokens().isDark, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    try {
        QApplication::setOverrideCursor(Qt::WaitCursor);
        writePicture(m_view->canvas(), dialog.file());
        QApplication::restoreOverrideCursor();
        m_view->toast().tell("Wrote " + dialog.file().path, false);
    } catch (const Error& error) {
        QApplication::restoreOverrideCursor();
        m_view->toast().tell(qt(error.what()), true);
    }
}

// --- The rest

void MainWindow::take(const QString& reason) {
    if (!reason.isEmpty())
        m_view->toast().tell(reason, true);
}

void MainWindow::openPalette() {
    std::vector<FinderItem> items;
    for (QAction* action : m_actions.all())
        if (action->isEnabled() && action != m_actions.palette)
            items.push_back(
                {action->text().remove("…"),
                 action->shortcut().toString(QKeySequence::NativeText) + "   " + action->statusTip(),
                 action->objectName(), [action] { action->trigger(); }});
    if (m_workspace)
        for (const PassFile& file : passFiles())
            for (const ListedPass& pass : file.passes)
                items.push_back(
                    {qt(pass.name), qt(file.name + ".py   " + pass.summary()), "pass",
                     [this, path = qt(file.path), name = qt(pass.name)] { runPassOf(path, name); }});
    if (m_workspace)
        for (QDockWidget* dock : m_docks.docks())
            items.push_back({"Pane: " + dock->windowTitle(), "bring to the front", {}, [this, dock] {
                                 m_docks.show(*dock);
                             }});
    m_finder->open("Type a command…", std::move(items));
}

void MainWindow::showKeys() {
    QStringList cells;
    const auto add = [&cells](const QString& key, const QString& what) {
        cells << "<td style='white-space: pre; padding-right: 14px'><b>" + key.toHtmlEscaped() +
                     "</b></td><td style='white-space: pre; padding-right: 18px'>" + what.toHtmlEscaped() +
                     "</td>";
    };
    for (const QAction* action : m_actions.all())
        if (!action->shortcut().isEmpty())
            add(action->shortcut().toString(QKeySequence::NativeText), action->text().remove("…"));
    add("Arrows", "Canvas: to producers and readers");
    add("+  -", "Canvas: zoom; hops of a part");
    add("Esc", "Canvas: show all, select nothing");
    add("Enter", "Canvas: open a scope or a graph");
    add("Shift+drag", "Canvas: select several nodes");
    // In three columns, so that a small screen shows all.
    const qsizetype part = (cells.size() + 2) / 3;
    QString rows;
    for (qsizetype i = 0; i < part; ++i)
        rows += "<tr>" + cells[i] + cells.value(part + i) + cells.value(2 * part + i) + "</tr>";
    // A message box would cut what is wider than half of a small screen.
    QDialog box(this);
    box.setWindowTitle("Keys");
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok);
    connect(buttons, &QDialogButtonBox::accepted, &box, &QDialog::accept);
    auto* layout = new QVBoxLayout(&box);
    layout->addWidget(new QLabel("<table>" + rows + "</table>"));
    layout->addWidget(buttons);
    box.exec();
}

void MainWindow::fillRecent() {
    m_recent->clear();
    for (const QString& path : Settings::recentFiles())
        m_recent->addAction(modelOf(path), this, [this, path] { openFiles({path}, true); });
    if (m_recent->isEmpty())
        m_recent->addAction("None yet")->setEnabled(false);
}

void MainWindow::refresh() {
    const bool hasModel = m_workspace && m_view;
    const bool hasGraph = hasModel && m_workspace->document().opened().whyNoGraph.reason.empty();
    for (QAction* action : m_actions.all())
        action->setEnabled(hasGraph);
    refreshTabs();
    m_actions.closeModel->setEnabled(hasModel || m_tabs.size() > 1);
    m_actions.reload->setEnabled(hasModel && m_workspace->document().host().isEmpty());
    m_actions.resetLayout->setEnabled(hasModel);
    for (QAction* action :
         {m_actions.open, m_actions.openFolder, m_actions.trace, m_actions.connectToHost,
          m_actions.loadLibrary, m_actions.newTab, m_actions.quit, m_actions.palette, m_actions.themeSystem,
          m_actions.themeLight, m_actions.themeDark, m_actions.keys, m_actions.about})
        action->setEnabled(true);
    setWindowTitle(hasModel ? m_workspace->document().place() + "[*] " + QChar(0x2014) + " fxscope"
                            : "fxscope");
    setWindowModified(hasModel && !m_workspace->document().isSaved());
    if (!hasGraph)
        return;
    QUndoStack& history = m_workspace->document().undoStack();
    m_actions.undo->setEnabled(history.canUndo());
    m_actions.verify->setEnabled(history.canUndo());
    m_actions.bisect->setEnabled(history.canUndo());
    m_actions.saveRecipe->setEnabled(history.canUndo());
    m_actions.undo->setText(history.canUndo() ? "Undo " + history.undoText() : "Undo");
    m_actions.redo->setEnabled(history.canRedo());
    m_actions.redo->setText(history.canRedo() ? "Redo " + history.redoText() : "Redo");
    const Selection& selection = m_workspace->selection();
    const bool hasNode = bool(selection.currentNode());
    for (QAction* action :
         {m_actions.cut, m_actions.remove, m_actions.bypass, m_actions.mute, m_actions.duplicate,
          m_actions.swapInputs, m_actions.connectNodes, m_actions.copyCode, m_actions.replaceLike,
          m_actions.insertBefore, m_actions.bookmark, m_actions.note, m_actions.nextColour, m_actions.runTo,
          m_actions.restartHere, m_actions.breakpoint, m_actions.watch})
        action->setEnabled(hasNode);
    for (QAction* action : {m_actions.copy, m_actions.rename, m_actions.toggleScope})
        action->setEnabled(hasNode || !selection.scope().isEmpty());
    const Graph& graph = m_workspace->document().model().graph(selection.graph());
    m_actions.mute->setChecked(hasNode && mutedCall(graph.node(selection.currentNode())));
    refreshPlaces();
    const DebugService::State state = m_workspace->debug().state();
    const bool isRunning = state == DebugService::State::Running,
               isPaused = state == DebugService::State::Paused;
    m_actions.run->setText(isPaused ? "Continue" : "Run");
    m_actions.run->setEnabled(!isRunning);
    for (QAction* each : {m_actions.runAll, m_actions.runGradients})
        each->setEnabled(!isRunning);
    const bool mayStep = !isRunning || m_workspace->debug().run().state().isStepping;
    m_actions.step->setEnabled(mayStep);
    m_actions.into->setEnabled(mayStep);
    m_actions.stepBack->setEnabled(isPaused);
    m_actions.runBack->setEnabled(isPaused);
    m_actions.out->setEnabled(isPaused);
    m_actions.nextScope->setEnabled(!isRunning);
    m_actions.pause->setEnabled(isRunning);
    m_actions.stop->setEnabled(isRunning || isPaused);
    const NodeRecord* record = m_workspace->debug().run().values().record(selection.current());
    m_actions.origin->setEnabled(!isRunning && nonFiniteNode().node);
    for (QAction* each : {m_actions.trait, m_actions.difference})
        each->setEnabled(!isRunning && record);
    m_actions.setValue->setEnabled(m_view->tensor().isSettable());
    m_actions.nonFinite->setChecked(m_workspace->debug().breakpoints().stopsAtNonFinite());
}

// --- Events

void MainWindow::closeEvent(QCloseEvent* event) {
    for (int tab = 0; tab < m_tabBar->count(); ++tab) {
        Workspace* workspace = workspaceOf(tab);
        if (!workspace || workspace->document().isSaved() || isGivenUp(workspace->document()))
            continue;
        event->ignore();
        m_tabBar->setCurrentIndex(tab);
        const size_t answers = m_givenUp.size();
        leave([this, state = workspace->document().state()] {
            m_givenUp.push_back(state);
            // From within this event it would do nothing.
            QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
        });
        if (m_givenUp.size() == answers && !m_afterSave)
            m_givenUp.clear(); // one stays, and is asked again another time
        return;
    }
    if (m_workspace)
        m_dockState = m_docks.state();
    Settings::saveWindow(saveGeometry(), m_dockState);
    event->accept();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (m_workspace)
        m_docks.adapt(event->size().width());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    // By any name: the formats are told by content.
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    openFiles(paths);
}

} // namespace fx
