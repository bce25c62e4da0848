// SPDX-License-Identifier: GPL-3.0-or-later
// What each action of the window does.
#include "app/gui/main_window.h"
#include "app/gui/tool_bar.h"
#include "core/base/text.h"
#include "core/codegen/fx_code.h"
#include "core/open/formats.h"
#include "core/passes/registry.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/graph_intents.h"
#include "widgets/panes/disk_notice.h"
#include "widgets/panes/finder.h"
#include "widgets/panes/inspector_pane.h"
#include "widgets/panes/start_page.h"
#include "widgets/panes/tensor_pane.h"
#include "widgets/panes/toast.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>

#include <algorithm>

namespace fx {

void MainWindow::connectFile() {
    connect(m_actions.open, &QAction::triggered, this, &MainWindow::choose);
    connect(m_actions.openFolder, &QAction::triggered, this, &MainWindow::chooseFolder);
    connect(m_actions.trace, &QAction::triggered, this, &MainWindow::traceAgain);
    connect(m_actions.connectToHost, &QAction::triggered, this, [this] { connectToHost(); });
    connect(m_actions.loadLibrary, &QAction::triggered, this, [this] { loadLibrary(); });
    connect(m_start, &StartPage::openWanted, this, &MainWindow::choose);
    connect(m_start, &StartPage::fileWanted, this, [this](const QString& path) { openFiles({path}, true); });
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
    connect(m_actions.save, &QAction::triggered, this, [this] { save(false); });
    connect(m_actions.saveAs, &QAction::triggered, this, [this] { save(true); });
    connect(m_actions.exportModel, &QAction::triggered, this, &MainWindow::exportModel);
    connect(m_actions.exportPicture, &QAction::triggered, this, &MainWindow::exportPicture);
    connect(m_actions.reload, &QAction::triggered, this, &MainWindow::reload);
    connect(m_actions.closeModel, &QAction::triggered, this, [this] { askToClose(m_tab); });
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
    connect(&m_service, &OpenService::opened, this, [this](const std::shared_ptr<OpenedModel>& model) {
        if (m_isTracing)
            return;
        m_arrived = model;
        showArrived();
    });
    connect(&m_service, &OpenService::saved, this,
            [this](const QString& path, const DocumentState& state, const QStringList& notes) {
                Settings::addRecentFile(path);
                GraphDocument* document = state.document();
                if (!document) // closed meanwhile
                    return;
                document->setSaved(path, qt(formatWriting(utf8(path))->document), state);
                if (const std::optional<int> tab = tabOf(*document)) {
                    workspaceOf(*tab)->fileWatch().follow(path);
                    viewOf(*tab)->diskNotice().hide();
                    viewOf(*tab)->toast().tell(
                        ("Saved " + QFileInfo(path).fileName() + '\n' + notes.join('\n')).trimmed(), false);
                }
                // Asks again where edits were made while it was saved.
                if (m_afterSave && state == m_awaited)
                    leave(std::exchange(m_afterSave, nullptr));
            });
    connect(&m_service, &OpenService::savingFailed, this, [this](const QString& path, const Error& why) {
        if (m_workspace)
            tellNotSaved(path, qt(why.what()));
    });
    connect(&m_service, &OpenService::exported, this,
            [this](const QString& path, const QString& className, const QString& verdict, bool isDifferent,
                   const QStringList& notes) {
                if (!m_view)
                    return;
                QString text = "Exported to " + path + '\n';
                if (!className.isEmpty())
                    text += "from " + QFileInfo(path).fileName() + " import " + className + '\n';
                text += verdict;
                for (const QString& note : notes)
                    text += '\n' + note;
                m_view->toast().tell(text, isDifferent);
            });
    connect(&m_service, &OpenService::failed, this, [this](const QString& what, const Error& why) {
        m_afterSave = nullptr;
        if (!m_isTracing)
            tellFailure(what + " failed", why, [] {});
    });
    connect(
        &m_service, &OpenService::openingFailed, this,
        [this](const QString& what, const Error& why, const std::shared_ptr<OpenedModel>& soFar) {
            const bool isRecovering = std::exchange(m_recovering, nullptr) != nullptr;
            if (m_isTracing)
                return;
            if (m_trace && !isRecovering)
                traceFile(m_opening, {}, TracingFault{why, soFar}); // as it was made, it cannot be made now
            else
                tellFailure(what + " failed", why, [this] { openIn(m_openingFor, m_opening, false); });
            openNextSoon();
        });
    connect(&m_service, &OpenService::ended, this, &MainWindow::openNext, Qt::QueuedConnection);
    connect(&m_service, &OpenService::devicesListed, m_toolBar, [this] { m_toolBar->setDevices(devices()); });
    connect(&m_service, &OpenService::libraryLoaded, this, [this](const QString& path) {
        if (m_workspace && !m_workspace->debug().place().host()) {
            m_workspace->debug().inputs().addLibrary(path);
            m_view->toast().tell("Loaded " + QFileInfo(path).fileName() +
                                     ". Its operators can be called until fxscope ends.",
                                 false);
        }
        if (const auto then = std::exchange(m_afterLibrary, nullptr))
            then();
    });
}

void MainWindow::connectDisk() {
    const auto setPaused = [this](bool isPaused) {
        for (int tab = 0; tab < m_tabBar->count(); ++tab)
            if (Workspace* workspace = workspaceOf(tab))
                workspace->fileWatch().setPaused(isPaused);
    };
    connect(&m_service, &OpenService::started, this, [setPaused] { setPaused(true); });
    connect(&m_service, &OpenService::ended, this, [setPaused] { setPaused(false); });
}

void MainWindow::connectEdit() {
    connect(m_actions.undo, &QAction::triggered, this,
            [this] { m_workspace->document().undoStack().undo(); });
    connect(m_actions.redo, &QAction::triggered, this,
            [this] { m_workspace->document().undoStack().redo(); });
    // These keys mean something else in fields and lists.
    for (QAction* action : m_actions.onCanvas()) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        removeAction(action);
    }
    connect(m_actions.rename, &QAction::triggered, this, [this] {
        if (!m_workspace->selection().currentNode()) // a scope, then
            return runPass(findPass("rename-scope"));
        m_docks.show(Docks::NodePane);
        m_view->inspector().editName();
    });
    connect(m_actions.copyCode, &QAction::triggered, this, [this] {
        const Selection& selection = m_workspace->selection();
        const Graph& graph = m_workspace->document().model().graph(selection.graph());
        if (selection.nodes().empty()) {
            m_view->toast().tell("Select nodes first: their code is copied.", true);
            return;
        }
        QApplication::clipboard()->setText(wholeQt(fxCode(graph, selection.nodes())));
        m_view->toast().tell("Copied Python for " + qt(plural(selection.nodes().size(), "node")) + ".",
                             false);
    });
    connect(m_actions.palette, &QAction::triggered, this, &MainWindow::openPalette);
}

