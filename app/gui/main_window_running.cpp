// SPDX-License-Identifier: GPL-3.0-or-later
// Running the model from the window: what it is run on, what it may do, and the actions that steer it.
#include "app/gui/main_window.h"
#include "app/gui/status_line.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/interpret/outside_calls.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/panes/inputs_dialog.h"
#include "widgets/panes/tensor_pane.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QInputDialog>
#include <QMessageBox>

namespace fx {

void MainWindow::editInputs(bool isBeforeRun) {
    InputsDialog dialog(m_workspace->snapshot().opened, m_workspace->debug(), m_theme.fixedFont(), this);
    if (isBeforeRun)
        dialog.beforeRun();
    dialog.setDevices(devices());
    connect(&m_service, &OpenService::devicesListed, &dialog, [&] { dialog.setDevices(devices()); });
    if (dialog.exec() == QDialog::Accepted)
        m_workspace->debug().inputs().set(dialog.memory());
}

bool MainWindow::mayRun() {
    DebugService& debug = m_workspace->debug();
    const auto isReady = [&] {
        return debug.state() == DebugService::State::Paused || debug.inputs().areGiven();
    };
    if (!isReady())
        editInputs(true);
    return isReady() && askAboutOutside();
}

bool MainWindow::askAboutOutside() {
    DebugService& debug = m_workspace->debug();
    if (debug.state() == DebugService::State::Paused || debug.inputs().memory().isOutsideAllowed)
        return true;
    const Model& model = m_workspace->document().model();
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
                    QMessageBox::Cancel, this);
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

bool MainWindow::stepAtCollapsedScope(Resume::Mode mode) {
    DebugService& debug = m_workspace->debug();
    const NodeRef at = debug.run().state().at();
    const std::shared_ptr<const Picture> picture = m_workspace->layout().picture();
    const int box = at.node && picture && picture->module == at.module ? picture->diagram.boxOf(at.node) : -1;
    if (box < 0 || picture->diagram.boxes[static_cast<size_t>(box)].kind != DiagramBox::Kind::CollapsedScope)
        return false;
    if (mode == Resume::Mode::Step) {
        m_workspace->selection().setExpanded(utf8(picture->scopePaths[static_cast<size_t>(box)]), true);
        return true;
    }
    if (mode != Resume::Mode::Next)
        return false;
    const Graph& graph = m_workspace->document().model().graph(at.module);
    NodeId behind = at.node;
    while (behind && (graph.node(behind).isErased || picture->diagram.boxOf(behind) == box ||
                      picture->diagram.boxOf(behind) < 0))
        behind = graph.node(behind).next;
    if (behind)
        debug.resume(Resume::Mode::Until, {at.module, behind});
    return bool(behind);
}

void MainWindow::connectDebug() {
    using Mode = Resume::Mode;
    const std::pair<QAction*, Mode> modes[] = {{m_actions.run, Mode::Continue},
                                               {m_actions.step, Mode::Next},
                                               {m_actions.into, Mode::Step},
                                               {m_actions.out, Mode::Out},
                                               {m_actions.nextScope, Mode::NextScope}};
    for (const auto& [action, mode] : modes)
        connect(action, &QAction::triggered, this, [this, mode = mode] {
            if (mayRun() && !stepAtCollapsedScope(mode))
                m_workspace->debug().resume(mode);
        });
    for (const auto& [action, isToStop] :
         {std::pair(m_actions.stepBack, false), std::pair(m_actions.runBack, true)})
        connect(action, &QAction::triggered, this,
                [this, isToStop = isToStop] { m_workspace->debug().console().goBack(isToStop); });
    connect(m_actions.runTo, &QAction::triggered, this, [this] {
        if (const NodeRef node = m_workspace->selection().current(); node.node && mayRun())
            m_workspace->debug().runTo(node);
    });
    connect(m_actions.restartHere, &QAction::triggered, this, [this] {
        if (const NodeRef node = m_workspace->selection().current(); node.node && mayRun())
            m_workspace->debug().restartFrom(node);
    });
    connect(m_actions.runAll, &QAction::triggered, this, [this] {
        if (mayRun())
            m_workspace->debug().start(false);
    });
    connect(m_actions.runGradients, &QAction::triggered, this, [this] {
        if (mayRun())
            m_workspace->debug().startWithGradients();
    });
    connect(m_actions.pause, &QAction::triggered, this, [this] { m_workspace->debug().pause(); });
    connect(m_actions.stop, &QAction::triggered, this, [this] { m_workspace->debug().stop(); });
    connect(m_actions.breakpoint, &QAction::triggered, this, [this] {
        for (NodeId node : m_workspace->selection().nodes())
            m_workspace->debug().breakpoints().toggle({m_workspace->selection().graph(), node});
    });
    connect(m_actions.nonFinite, &QAction::triggered, this,
            [this] { m_workspace->debug().breakpoints().toggleNonFinite(); });
    connect(m_actions.watch, &QAction::triggered, this, [this] {
        for (NodeId node : m_workspace->selection().nodes())
            m_workspace->watches().add(
                qt(m_workspace->document().model().graph(m_workspace->selection().graph()).node(node).name));
        m_docks.dock(Docks::Watches).show();
        m_docks.dock(Docks::Watches).raise();
    });
    connect(m_actions.setValue, &QAction::triggered, this, [this] {
        m_docks.show(Docks::Tensor);
        m_view->tensor().editValue();
    });
    connect(m_actions.origin, &QAction::triggered, this,
            [this] { m_workspace->debug().values().findOrigin(nonFiniteNode()); });
    connect(m_status, &StatusLine::nodeWanted, this, [this](NodeRef node) { m_view->goTo(node); });
    connect(m_actions.trait, &QAction::triggered, this, [this] {
        const QStringList traits{"zero", "> 1e4", "nan", "inf"};
        bool isAsked = false;
        const QString trait = QInputDialog::getItem(
            this, "Where it comes from", "All zero, or elements above a limit:", traits, 0, true, &isAsked);
        if (isAsked)
            m_workspace->debug().values().findOrigin(m_workspace->selection().current(), trait.trimmed());
    });
    connect(m_actions.difference, &QAction::triggered, this, [this] {
        DebugService& debug = m_workspace->debug();
        const QString title = "A run that was saved";
        const QString path =
            debug.place().host()
                ? QInputDialog::getText(this, title, "File on " + qt(oneLine(debug.place().host()->name())))
                : QFileDialog::getOpenFileName(this, title, {}, "Runs (*.pt)");
        if (!path.isEmpty())
            debug.values().findOrigin(m_workspace->selection().current(), {}, path);
    });
    connect(m_actions.inputs, &QAction::triggered, this, [this] { editInputs(); });
}

NodeRef MainWindow::nonFiniteNode() const {
    const DebugService& debug = m_workspace->debug();
    const NodeRef selected = m_workspace->selection().current();
    if (!selected.node && debug.run().nonFinite() && !debug.run().isOutdated())
        return {m_workspace->document().model().root(), m_workspace->document().model().graph().outputNode()};
    const NodeRecord* record = debug.run().values().record(selected);
    return record && !record->health.isFinite() ? selected : NodeRef();
}

} // namespace fx
