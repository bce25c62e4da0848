// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/main_window.h"

#include "app/gui/status_line.h"
#include "app/gui/tool_bar.h"
#include "core/base/file_leases.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/panes/finder.h"
#include "widgets/panes/start_page.h"
#include "widgets/session/settings.h"
#include "widgets/style/theme.h"

#include <QCloseEvent>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace fx::ui {

MainWindow::MainWindow(Theme& theme, const QString& samples)
    : m_theme(theme),
      m_actions(*this, theme,
                [this] {
                    if (!m_tabs.view())
                        return Needs::Nothing;
                    const bool hasGraph = m_context.document().opened().whyNoGraph.reason.empty();
                    return hasGraph ? Needs::Graph : Needs::Model;
                }),
      m_docks(*this, paneSpecs(), theme), m_tabs(theme),
      m_finder(new Finder(this)), m_context{*this,  theme,     m_actions, m_docks,
                                            m_tabs, m_service, *m_finder, m_afterDialogs},
      m_saving(m_context), m_files(m_context, m_saving), m_places(m_context), m_passes(m_context),
      m_editing(m_context, m_passes), m_running(m_context, m_files), m_comparing(m_context),
      m_help(m_context, m_passes), m_stack(new QStackedWidget), m_start(new StartPage(samples, theme)),
      m_recent(new QMenu(this)) {
    addActions();
    m_toolBar = new ToolBar(m_actions, theme);
    m_status = new StatusLine(m_service, theme);
    keepOpenFilesUnchanged();
    layOut();
    fillMenus();
    resize(QSize(1600, 1000).boundedTo(screen()->availableSize() - QSize(20, 60)));
    restoreGeometry(Settings::windowGeometry());
    m_dockState = Settings::windowState();
    m_docks.setAllVisible(false);
    connect(&m_tabs, &Tabs::closeWanted, this, &MainWindow::askToClose);
    connect(&m_tabs, &Tabs::leaving, this, &MainWindow::leaveFront);
    connect(&m_tabs, &Tabs::opened, this, &MainWindow::follow);
    connect(&m_tabs, &Tabs::changed, this, &MainWindow::showFront);
    connect(m_start, &StartPage::openWanted, this, [this] { m_files.choose(); });
    connect(m_start, &StartPage::fileWanted, this,
            [this](const QString& path) { m_files.open({path}, true); });
    connect(m_status, &StatusLine::nodeWanted, this, [this](NodeRef node) { view()->goTo(node); });
    connect(&m_service, &OpenService::devicesListed, m_toolBar, [this] { m_toolBar->setDevices(devices()); });
    refresh();
}

MainWindow::~MainWindow() {
    m_tabs.emptyAll();
}

void MainWindow::layOut() {
    setAcceptDrops(true);
    setMinimumSize(640, 420);
    setUnifiedTitleAndToolBarOnMac(true);
    m_stack->addWidget(m_start);
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(&m_tabs.bar());
    column->addWidget(m_stack, 1);
    setCentralWidget(middle);
    addToolBar(m_toolBar);
    setStatusBar(m_status);
}

void MainWindow::addActions() {
    const auto hasSeveral = [this] { return m_tabs.count() > 1; };
    const auto add = [this](MenuPlace place, ActionText text, std::function<void()> work,
                            std::function<bool()> isEnabled = {}) {
        m_actions.add(place, std::move(text), std::move(work),
                      {.needs = Needs::Nothing, .isEnabled = std::move(isEnabled)});
    };
    add(MenuPlace::FileModel,
        {"newTab", "New tab", "Ctrl+T", "", "Open another model beside this one, in a tab of its own"},
        [this] { m_tabs.add(); });
    add(
        MenuPlace::FileModel, {"nextTab", "Next tab", "Ctrl+PgDown", "", "Go to the model in the next tab"},
        [this] { m_tabs.step(1); }, hasSeveral);
    add(
        MenuPlace::FileModel,
        {"previousTab", "Previous tab", "Ctrl+PgUp", "", "Go to the model in the tab before"},
        [this] { m_tabs.step(-1); }, hasSeveral);
    add(
        MenuPlace::FileModel,
        {"closeModel", "Close model", "Ctrl+W", "", "Close the model, and its tab where there are more"},
        [this] { askToClose(m_tabs.frontIndex()); }, [this] { return view() || m_tabs.count() > 1; });
    add(MenuPlace::FileModel, {"quit", "Quit", "Ctrl+Q", "", "End fxscope"}, [this] { close(); });
}

void MainWindow::fillMenus() {
    m_actions.fill(*menuBar());
    m_passes.fillMenu();
    m_recent->setTitle("Open recent");
    m_actions.menu("File").insertMenu(m_actions["loadLibrary"], m_recent);
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
    auto* panes = new QMenu("Panes", this);
    for (QDockWidget* dock : m_docks.docks())
        panes->addAction(dock->toggleViewAction());
    for (QDockWidget* dock : m_docks.docks())
        connect(dock->toggleViewAction(), &QAction::triggered, this, [this, dock](bool isOn) {
            if (isOn)
                m_docks.show(*dock);
        });
    connect(panes, &QMenu::aboutToShow, this, [this, panes] {
        for (QAction* action : panes->actions())
            action->setEnabled(view());
    });
    panes->addSeparator();
    const QStringList titles = m_docks.paneTitles();
    for (qsizetype i = 0; i < titles.size(); ++i)
        if (m_docks.isInGroup(static_cast<size_t>(i)))
            panes->addAction(titles[i], this, [this, i] { m_docks.showPane(static_cast<size_t>(i)); });
    m_actions.menu("View").insertMenu(m_actions["resetLayout"], panes);
}

