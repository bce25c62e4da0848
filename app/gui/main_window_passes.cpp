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

namespace fx {

void MainWindow::connectPasses() {
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
