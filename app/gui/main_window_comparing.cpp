// SPDX-License-Identifier: GPL-3.0-or-later
// What holds the model against others: the compare window, runs that are kept, the search for the change that
// made results differ.
#include "app/gui/main_window.h"
#include "core/base/text.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/panes/changes_pane.h"
#include "widgets/panes/compare_window.h"
#include "widgets/panes/compared_nodes.h"
#include "widgets/panes/toast.h"
#include "widgets/panes/verify_pane.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QFileInfo>

namespace fx {

void MainWindow::connectComparing() {
    connect(m_actions.compare, &QAction::triggered, this, [this] {
        const int steps = m_workspace->document().undoStack().index();
        compare({ComparePoint::Kind::State, std::max(0, steps - 1)}, steps);
    });
    connect(m_actions.bisect, &QAction::triggered, this, [this] { bisectSince(0); });
    connect(m_actions.keepReference, &QAction::triggered, this, &MainWindow::keepReference);
    connect(
        &m_service, &OpenService::referenceKept, this, [this](const QString& path, const QStringList& left) {
            QString text = "Kept the run in " + QFileInfo(path).fileName();
            if (!left.isEmpty())
                text += QString(", but for %1, which such a file cannot hold").arg(shown(left.join(", ")));
            if (m_view)
                m_view->toast().tell(text, false);
        });
}

void MainWindow::followComparing() {
    connect(&m_view->changes(), &ChangesPane::compareWanted, this, [this](int first, int second) {
        compare({ComparePoint::Kind::State, first}, second);
    });
    connect(&m_view->changes(), &ChangesPane::bisectWanted, this, &MainWindow::bisectSince);
    connect(&m_view->verify(), &VerifyPane::compareWanted, this, [this] { m_actions.compare->trigger(); });
}

/// It goes with the model that it is about.
CompareService& MainWindow::comparer() {
    if (auto* known = m_view->findChild<CompareService*>())
        return *known;
    const auto open = [this](const std::string& path, Progress& progress) {
        return m_service.openBeside(path, progress);
    };
    auto* service =
        new CompareService(m_workspace->document(), m_workspace->debug(), m_workspace->host(), open, m_view);
    WorkspaceView* view = m_view;
    connect(service, &CompareService::compared, view, [view](const Comparison& comparison) {
        if (comparison.state.isCurrent())
            view->canvas().setDifferences(differencesOf(comparison.answer.rows, &CompareRow::b));
    });
    connect(service, &CompareService::failed, view, [view](const QString& reason) {
        if (!view->findChild<CompareWindow*>()) // which tells it
            view->toast().tell(reason, true);
    });
    connect(&m_workspace->document(), &GraphDocument::changed, view,
            [view] { view->canvas().setDifferences({}); });
    return *service;
}

void MainWindow::askForDifferences() {
    const int steps = m_workspace->document().undoStack().index();
    if (m_view->canvas().states().hasDifferences())
        return;
    if (steps == 0) {
        m_view->toast().tell("The model is as it was opened: edit it, or compare it with another (" +
                                 m_actions.compare->shortcut().toString() + ").",
                             true);
        return;
    }
    if (m_view->findChild<CompareWindow*>()) {
        compare({}, steps);
        return;
    }
    m_view->toast().tell("Running it and the model as it was opened…", false);
    comparer().compare({{}, {ComparePoint::Kind::State, steps}, {}, {}});
}

void MainWindow::compare(const ComparePoint& first, int steps) {
    auto* window = m_view->findChild<CompareWindow*>();
    if (!window)
        window =
            new CompareWindow(m_workspace->document(), m_workspace->selection(), comparer(), m_theme, m_view);
    window->show();
    window->raise();
    window->activateWindow();
    window->compare(first, steps);
}

void MainWindow::bisectSince(int steps) {
    m_docks.show(Docks::Verify);
    m_workspace->verify().bisectSince(steps);
}

void MainWindow::keepReference() {
    const QFileInfo info(qt(m_workspace->document().opened().path));
    QString path =
        QFileDialog::getSaveFileName(this, "Save run as reference",
                                     info.dir().filePath(info.completeBaseName() + "-run.pt"), "Runs (*.pt)");
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += ".pt";
    m_service.keepReference(m_workspace->snapshot(), path, m_workspace->debug().inputs().requestHere());
}

} // namespace fx
