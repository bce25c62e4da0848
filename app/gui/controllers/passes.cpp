// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/passes.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/export/constructors.h"
#include "core/io/output_file.h"
#include "core/passes/registry.h"
#include "core/plugins/pass_folders.h"
#include "core/rewrite/pattern_text.h"
#include "core/rewrite/waiting_calls.h"
#include "core/session/pass_job.h"
#include "core/torch/bind/call.h"
#include "widgets/document/history.h"
#include "widgets/panes/console_pane.h"
#include "widgets/panes/pass_editor_pane.h"
#include "widgets/panes/replace_dialog.h"
#include "widgets/panes/tensor_pane.h"
#include "widgets/panes/toast.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace fx::ui {

namespace {

/// What the row of a pass does not say, as the window alone has keys and icons.
struct PassLook {
    std::string_view name;
    const char* key = "";
    const char* icon = "";
};
const PassLook kLooks[] = {
    {"replace", "Ctrl+R"},   {"insert", "Ins", "plus"},      {"dead-code", "Ctrl+Shift+D", "clean"},
    {"extract", "Ctrl+G"},   {"group", "Ctrl+Alt+G"},        {"merge-parts", "Ctrl+Shift+G"},
    {"change-module", "F4"}, {"move-to-part", "Ctrl+Alt+P"}, {"lint", "Ctrl+L", "check"}};

PassLook lookOf(const Pass& pass) {
    const auto* found = std::ranges::find(kLooks, pass.name, &PassLook::name);
    return found == std::end(kLooks) ? PassLook{pass.name} : *found;
}

/// The context menu of the canvas ends with these, in the order of the registry.
const char* const kOfContext[] = {"move-to-part", "group", "extract", "merge-parts", "change-module"};

} // namespace

PassesController::PassesController(const WindowContext& context) : m_context(context) {
    addPasses();
    addOthers();
    addChecks();
    // These show more than a pass can say: the matches while one types, and all faults.
    replaceDialog("replace", [this] { openReplace({}); });
    replaceDialog("lint", [this] { showFaults(); });
    connect(&context.tabs, &Tabs::opened, this, &PassesController::follow);
}

void PassesController::replaceDialog(const std::string& pass, std::function<void()> work) {
    m_instead[pass] = std::move(work);
}

void PassesController::addPasses() {
    for (const Pass& pass : passes()) {
        const PassLook look = lookOf(pass);
        QString tip = qt(pass.summary);
        tip[0] = tip[0].toUpper();
        const bool isInContext = std::ranges::count(kOfContext, pass.name) > 0;
        QAction* action =
            m_context.actions.add(MenuPlace::Passes,
                                  {"pass:" + pass.name, qt(pass.title) + (pass.options.empty() ? "" : "…"),
                                   look.key, look.icon, tip},
                                  [this, &pass] {
                                      const auto instead = m_instead.find(pass.name);
                                      if (instead == m_instead.end())
                                          run(pass);
                                      else
                                          instead->second();
                                  },
                                  {.context = isInContext ? ContextPlace::Pass : ContextPlace::None});
        action->setObjectName(qt(pass.name)); // the palette finds it by that, too
    }
}

void PassesController::addOthers() {
    m_context.actions.add(MenuPlace::Passes,
                          {"replaceLike", "Replace all like the selection…", "Ctrl+Alt+R", "",
                           "Make a pattern of the selected nodes, and replace where it is found"},
                          [this] { replaceLike(); }, {.context = ContextPlace::Mark, .isEnabled = [this] {
                                                          return m_context.hasNode();
                                                      }});
    m_context.actions.add(MenuPlace::PassesFile,
                          {"passFromFile", "From file…", "", "",
                           "Run a pass of your own, written for torch.fx, from a Python file"},
                          [this] { askForFile(); });
    m_context.actions.add(MenuPlace::PassesFile,
                          {"editPass", "Write a pass…", "Ctrl+Shift+M", "",
                           "Write a pass of your own beside the graph, and run it"},
                          [this] {
                              m_context.docks.show(Docks::PassEditor);
                              m_context.view().passEditor().setFocus();
                          });
    m_context.actions.add(
        MenuPlace::PassesRecipe,
        {"saveRecipe", "Save steps as recipe…", "", "",
         "Write all passes and edits of the history as a recipe, for other models and for fxscope apply"},
        [this] { saveRecipe(); },
        {.isEnabled = [this] { return m_context.document().undoStack().canUndo(); }});
    m_context.actions.add(
        MenuPlace::PassesRecipe,
        {"applyRecipe", "Apply recipe…", "", "", "Run the passes and edits of a recipe on this model"},
        [this] { applyRecipe(); });
}