void MainWindow::fillRecent() {
    m_recent->clear();
    for (const QString& path : Settings::recentFiles())
        m_recent->addAction(FilesController::modelOf(path), this,
                            [this, path] { m_files.open({path}, true); });
    if (m_recent->isEmpty())
        m_recent->addAction("None yet")->setEnabled(false);
}

// --- Models

void MainWindow::follow() {
    Workspace* workspace = m_tabs.workspace();
    m_stack->addWidget(view());
    connect(&workspace->debug(), &DebugService::stateChanged, this, &MainWindow::refresh);
    connect(&workspace->debug(), &DebugService::valueReplaced, this, &MainWindow::refresh);
    connect(&workspace->debug().breakpoints(), &Breakpoints::changed, this, &MainWindow::refresh);
    connect(&workspace->document().undoStack(), &QUndoStack::indexChanged, this, &MainWindow::refresh);
    connect(&workspace->document(), &GraphDocument::saved, this, &MainWindow::refresh);
    connect(&workspace->selection(), &Selection::changed, this, &MainWindow::refresh);
}

void MainWindow::showFront(bool hadModel) {
    m_finder->close(); // what it lists is in the model that goes
    m_toolBar->follow(workspace());
    m_toolBar->setDevices(devices());
    m_status->follow(workspace());
    if (hadModel && !view()) {
        m_dockState = m_docks.state();
        m_docks.setAllVisible(false);
    }
    m_docks.show(view() ? &view()->panes() : nullptr);
    if (view()) {
        m_stack->setCurrentWidget(view());
        if (!hadModel)
            m_docks.restore(m_dockState);
        m_docks.adapt(width());
    } else {
        m_start->refresh();
        m_stack->setCurrentWidget(m_start);
    }
    refresh();
    if (view())
        view()->canvas().setFocus();
}

void MainWindow::leaveFront() {
    m_finder->close();
    m_toolBar->follow(nullptr);
    m_status->follow(nullptr);
    m_docks.show(nullptr); // the focus goes elsewhere while all is still there
}

void MainWindow::askToClose(int index) {
    m_tabs.show(index); // one sees what one is asked about
    m_saving.leave([this, id = m_tabs.front().id] {
        if (const std::optional<int> tab = m_tabs.withId(id))
            closeTab(*tab);
    });
}

void MainWindow::closeTab(int index) {
    m_tabs.show(index);
    const bool isLast = m_tabs.count() == 1; // it stays, for another model
    if (!isLast)
        m_files.forgetTab(m_tabs.front().id);
    const bool hadModel = view();
    if (hadModel)
        m_dockState = m_docks.state();
    m_tabs.emptyFront();
    if (!isLast)
        m_tabs.removeFront();
    if (hadModel && !view())
        m_docks.setAllVisible(false);
    Q_EMIT m_tabs.changed(hadModel && view());
}

bool MainWindow::isGivenUp(const GraphDocument& document) const {
    return std::ranges::any_of(m_givenUp, [&](const DocumentState& state) {
        return state.document() == &document && state.isCurrent();
    });
}

void MainWindow::refresh() {
    m_tabs.refresh();
    m_actions.refresh();
    const bool hasModel = view();
    setWindowTitle(hasModel ? m_context.document().place() + "[*] " + QChar(0x2014) + " fxscope" : "fxscope");
    setWindowModified(hasModel && !m_context.document().isSaved());
}

// --- Events

void MainWindow::closeEvent(QCloseEvent* event) {
    for (int tab = 0; tab < m_tabs.count(); ++tab) {
        Workspace* workspace = m_tabs.at(tab).workspace.get();
        if (!workspace || workspace->document().isSaved() || isGivenUp(workspace->document()))
            continue;
        event->ignore();
        m_tabs.show(tab);
        const size_t answers = m_givenUp.size();
        m_saving.leave([this, state = workspace->document().state()] {
            m_givenUp.push_back(state);
            // From within this event it would do nothing.
            QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
        });
        if (m_givenUp.size() == answers && !m_saving.isWaiting())
            m_givenUp.clear(); // one stays, and is asked again another time
        return;
    }
    if (workspace())
        m_dockState = m_docks.state();
    Settings::saveWindow(saveGeometry(), m_dockState);
    event->accept();
}

void MainWindow::mousePressEvent(QMouseEvent* event) {
    QAction* action = event->button() == Qt::BackButton      ? m_actions["goBack"]
                      : event->button() == Qt::ForwardButton ? m_actions["goForward"]
                                                             : nullptr;
    if (action)
        action->trigger(); // does nothing where there is nowhere to go
    else
        QMainWindow::mousePressEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (workspace())
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

} // namespace fx::ui