void MainWindow::connectView() {
    connect(m_actions.zoomIn, &QAction::triggered, this, [this] { m_view->canvas().zoomBy(1.25); });
    connect(m_actions.zoomOut, &QAction::triggered, this, [this] { m_view->canvas().zoomBy(0.8); });
    connect(m_actions.actualSize, &QAction::triggered, this, [this] { m_view->canvas().setZoom(1); });
    connect(m_actions.expandAll, &QAction::triggered, this, [this] { m_workspace->selection().expandAll(); });
    connect(m_actions.collapseAll, &QAction::triggered, this,
            [this] { m_workspace->selection().collapseAll(); });
    connect(m_actions.toggleScope, &QAction::triggered, this,
            [this] { m_workspace->selection().toggleScope(); });
    connect(m_actions.weights, &QAction::toggled, this,
            [this](bool shows) { m_workspace->selection().setShowsWeights(shows); });
    connect(m_actions.foldLong, &QAction::toggled, this,
            [this](bool folds) { m_workspace->selection().setFoldsLong(folds); });
    m_actions.edgeShapes->setChecked(true);
    connect(m_actions.edgeShapes, &QAction::toggled, this,
            [this](bool shows) { m_view->canvas().setEdgeLabels(shows); });
    const std::pair<QAction*, Theme::Choice> themes[] = {{m_actions.themeSystem, Theme::Choice::System},
                                                         {m_actions.themeLight, Theme::Choice::Light},
                                                         {m_actions.themeDark, Theme::Choice::Dark}};
    for (const auto& [action, choice] : themes) {
        action->setChecked(m_theme.choice() == choice);
        connect(action, &QAction::triggered, this, [this, choice = choice] {
            m_theme.choose(choice);
            Settings::setTheme(static_cast<int>(choice));
        });
    }
    connect(m_actions.resetLayout, &QAction::triggered, this, [this] { m_docks.reset(); });
    connect(m_actions.keys, &QAction::triggered, this, &MainWindow::showKeys);
    connect(m_actions.about, &QAction::triggered, this, [this] {
        QMessageBox::about(
            this, "About fxscope",
            "<b>fxscope " + QApplication::applicationVersion() +
                "</b><p>See PyTorch FX graphs, step through them, change them, export them.</p>"
                "<p>Free software under the GNU General Public License, version 3 or later.</p>");
    });
}

} // namespace fx