void PassesController::addChecks() {
    m_context.actions.add(
        MenuPlace::DebugCheck,
        {"verify", "Verify the last change", "Ctrl+Shift+V", "",
         "Run the model as it was before the last change and as it is now, and tell what differs"},
        [this] { verifyLast(); },
        {.isEnabled = [this] { return m_context.document().undoStack().canUndo(); }});
    m_context.actions.add(MenuPlace::DebugCheck,
                          {"verifyPasses", "Verify after each pass", "", "",
                           "The same after each pass and replacement, where the model has inputs"},
                          [this] { m_verifiesEach = !m_verifiesEach; },
                          {.isChecked = [this] { return m_verifiesEach; }});
}

void PassesController::fillMenu() {
    QMenu& menu = m_context.actions.menu("Passes");
    QAction* const first = menu.actions().value(0);
    std::map<std::string, QMenu*> groups;
    const Pass* before = nullptr;
    for (const Pass& pass : passes()) {
        if (before && before->group.empty() != pass.group.empty())
            menu.insertSeparator(first);
        before = &pass;
        QMenu*& group = groups[pass.group];
        if (!pass.group.empty() && !group) {
            group = new QMenu(qt(pass.group), &menu);
            menu.insertMenu(first, group);
        }
        const auto put = [&](QAction* action) {
            if (group)
                group->addAction(action);
            else
                menu.insertAction(first, action);
        };
        put(m_context.actions.pass(pass.name));
        if (pass.name == "replace")
            put(m_context.actions["replaceLike"]); // which opens its dialog
    }
    menu.insertSeparator(first);
    m_more = new QMenu("More passes", &menu);
    menu.insertMenu(first, m_more);
    connect(&menu, &QMenu::aboutToShow, this, &PassesController::listFiles);
}

void PassesController::askForFile() {
    const QString path = QFileDialog::getOpenFileName(&m_context.window, "Run a pass from a file", m_folder,
                                                      "Python (*.py);;All files (*)");
    if (!path.isEmpty())
        runOf(path);
}

void PassesController::listFiles() {
    const char* const kOfFile = "passes of a file";
    QMenu& menu = m_context.actions.menu("Passes");
    QMenu& more = *m_more;
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
            if (m_context.tabs.view() && !m_toldFaults.contains(qt(file.fault))) {
                m_context.tell(qt(file.fault), true);
                m_toldFaults.insert(qt(file.fault));
            }
        }
        for (const ListedPass& pass : file.passes) {
            QAction* action = of->addAction(qt(pass.name) + (pass.takesOptions ? "…" : ""));
            action->setToolTip("<qt>" + qt(pass.documentation).toHtmlEscaped().replace('\n', "<br>") +
                               "</qt>");
            action->setStatusTip(qt(pass.summary()));
            action->setEnabled(m_context.tabs.workspace() != nullptr);
            connect(action, &QAction::triggered, this,
                    [this, path = qt(file.path), name = qt(pass.name)] { runOf(path, name); });
        }
    }
    more.menuAction()->setVisible(!more.isEmpty());
}

void PassesController::runOf(const QString& path, const QString& name) {
    if (name.isEmpty())
        m_folder = QFileInfo(path).absolutePath();
    Job<std::vector<Pass>> job;
    job.title = "Reading " + QFileInfo(path).fileName();
    job.work = [this, file = utf8(path)](JobRun<std::vector<Pass>>& run) {
        return m_context.service.passesIn(file, run);
    };
    job.done = [this, name, id = m_context.tabs.front().id](const std::vector<Pass>& found) {
        const auto named = std::find_if(found.begin(), found.end(),
                                        [&](const Pass& pass) { return qt(pass.title) == name; });
        m_context.afterDialogs.add(
            [this, id, wanted = named == found.end() ? found : std::vector<Pass>{*named}] {
                const std::optional<int> tab = m_context.tabs.withId(id);
                if (!tab || !m_context.tabs.at(*tab).workspace)
                    return;
                m_context.tabs.show(*tab); // one sees what one is asked about
                choose(wanted);
            });
    };
    job.failed = [this, id = m_context.tabs.front().id](const Error& why) {
        if (const std::optional<int> tab = m_context.tabs.withId(id); tab && m_context.tabs.at(*tab).view)
            tellFault(*m_context.tabs.at(*tab).view, faultText(why.what()));
    };
    m_reader.start(*this, std::move(job));
}

