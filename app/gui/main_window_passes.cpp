// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of the window. Most need nothing of their own: a dialog of their options, if they have any, and
// the service.
#include "app/gui/main_window.h"
#include "core/base/text.h"
#include "core/export/constructors.h"
#include "core/passes/registry.h"
#include "core/plugins/pass_folders.h"
#include "core/rewrite/waiting_calls.h"
#include "core/session/pass_job.h"
#include "core/torch/bind/call.h"
#include "widgets/panes/console_pane.h"
#include "widgets/panes/pass_dialog.h"
#include "widgets/panes/pass_editor_pane.h"
#include "widgets/panes/tensor_pane.h"
#include "widgets/panes/toast.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>

#include <algorithm>

namespace fx {

void MainWindow::connectPasses() {
    m_actions.verifyPasses->setChecked(true);
    connect(m_actions.verify, &QAction::triggered, this, &MainWindow::verifyLast);
    connect(m_actions.passFromFile, &QAction::triggered, this, &MainWindow::passFromFile);
    connect(m_actions.replaceLike, &QAction::triggered, this, &MainWindow::replaceLike);
    connect(m_actions.saveRecipe, &QAction::triggered, this, &MainWindow::saveRecipe);
    connect(m_actions.applyRecipe, &QAction::triggered, this, &MainWindow::applyRecipe);
    connect(m_actions.editPass, &QAction::triggered, this, [this] {
        m_docks.show(Docks::PassEditor);
        m_view->passEditor().setFocus();
    });
    connect(m_actions.passMenu, &QMenu::aboutToShow, this, &MainWindow::fillPassMenu);
    // These show more than a pass can say: the matches while one types, and all faults.
    const std::pair<std::string_view, void (MainWindow::*)()> special[] = {
        {"replace", &MainWindow::replaceByPattern},
        {"insert", &MainWindow::insertAtSelection},
        {"lint", &MainWindow::showFaults}};
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

void MainWindow::fillPassMenu() {
    const char* const kOfFile = "passes of a file";
    QMenu& menu = *m_actions.passMenu;
    QMenu& more = *m_actions.morePasses;
    for (QMenu* each : {&menu, &more})
        for (QMenu* old : each->findChildren<QMenu*>(kOfFile, Qt::FindDirectChildrenOnly)) {
            each->removeAction(old->menuAction());
            old->deleteLater();
        }
    for (const PassFile& file : passFiles()) {
        if (file.passes.empty() && file.fault.empty())
            continue;
        QMenu& parent = file.isUsers ? menu : more;
        auto* of = new QMenu(qt(file.name), &parent);
        of->setObjectName(kOfFile);
        of->setToolTipsVisible(true);
        parent.insertMenu(file.isUsers ? more.menuAction() : nullptr, of);
        if (!file.fault.empty()) {
            of->addAction(qt(file.fault).section('\n', 0, 0))->setEnabled(false);
            if (!m_toldPassFaults.contains(qt(file.fault)))
                m_view->toast().tell(qt(file.fault), true);
            m_toldPassFaults.insert(qt(file.fault));
        }
        for (const ListedPass& pass : file.passes) {
            QAction* action = of->addAction(qt(pass.name) + (pass.takesOptions ? "…" : ""));
            action->setToolTip("<qt>" + qt(pass.documentation).toHtmlEscaped().replace('\n', "<br>") +
                               "</qt>");
            action->setStatusTip(qt(pass.summary()));
            action->setEnabled(m_workspace != nullptr);
            connect(action, &QAction::triggered, this,
                    [this, path = qt(file.path), name = qt(pass.name)] { runPassOf(path, name); });
        }
    }
    more.menuAction()->setVisible(!more.isEmpty());
}

void MainWindow::runPassOf(const QString& path, const QString& name) {
    if (name.isEmpty())
        m_passFolder = QFileInfo(path).absolutePath();
    Job<std::vector<Pass>> job;
    job.title = "Reading " + QFileInfo(path).fileName();
    job.work = [this, file = utf8(path)](JobRun<std::vector<Pass>>& run) {
        return m_service.passesIn(file, run);
    };
    job.done = [this, name, id = frontId()](const std::vector<Pass>& found) {
        const auto named = std::find_if(found.begin(), found.end(),
                                        [&](const Pass& pass) { return qt(pass.title) == name; });
        m_afterDialogs.add([this, id, wanted = named == found.end() ? found : std::vector<Pass>{*named}] {
            const std::optional<int> tab = tabWithId(id);
            if (!tab || !workspaceOf(*tab))
                return;
            m_tabBar->setCurrentIndex(*tab); // one sees what one is asked about
            choosePass(wanted);
        });
    };
    job.failed = [this, id = frontId()](const Error& why) {
        if (const std::optional<int> tab = tabWithId(id); tab && viewOf(*tab))
            tellPassFault(*viewOf(*tab), qt(why.what()));
    };
    m_passReader.start(*this, std::move(job));
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
    runPass(found[chosen]);
}

void MainWindow::followPasses() {
    // What goes on in a tab that is not in front stays there.
    Workspace* workspace = m_workspace.get();
    WorkspaceView* view = m_view;
    PassService& passes = workspace->passes();
    connect(&passes, &PassService::done, view, [workspace, view](const QString& text) {
        constexpr int kShown = 5; // lines, beside which the graph is still seen
        const auto more = text.count('\n') + 1 - kShown;
        if (more > 1)
            workspace->debug().tell(text + '\n', ConsoleStyle::Plain);
        view->toast().tell(more > 1 ? text.section('\n', 0, kShown - 1) +
                                          QString("\nand %1 more lines, in the console").arg(more)
                                    : text,
                           false);
    });
    connect(&passes, &PassService::failed, view,
            [this, view](const QString& reason) { tellPassFault(*view, reason); });
    connect(&passes, &PassService::printed, view,
            [workspace](const QString& text) { workspace->debug().tell(text, ConsoleStyle::Plain); });
    connect(&passes, &PassService::finished, view, [this, workspace](const RecipeStep& step) {
        if (step.pass == "quantize" && workspace == m_workspace.get())
            m_docks.show(Docks::Quantization);
    });
    connect(&passes, &PassService::edited, view, [this, workspace] { verifyAfterPass(*workspace); });
    connect(&workspace->verify(), &VerifyService::changed, view, [this, workspace] {
        const std::optional<VerifyAnswer>& card = workspace->verify().card();
        // Of integers a difference is no news, and their own pane says where it is made.
        const bool isOfIntegers = workspace->verify().title() == qt(findPass("quantize").title);
        if (card && card->state >= VerifyAnswer::State::Different && !isOfIntegers &&
            workspace == m_workspace.get())
            m_docks.show(Docks::Verify);
    });
    connect(&view->tensor(), &TensorPane::tensorEdited, view,
            [workspace](const QString& path, const QString& expression) {
                workspace->passes().run(findPass("set-tensor"),
                                        {{"tensor", utf8(path)}, {"value", utf8(expression)}},
                                        workspace->document().model().root());
            });
    PassEditorPane& editor = m_view->passEditor();
    connect(&m_view->console(), &ConsolePane::placeWanted, m_view, [this](const QString& path, int line) {
        m_docks.show(Docks::PassEditor);
        m_view->passEditor().showPlace(path, line);
    });
    connect(&editor, &PassEditorPane::runWanted, m_view, [this](const QString& path) { runPassOf(path); });
    connect(&editor, &PassEditorPane::failed, m_view,
            [this](const QString& reason) { m_view->toast().tell(reason, true); });
}

/// An error of the file that is in the editor is shown at its line there.
void MainWindow::tellPassFault(WorkspaceView& view, const QString& reason) {
    view.toast().tell(reason, true);
    PassEditorPane& editor = view.passEditor();
    if (reason.startsWith(editor.path() + ':'))
        editor.showFault(reason);
}

/// What a pass would do, on a copy of the model; null of those that may take long.
PassDialog::Trial MainWindow::trialOf(const Pass& pass, ModuleId graph) {
    if (pass.runsCode && !pass.isQuick)
        return {};
    return [model = m_workspace->snapshot(), name = pass.name, graph, isApart = pass.runsCode,
            run = m_workspace->debug().inputs().requestHere()](const PassDialog::Options& options,
                                                               Progress& progress) {
        std::string out;
        guarded([&] {
            const PassRequest request{name, options, graph, run};
            const PassAnswer answer = isApart ? model.ask(kPassService, request, progress)
                                              : applyToCopy(*model.opened, request, progress);
            if (!answer.fault.empty())
                throw Error("", answer.fault);
            constexpr size_t kMostLines = 6;
            for (size_t i = 0; i < std::min(answer.lines.size(), kMostLines); ++i)
                out += answer.lines[i] + '\n';
            out += answer.text;
        });
        return out;
    };
}

/// The scope that is selected, or the module that the selected node calls, as it is.
void MainWindow::suggestModule(const Pass& pass, PassDialog& dialog) {
    const QString& scope = m_workspace->selection().scope();
    if (pass.name == "ungroup")
        dialog.suggest("scope", scope);
    if (pass.name == "rename-scope") {
        dialog.suggest("scope", scope.section('@', 0, 0));
        dialog.suggest("name", scope.section('@', 0, 0).section('.', -1));
        dialog.focusOn(scope.isEmpty() ? "scope" : "name");
        return;
    }
    const NodeRef at = m_workspace->selection().current();
    if (pass.name != "change-module" || !at.node)
        return;
    const Model& model = m_workspace->document().model();
    const Node& node = model.graph(at.module).node(at.node);
    if (node.opcode != Opcode::CallModule)
        return;
    dialog.suggest("module", wholeQt(node.target.name()));
    if (const ModuleId module = model.resolve(at.module, node.target.name()).module)
        dialog.suggest("call", wholeQt(constructorText(model, module).value_or("")));
}

void MainWindow::runPass(const Pass& pass) {
    const ModuleId graph = m_workspace->selection().graph();
    if (pass.options.empty()) {
        m_workspace->passes().run(pass, {}, graph);
        return;
    }
    PassDialog dialog(pass, m_workspace->document().model(), graph, trialOf(pass, graph), m_theme.fixedFont(),
                      this);
    QStringList names;
    for (const NodeId node : m_workspace->selection().nodes())
        names << wholeQt(m_workspace->document().model().graph(graph).node(node).name);
    dialog.suggestNodes(names);
    suggestModule(pass, dialog);
    if (dialog.exec() != QDialog::Accepted)
        return;
    if (pass.name == "extract")
        selectWhatComes(graph, true);
    if (pass.name == "move-to-part")
        m_actions.colourPart->trigger();
    m_workspace->passes().run(pass, dialog.options(), graph);
}

void MainWindow::replaceByPattern() {
    openReplace({});
}

void MainWindow::verifyLast() {
    m_docks.show(Docks::Verify);
    m_workspace->verify().verifyLast();
}

/// Where it goes without asking; what is not as it was comes to the front. That a call without its wires
/// fails is no news.
void MainWindow::verifyAfterPass(Workspace& workspace) {
    if (m_actions.verifyPasses->isChecked() && workspace.debug().inputs().areGiven() &&
        waitingCalls(workspace.document().model(), workspace.selection().graph()).empty())
        workspace.verify().verifyLast();
}

void MainWindow::showFaults() {
    m_docks.show(Docks::Problems);
    const size_t count = m_workspace->document().faults(m_workspace->selection().graph()).size();
    m_view->toast().tell(count ? qt(plural(count, "fault")) + ", listed under Problems"
                               : "The graph is well formed.",
                         count > 0);
}

} // namespace fx
