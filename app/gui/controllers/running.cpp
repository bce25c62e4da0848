// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/running.h"

#include "app/gui/controllers/files.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/interpret/outside_calls.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/panes/inputs_dialog.h"
#include "widgets/panes/tensor_pane.h"
#include "widgets/session/run_text.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QInputDialog>
#include <QMessageBox>
#include <QPointer>

namespace fx::ui {

RunningController::RunningController(const WindowContext& context, FilesController& files)
    : m_context(context), m_files(files) {
    addRuns();
    addBreakpoints();
    addSteps();
    addValues();
    connect(&context.tabs, &Tabs::opened, this, &RunningController::follow);
}

void RunningController::follow() {
    WorkspaceView* view = &m_context.view();
    connect(
        &m_context.debug(), &DebugService::stateChanged, view,
        [this, view] {
            if (view == m_context.tabs.view())
                offerLibrary();
        },
        Qt::QueuedConnection);
    // Its page may be going.
    connect(&view->tensor(), &TensorPane::subjectChanged, view, [this, view] {
        if (view == m_context.tabs.view())
            m_context.actions.refresh();
    });
}

void RunningController::addRuns() {
    const auto isNotRunning = [this] { return m_context.debug().state() != DebugService::State::Running; };
    m_context.actions.add(MenuPlace::DebugRun, {"run", "Run", "F5", "continue", "Run to the next breakpoint"},
                          [this] { resume(Resume::Mode::Continue); },
                          {.isEnabled = isNotRunning, .label = [this]() -> QString {
                               return m_context.debug().state() == DebugService::State::Paused ? "Continue"
                                                                                               : "Run";
                           }});
    m_context.actions.add(
        MenuPlace::DebugRun,
        {"runAll", "Run all anew", "Ctrl+F5", "", "Run from the start, also what no edit has changed"},
        [this] {
            if (mayRun())
                m_context.debug().start(false);
        },
        {.isEnabled = isNotRunning});
    m_context.actions.add(
        MenuPlace::DebugRun,
        {"runGradients", "Run with gradients", "Ctrl+Shift+F5", "",
         "Run from the start, and find the gradient of a loss for each value and parameter. Inputs "
         "and run "
         "options say which loss; else it is the sum of the first floating-point output"},
        [this] {
            if (mayRun())
                m_context.debug().startWithGradients();
        },
        {.isEnabled = isNotRunning});
    m_context.actions.add(MenuPlace::DebugRun, {"pause", "Pause", "F6", "pause", "Stop before the next node"},
                          [this] { m_context.debug().pause(); }, {.isEnabled = [this] {
                              return m_context.debug().state() == DebugService::State::Running;
                          }});
    m_context.actions.add(MenuPlace::DebugRun,
                          {"stop", "Stop", "Shift+F5", "stop",
                           "End the run after the node that is at work; again: end that, too"},
                          [this] { m_context.debug().stop(); }, {.isEnabled = [this] {
                              const DebugService::State state = m_context.debug().state();
                              return state == DebugService::State::Running ||
                                     state == DebugService::State::Paused;
                          }});
}

void RunningController::addSteps() {
    const auto isPaused = [this] { return m_context.debug().state() == DebugService::State::Paused; };
    const auto isNotRunning = [this] { return m_context.debug().state() != DebugService::State::Running; };
    const auto mayStep = [this, isNotRunning] {
        return isNotRunning() || m_context.debug().run().state().isStepping;
    };
    const auto hasNode = [this] { return m_context.hasNode(); };
    m_context.actions.add(
        MenuPlace::DebugStep,
        {"step", "Step", "F10", "step", "Run one node of this graph, or one scope that is closed"},
        [this] { resume(Resume::Mode::Next); }, {.isEnabled = mayStep});
    m_context.actions.add(MenuPlace::DebugStep,
                          {"stepBack", "Step back", "Shift+F10", "step-back",
                           "Go back by one node of this graph, or by one scope that is closed"},
                          [this] { stepBack(); }, {.isEnabled = isPaused});
    m_context.actions.add(MenuPlace::DebugStep,
                          {"runBack", "Run back", "Shift+F6", "",
                           "Go back to the last breakpoint, to where a watch has changed, or to the "
                           "first node of this graph"},
                          [this] { m_context.debug().console().goBack(true); }, {.isEnabled = isPaused});
    m_context.actions.add(MenuPlace::DebugStep,
                          {"into", "Into", "F11", "into",
                           "Step into a nested graph, such as a branch of cond, or into a closed scope"},
                          [this] { resume(Resume::Mode::Step); }, {.isEnabled = mayStep});
    m_context.actions.add(
        MenuPlace::DebugStep,
        {"out", "Out", "Shift+F11", "out", "Run until this nested graph or module scope is left"},
        [this] { resume(Resume::Mode::Out); }, {.isEnabled = isPaused});
    m_context.actions.add(
        MenuPlace::DebugStep,
        {"nextScope", "Next scope", "Ctrl+F11", "", "Run until another module scope begins"},
        [this] { resume(Resume::Mode::NextScope); }, {.isEnabled = isNotRunning});
    m_context.actions.add(MenuPlace::DebugStep,
                          {"runTo", "Run to node", "Ctrl+F10", "", "Run until the selected node is next"},
                          [this] {
                              if (const NodeRef node = m_context.selection().current(); node.node && mayRun())
                                  m_context.debug().runTo(node);
                          },
                          {.context = ContextPlace::Run, .isEnabled = hasNode});
    m_context.actions.add(MenuPlace::DebugStep,
                          {"restartHere", "Restart here", "Ctrl+Shift+F10", "",
                           "Run the selected node and what depends on it again, by the values that "
                           "are there, and stop before it"},
                          [this] {
                              if (const NodeRef node = m_context.selection().current(); node.node && mayRun())
                                  m_context.debug().restartFrom(node);
                          },
                          {.context = ContextPlace::Run, .isEnabled = hasNode});
}

void RunningController::addBreakpoints() {
    m_context.actions.add(
        MenuPlace::DebugBreakpoint,
        {"breakpoint", "Breakpoint", "F9", "breakpoint", "Stop before the selected node, or no longer"},
        [this] {
            const Selection& selection = m_context.selection();
            for (const NodeId node : selection.nodes())
                m_context.debug().breakpoints().toggle({selection.graph(), node});
        },
        {.context = ContextPlace::Run, .isEnabled = [this] { return m_context.hasNode(); }});
    m_context.actions.add(
        MenuPlace::DebugBreakpoint,
        {"nonFinite", "Stop at NaN or Inf", "", "", "Stop after any node whose value holds NaN or Inf"},
        [this] { m_context.debug().breakpoints().toggleNonFinite(); },
        {.isChecked = [this] { return m_context.debug().breakpoints().stopsAtNonFinite(); }});
}

void RunningController::addValues() {
    const auto isNotRunning = [this] { return m_context.debug().state() != DebugService::State::Running; };
    const auto hasValue = [this, isNotRunning] {
        return isNotRunning() && m_context.debug().run().values().record(m_context.selection().current());
    };
    m_context.actions.add(
        MenuPlace::DebugValue,
        {"watch", "Watch value", "Shift+F9", "", "Show the value of the selected node wherever a run stops"},
        [this] {
            const Selection& selection = m_context.selection();
            const Graph& graph = m_context.document().model().graph(selection.graph());
            for (const NodeId node : selection.nodes())
                m_context.workspace().watches().add(qt(graph.node(node).name));
            m_context.docks.dock(Docks::Watches).show();
            m_context.docks.dock(Docks::Watches).raise();
        },
        {.context = ContextPlace::Value, .isEnabled = [this] { return m_context.hasNode(); }});
    m_context.actions.add(MenuPlace::DebugValue,
                          {"setValue", "Set value…", "Shift+F2", "",
                           "Put what an expression gives in place of the selected node's value, for "
                           "the rest of this run; of a "
                           "weight of the model it needs no run"},
                          [this] {
                              m_context.docks.show(Docks::Tensor);
                              m_context.view().tensor().editValue();
                          },
                          {.context = ContextPlace::Value,
                           .isEnabled = [this] { return m_context.view().tensor().isSettable(); }});
    m_context.actions.add(
        MenuPlace::DebugValue,
        {"origin", "Where NaN or Inf comes from", "Ctrl+Shift+N", "",
         "Go to the node that first gave NaN or Inf, of those that the selected node's value comes from"},
        [this] { m_context.debug().values().findOrigin(nonFiniteNode()); },
        {.context = ContextPlace::Value,
         .isEnabled = [this, isNotRunning] { return isNotRunning() && nonFiniteNode().node; }});
    m_context.actions.add(MenuPlace::DebugValue,
                          {"trait", "Where zeros or large values come from…", "", "",
                           "Go to the node that first gave all zeros, or elements above a limit, of "
                           "those that the selected "
                           "node's value comes from"},
                          [this] { askForTrait(); }, {.context = ContextPlace::Value, .isEnabled = hasValue});
    m_context.actions.add(
        MenuPlace::DebugValue,
        {"difference", "Where it differs from a saved run…", "Ctrl+Alt+N", "",
         "Go to the first node that gave another value than the run that a file has, of those that the "
         "selected node's value comes from"},
        [this] { askForSavedRun(); }, {.context = ContextPlace::Value, .isEnabled = hasValue});
    m_context.actions.add(MenuPlace::DebugInputs,
                          {"inputs", "Inputs and run options…", "Ctrl+I", "inputs",
                           "What the model is run on: inputs, seed, device, gradients"},
                          [this] { editInputs(); });
}

void RunningController::askForTrait() {
    const QStringList traits{"zero", "> 1e4", "nan", "inf"};
    bool isAsked = false;
    const QString trait =
        QInputDialog::getItem(&m_context.window, "Where it comes from",
                              "All zero, or elements above a limit:", traits, 0, true, &isAsked);
    if (isAsked)
        m_context.debug().values().findOrigin(m_context.selection().current(), trait.trimmed());
}

void RunningController::askForSavedRun() {
    DebugService& debug = m_context.debug();
    const QString title = "A run that was saved";
    const QString path = debug.place().host()
                             ? QInputDialog::getText(&m_context.window, title,
                                                     "File on " + qt(oneLine(debug.place().host()->name())))
                             : QFileDialog::getOpenFileName(&m_context.window, title, {}, "Runs (*.pt)");
    if (!path.isEmpty())
        debug.values().findOrigin(m_context.selection().current(), {}, path);
}

void RunningController::editInputs(bool isBeforeRun) {
    InputsDialog dialog(m_context.workspace().snapshot(), m_context.debug(), m_context.theme.fixedFont(),
                        &m_context.window);
    if (isBeforeRun)
        dialog.beforeRun();
    dialog.setDevices(m_context.devices());
    connect(&m_context.service, &OpenService::devicesListed, &dialog,
            [&] { dialog.setDevices(m_context.devices()); });
    if (dialog.exec() == QDialog::Accepted)
        m_context.debug().inputs().set(dialog.memory());
}

bool RunningController::mayRun() {
    DebugService& debug = m_context.debug();
    const auto isReady = [&] {
        return debug.state() == DebugService::State::Paused || debug.inputs().areGiven();
    };
    if (!isReady())
        editInputs(true);
    return isReady() && askAboutOutside();
}

bool RunningController::askAboutOutside() {
    DebugService& debug = m_context.debug();
    if (debug.state() == DebugService::State::Paused || debug.inputs().memory().isOutsideAllowed)
        return true;
    const Model& model = m_context.document().model();
    const std::vector<OutsideCall> calls = outsideCalls(model);
    if (calls.empty())
        return true;
    constexpr size_t kMostShown = 8;
    QString lines;
    for (size_t i = 0; i < std::min(calls.size(), kMostShown); ++i) {
        const Node& node = model.graph(calls[i].graph).node(calls[i].node);
        lines += "\n" + qt(node.name + ": " + node.target.name());
        for (const std::string& text : calls[i].texts)
            lines += "  " + qt(pythonRepr(text));
    }
    if (calls.size() > kMostShown)
        lines += "\n… and " + QString::number(calls.size() - kMostShown) + " more";
    QMessageBox box(QMessageBox::Warning, "fxscope",
                    "This model reads or writes files, prints, or talks to other programs.",
                    QMessageBox::Cancel, &m_context.window);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(
        "Allow it only if you trust whoever made the model. Otherwise the run stops at such a node.\n" +
        shown(lines));
    const auto* allow = box.addButton("Allow", QMessageBox::AcceptRole);
    box.setDefaultButton(box.addButton("Run without", QMessageBox::NoRole));
    box.exec();
    if (box.clickedButton() == box.button(QMessageBox::Cancel))
        return false;
    DebugMemory memory = debug.inputs().memory();
    memory.isOutsideAllowed = box.clickedButton() == allow;
    debug.inputs().set(memory);
    return true;
}

NodeId RunningController::beginOfScopeBefore() const {
    const NodeRef at = m_context.debug().run().state().at();
    const std::shared_ptr<const Picture> picture = m_context.workspace().layout().picture();
    if (!at.node || !picture || picture->module != at.module)
        return {};
    const Graph& graph = m_context.document().model().graph(at.module);
    const auto shownBoxOf = [&](NodeId id) {
        const Node& node = graph.node(id);
        return node.isErased || node.opcode == Opcode::GetAttr ? -1 : picture->diagram.boxOf(id);
    };
    int before = -1; // the box of the call before it
    NodeId first;
    for (NodeId id = graph.node(at.node).previous; id; id = graph.node(id).previous) {
        const int box = shownBoxOf(id);
        if (box < 0)
            continue;
        if (before >= 0 && box != before)
            break;
        before = box;
        first = id;
    }
    const bool isClosed =
        before >= 0 && before != picture->diagram.boxOf(at.node) &&
        picture->diagram.boxes[static_cast<size_t>(before)].kind == DiagramBox::Kind::CollapsedScope;
    return isClosed ? first : NodeId();
}

/// Undoes a step over a closed scope by one step back.
void RunningController::stepBack() {
    const NodeRef at = m_context.debug().run().state().at();
    if (const NodeId first = beginOfScopeBefore())
        m_context.debug().console().jumpTo({at.module, first});
    else
        m_context.debug().console().goBack(false);
}

bool RunningController::stepAtCollapsedScope(Resume::Mode mode) {
    DebugService& debug = m_context.debug();
    const NodeRef at = debug.run().state().at();
    const std::shared_ptr<const Picture> picture = m_context.workspace().layout().picture();
    const int box = at.node && picture && picture->module == at.module ? picture->diagram.boxOf(at.node) : -1;
    if (box < 0 || picture->diagram.boxes[static_cast<size_t>(box)].kind != DiagramBox::Kind::CollapsedScope)
        return false;
    if (mode == Resume::Mode::Step) {
        m_context.selection().setExpanded(utf8(picture->scopePaths[static_cast<size_t>(box)]), true);
        return true;
    }
    if (mode != Resume::Mode::Next)
        return false;
    const Graph& graph = m_context.document().model().graph(at.module);
    NodeId behind = at.node;
    while (behind && (graph.node(behind).isErased || picture->diagram.boxOf(behind) == box ||
                      picture->diagram.boxOf(behind) < 0))
        behind = graph.node(behind).next;
    if (behind)
        debug.resume(Resume::Mode::Until, {at.module, behind});
    return bool(behind);
}

void RunningController::resume(Resume::Mode mode) {
    if (mayRun() && !stepAtCollapsedScope(mode))
        m_context.debug().resume(mode);
}

NodeRef RunningController::nonFiniteNode() const {
    const DebugService& debug = m_context.debug();
    const NodeRef selected = m_context.selection().current();
    if (!selected.node && debug.run().nonFinite() && !debug.run().isOutdated())
        return {m_context.document().model().root(), m_context.document().model().graph().outputNode()};
    const NodeRecord* record = debug.run().values().record(selected);
    return record && !record->health.isFinite() ? selected : NodeRef();
}

void RunningController::offerLibrary() {
    const DebugService& debug = m_context.debug();
    const Failed* failure = debug.run().state().failure();
    if (failure && failure->code == ErrorCode::NeedsLibrary)
        // A library of another machine is named among the inputs.
        m_files.tellFailure(
            "The run has ended", Error("", utf8(endText(debug.run().state()))).code(failure->code),
            debug.place().host() ? std::function<void()>()
                                 : [running = QPointer<Workspace>(m_context.tabs.workspace())] {
                                       if (running)
                                           running->debug().start(false);
                                   });
}

} // namespace fx::ui