void PassesController::choose(const std::vector<Pass>& found) {
    if (found.empty()) {
        m_context.tell("The file has no pass: no function of a GraphModule or a Graph, and no class "
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
        const QString name = QInputDialog::getItem(&m_context.window, "Run a pass from a file",
                                                   "Which of its passes?", names, 0, false, &isChosen);
        if (!isChosen)
            return;
        chosen = static_cast<size_t>(names.indexOf(name));
    }
    run(found[chosen]);
}

void PassesController::run(const Pass& pass) {
    const ModuleId graph = m_context.selection().graph();
    if (pass.options.empty()) {
        m_context.workspace().passes().run(pass, {}, graph);
        return;
    }
    PassDialog dialog(pass, m_context.document().model(), graph, trialOf(pass, graph),
                      m_context.theme.fixedFont(), &m_context.window);
    QStringList names;
    for (const NodeId node : m_context.selection().nodes())
        names << wholeQt(m_context.document().model().graph(graph).node(node).name);
    dialog.suggestNodes(names);
    suggestModule(pass, dialog);
    if (dialog.exec() != QDialog::Accepted)
        return;
    if (pass.name == "extract")
        m_context.workspace().selectWhatComes(graph, true);
    if (pass.name == "move-to-part")
        m_context.actions["colourPart"]->trigger();
    m_context.workspace().passes().run(pass, dialog.options(), graph);
}

void PassesController::follow() {
    // What goes on in a tab that is not in front stays there.
    Workspace* workspace = m_context.tabs.workspace();
    WorkspaceView* view = m_context.tabs.view();
    PassService& passes = workspace->passes();
    connect(&passes, &PassService::done, view, [workspace, view](const QString& text) {
        if (text.contains('\n'))
            workspace->debug().tell(text + '\n', ConsoleStyle::Plain);
        view->toast().tell(text, false);
    });
    connect(&passes, &PassService::failed, view, [this, workspace, view](const QString& reason) {
        workspace->debug().tell(reason + '\n', ConsoleStyle::Fault);
        tellFault(*view, reason);
    });
    connect(&passes, &PassService::failureChanged, view, [&passes, view] {
        if (!passes.failure())
            view->toast().takeBackFailure();
    });
    connect(&passes, &PassService::printed, view,
            [workspace](const QString& text) { workspace->debug().tell(text, ConsoleStyle::Plain); });
    connect(&passes, &PassService::finished, view, [this, workspace](const RecipeStep& step) {
        if (step.pass == "quantize" && workspace == m_context.tabs.workspace())
            m_context.docks.show(Docks::Quantization);
    });
    connect(&passes, &PassService::edited, view, [this, workspace] { verifyAfterPass(*workspace); });
    connect(&view->tensor(), &TensorPane::tensorEdited, view,
            [workspace](const QString& path, const QString& expression) {
                workspace->passes().run(findPass("set-tensor"),
                                        {{"tensor", utf8(path)}, {"value", utf8(expression)}},
                                        workspace->document().model().root());
            });
    followVerify();
    followEditor();
}

void PassesController::followVerify() {
    Workspace* workspace = m_context.tabs.workspace();
    connect(&workspace->verify(), &VerifyService::changed, m_context.tabs.view(), [this, workspace] {
        const std::optional<VerifyAnswer>& card = workspace->verify().card();
        // Of integers a difference is no news, and their own pane says where it is made.
        const bool isOfIntegers = workspace->verify().title() == qt(findPass("quantize").title);
        if (card && card->state >= VerifyAnswer::State::Different && !isOfIntegers &&
            workspace == m_context.tabs.workspace())
            m_context.docks.show(Docks::Verify);
    });
}

void PassesController::followEditor() {
    WorkspaceView* view = m_context.tabs.view();
    PassEditorPane& editor = view->passEditor();
    connect(&view->console(), &ConsolePane::placeWanted, view, [this, view](const QString& path, int line) {
        m_context.docks.show(Docks::PassEditor);
        view->passEditor().showPlace(path, line);
    });
    connect(&editor, &PassEditorPane::runWanted, view, [this](const QString& path) { runOf(path); });
    connect(&editor, &PassEditorPane::failed, view,
            [view](const QString& reason) { view->toast().tell(reason, true); });
}

/// An error of the file that is in the editor is shown at its line there.
void PassesController::tellFault(WorkspaceView& view, const QString& reason) {
    view.toast().fail(reason);
    PassEditorPane& editor = view.passEditor();
    if (reason.startsWith(editor.path() + ':'))
        editor.showFault(reason);
}

/// What a pass would do, on a copy of the model; null of those that may take long.
PassDialog::Trial PassesController::trialOf(const Pass& pass, ModuleId graph) const {
    if (pass.runsCode && !pass.isQuick)
        return {};
    return [model = m_context.workspace().snapshot(), name = pass.name, graph, isApart = pass.runsCode,
            run = m_context.debug().inputs().requestHere()](const PassDialog::Options& options,
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
void PassesController::suggestModule(const Pass& pass, PassDialog& dialog) const {
    const ScopeTree& scopes = m_context.selection().scopes();
    QString scope = m_context.selection().scope();
    if (const int at = scope.isEmpty() ? 0 : scopes.find(utf8(scope)); at > 0 && scopes.scope(at).isGroup)
        scope.clear(); // no module
    if (pass.name == "ungroup")
        dialog.suggest("scope", scope);
    if (pass.name == "rename-scope") {
        dialog.suggest("scope", scope.section('@', 0, 0));
        dialog.suggest("name", scope.section('@', 0, 0).section('.', -1));
        dialog.focusOn(scope.isEmpty() ? "scope" : "name");
        return;
    }
    const NodeRef at = m_context.selection().current();
    if (pass.name != "change-module" || !at.node)
        return;
    const Model& model = m_context.document().model();
    const Node& node = model.graph(at.module).node(at.node);
    if (node.opcode != Opcode::CallModule)
        return;
    dialog.suggest("module", wholeQt(node.target.name()));
    if (const ModuleId module = model.resolve(at.module, node.target.name()).module)
        dialog.suggest("call", wholeQt(constructorText(model, module).value_or("")));
}

void PassesController::openReplace(const QString& pattern) {
    const auto trace = [this](const std::string& text, const std::string& place, Progress& progress) {
        return m_context.service.tracePattern(text, place, progress);
    };
    ReplaceDialog dialog(m_context.document(), m_context.selection(), trace, m_context.theme,
                         &m_context.window);
    if (!pattern.isEmpty())
        dialog.setPattern(pattern);
    const DocumentState before = m_context.document().state();
    dialog.exec();
    if (!(before == m_context.document().state()))
        verifyAfterPass(m_context.workspace());
}

void PassesController::replaceLike() {
    const Selection& selection = m_context.selection();
    try {
        openReplace(wholeQt(
            patternText(m_context.document().model(), selection.graph(), selection.allNodes(), "same")));
    } catch (const Error& error) {
        m_context.tell(faultText(error.what()), true);
    }
}

void PassesController::saveRecipe() {
    const QFileInfo info(qt(m_context.document().opened().path));
    QString path = QFileDialog::getSaveFileName(&m_context.window, "Save steps as recipe",
                                                info.dir().filePath(info.completeBaseName() + ".fxrecipe"),
                                                "Recipes (*.fxrecipe)");
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += ".fxrecipe";
    const GraphDocument& document = m_context.document();
    Job<size_t> job;
    job.title = "Writing " + QFileInfo(path).fileName();
    job.work = [model = document.model(), steps = stepsOf(m_context.document().undoStack()),
                file = utf8(path)](JobRun<size_t>&) {
        const std::vector<RecipeStep> recipe = recipeOf(model, steps);
        writeFile(file, recipeText(recipe));
        return recipe.size();
    };
    WorkspaceView* view = m_context.tabs.view();
    job.done = [view, path](size_t count) {
        view->toast().tell("Saved " + QFileInfo(path).fileName() + " with " + qt(plural(count, "step")),
                           false);
    };
    job.failed = [view](const Error& why) {
        view->toast().tell("Not saved: " + faultText(why.what()), true);
    };
    m_reader.startNewest(m_context.view(), std::move(job));
}

void PassesController::applyRecipe() {
    const QString path = QFileDialog::getOpenFileName(&m_context.window, "Apply recipe", m_folder,
                                                      "Recipes (*.fxrecipe);;All files (*)");
    if (path.isEmpty())
        return;
    try {
        const std::vector<RecipeStep> steps = readRecipe(utf8(path));
        if (!std::ranges::any_of(steps, startsPython) || askAboutPython())
            m_context.workspace().passes().runRecipe(steps);
    } catch (const Error& error) {
        m_context.tell(faultText(error.what()), true);
    }
}

/// Who chooses AOTInductor in the dialog of the pass has read that; who applies a recipe has not.
bool PassesController::askAboutPython() {
    QMessageBox box(QMessageBox::Question, "fxscope", "This recipe starts python3 with PyTorch.",
                    QMessageBox::Cancel, &m_context.window);
    box.setInformativeText("AOTInductor compiles the model in it, for this machine.");
    const auto* start = box.addButton("Start it", QMessageBox::AcceptRole);
    box.exec();
    return box.clickedButton() == start;
}

void PassesController::verifyLast() {
    m_context.docks.show(Docks::Verify);
    m_context.workspace().verify().verifyLast();
}

/// Where it goes without asking; what is not as it was comes to the front. That a call without its wires
/// fails is no news.
void PassesController::verifyAfterPass(Workspace& workspace) {
    if (m_verifiesEach && workspace.debug().inputs().areGiven() &&
        waitingCalls(workspace.document().model(), workspace.selection().graph()).empty())
        workspace.verify().verifyLast();
}

void PassesController::showFaults() {
    m_context.docks.show(Docks::Problems);
    const size_t count = m_context.document().faults(m_context.selection().graph()).size();
    m_context.tell(count ? qt(plural(count, "fault")) + ", listed under Problems"
                         : "The graph is well formed.",
                   count > 0);
}

} // namespace fx::ui
