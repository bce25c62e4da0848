// SPDX-License-Identifier: GPL-3.0-or-later
// What holds the model against others: the compare window, runs that are kept, the search for the change that
// made results differ.
#include "app/gui/main_window.h"
#include "core/base/text.h"
#include "widgets/panes/changes_pane.h"
#include "widgets/panes/compare_window.h"
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
    connect(&m_service, &OpenService::referenceKept, this,
            [this](const QString& path, const QStringList& left) {
                QString text = "Kept the run in " + QFileInfo(path).fileName();
                if (!left.isEmpty())
                    text += QString(", but for %1, which such a file cannot hold").arg(left.join(", "));
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

void MainWindow::compare(const ComparePoint& first, int steps) {
    // It goes with the model that it is about.
    auto* window = m_view->findChild<CompareWindow*>();
    if (!window) {
        const auto open = [this](const std::string& path, Progress& progress) {
            return m_service.openBeside(path, progress);
        };
        auto* service = new CompareService(m_workspace->document(), m_workspace->debug(), open);
        window =
            new CompareWindow(m_workspace->document(), m_workspace->selection(), *service, m_theme, m_view);
        service->setParent(window);
    }
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
    m_service.keepReference(m_workspace->snapshot(), path, m_workspace->debug().requestHere());
}

} // namespace fx
