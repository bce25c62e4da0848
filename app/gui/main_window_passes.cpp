// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of the window. Most need nothing of their own: a dialog of their options, if they have any, and
// the service.
#include "app/gui/main_window.h"
#include "core/passes/registry.h"
#include "widgets/panes/pass_dialog.h"
#include "widgets/panes/replace_dialog.h"
#include "widgets/panes/toast.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>

namespace fx {

void MainWindow::connectPasses() {
    connect(m_actions.passFromFile, &QAction::triggered, this, &MainWindow::passFromFile);
    // These show more than a pass can say: the matches while one types, and all faults.
    const std::pair<std::string_view, void (MainWindow::*)()> special[] = {
        {"replace", &MainWindow::replaceByPattern}, {"lint", &MainWindow::showFaults}};
    for (const auto& [pass, action] : m_actions.passes) {
        void (MainWindow::*own)() = nullptr;
        for (const auto& [name, work] : special)
            if (pass->name == name)
                own = work;
        connect(action, &QAction::triggered, this, [this, pass = pass, own] {
            if (own)
                (this->*own)();
            else
                runPass(*pass);
        });
    }
}

void MainWindow::passFromFile() {
    const QString path = QFileDialog::getOpenFileName(this, "Run a pass from a file", m_passFolder,
                                                      "Python (*.py);;All files (*)");
    if (!path.isEmpty())
        runPassOf(path);
}

void MainWindow::runPassOf(const QString& path) {
    m_passFolder = QFileInfo(path).absolutePath();
    Job<std::vector<Pass>> job;
    job.title = "Reading " + QFileInfo(path).fileName();
    job.work = [this, file = utf8(path)](JobRun<std::vector<Pass>>& run) {
        return m_service.passesIn(file, run);
    };
    job.done = [this](const std::vector<Pass>& found) { choosePass(found); };
    job.failed = [this](const Error& why) { m_view->toast().tell(qt(why.what()), true); };
    m_passReader.startNewest(*this, std::move(job));
}

void MainWindow::choosePass(const std::vector<Pass>& found) {
    if (found.empty()) {
        m_view->toast().tell("The file has no pass: no function of a GraphModule or a Graph, and no class "
                             "derived from Transformer, Interpreter or PassBase.",
                             true);
        return;
    }
    size_t chosen = 0;
    if (found.size() > 1) {
        QStringList names;
        for (const Pass& pass : found)
            names << qt(pass.title + ": " + pass.summary);
        bool isChosen = false;
        const QString name = QInputDialog::getItem(this, "Run a pass from a file", "Which of its passes?",
                                                   names, 0, false, &isChosen);
        if (!isChosen)
            return;
        chosen = static_cast<size_t>(names.indexOf(name));
    }
    if (m_workspace)
        runPass(found[chosen]);
}

void MainWindow::followPasses() {
    PassService& passes = m_workspace->passes();
    connect(&passes, &PassService::done, m_view,
            [this](const QString& text) { m_view->toast().tell(text, false); });
    connect(&passes, &PassService::failed, m_view,
            [this](const QString& reason) { m_view->toast().tell(reason, true); });
}

void MainWindow::runPass(const Pass& pass) {
    const ModuleId graph = m_workspace->selection().graph();
    if (pass.options.empty()) {
        m_workspace->passes().run(pass, {}, graph);
        return;
    }
    PassDialog dialog(pass, m_workspace->document().model(), graph, m_theme.fixedFont(), this);
    QStringList names;
    for (const NodeId node : m_workspace->selection().nodes())
        names << qt(m_workspace->document().model().graph(graph).node(node).name);
    dialog.suggestNodes(names);
    if (dialog.exec() == QDialog::Accepted)
        m_workspace->passes().run(pass, dialog.options(), graph);
}

void MainWindow::replaceByPattern() {
    const auto trace = [this](const std::string& text, const std::string& place, Progress& progress) {
        return m_service.tracePattern(text, place, progress);
    };
    ReplaceDialog dialog(m_workspace->document(), m_workspace->selection(), trace, m_theme.fixedFont(), this);
    dialog.exec();
}

void MainWindow::showFaults() {
    m_docks.show(Docks::Problems);
    const size_t count = m_workspace->document().faults(m_workspace->selection().graph()).size();
    m_view->toast().tell(count ? QString("%1 faults, listed under Problems").arg(count)
                               : "The graph is well formed.",
                         count > 0);
}

} // namespace fx
