// SPDX-License-Identifier: GPL-3.0-or-later
// Building by hand: calls are put in, taken out, copied.
#include "app/gui/main_window.h"
#include "core/base/error.h"
#include "core/passes/registry.h"
#include "core/session/pass_job.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/graph_intents.h"
#include "widgets/panes/finder.h"
#include "widgets/panes/insert_dialog.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QMessageBox>
#include <QPushButton>
#include <QTabBar>

#include <algorithm>

namespace fx {

void MainWindow::connectBuilding() {
    const std::pair<QAction*, QString (*)(GraphDocument&, ModuleId, const std::vector<NodeId>&)> rows[] = {
        {m_actions.bypass, bypassNodes}, {m_actions.mute, muteNodes}, {m_actions.duplicate, duplicateNodes}};
    for (const auto& [action, intent] : rows)
        connect(action, &QAction::triggered, this, [this, intent = intent] {
            const Selection& selection = m_workspace->selection();
            if (!selection.nodes().empty())
                take(intent(m_workspace->document(), selection.graph(), selection.nodes()));
            refresh(); // a menu has put or taken a tick by itself
        });
    connect(m_actions.remove, &QAction::triggered, this, &MainWindow::removeSelected);
    connect(m_actions.connectNodes, &QAction::triggered, this, &MainWindow::connectSelected);
    connect(m_actions.swapInputs, &QAction::triggered, this,
            [this] { take(swapInputs(m_workspace->document(), m_workspace->selection().current())); });
    connect(m_actions.insertBefore, &QAction::triggered, this, &MainWindow::insertBeforeSelection);
    connect(m_actions.selectAll, &QAction::triggered, this, &MainWindow::selectAll);
}

void MainWindow::selectAll() {
    Selection& selection = m_workspace->selection();
    const std::unordered_set<NodeId> shown = selection.nodesOfPart();
    std::vector<NodeId> nodes;
    for (const Node& node : m_workspace->document().model().graph(selection.graph()))
        if (shown.empty() || shown.contains(node.id))
            nodes.push_back(node.id);
    selection.selectNodes(std::move(nodes));
}

void MainWindow::removeSelected() {
    GraphDocument& document = m_workspace->document();
    const ModuleId graph = m_workspace->selection().graph();
    const std::vector<NodeId> nodes = m_workspace->selection().nodes();
    if (nodes.empty())
        return;
    const Graph& all = document.model().graph(graph);
    const std::vector<NodeId> readers = readersOf(all, nodes);
    if (readers.empty())
        return take(deleteNodes(document, graph, nodes));
    const QString what =
        nodes.size() == 1 ? qt(all.node(nodes[0]).name) + " is" : QString("%1 nodes are").arg(nodes.size());
    QString who = qt(all.node(readers[0]).name);
    if (readers.size() > 1)
        who += QString(" and %1 more").arg(readers.size() - 1);
    QMessageBox box(QMessageBox::Question, "Delete", what + " read by " + who + '.', QMessageBox::Cancel,
                    this);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(
        "Bypass: they read instead what it reads first. Reconnect: they read what you choose. Or delete "
        "them, too, with all that depends on them.");
    auto* bypass = box.addButton("Bypass", QMessageBox::AcceptRole);
    const auto* reconnect = box.addButton("Reconnect to…", QMessageBox::ActionRole);
    const auto* with = box.addButton("Delete with readers", QMessageBox::DestructiveRole);
    box.setDefaultButton(bypass);
    box.exec();
    if (box.clickedButton() == bypass)
        take(bypassNodes(document, graph, nodes));
    else if (box.clickedButton() == reconnect)
        chooseInstead(graph, nodes);
    else if (box.clickedButton() == with)
        take(deleteWithReaders(document, graph, nodes));
}

void MainWindow::insertAtSelection() {
    const Selection& selection = m_workspace->selection();
    insertCall({selection.graph(), selection.currentNode(), {}});
}

void MainWindow::insertBeforeSelection() {
    const Selection& selection = m_workspace->selection();
    insertCall({.graph = selection.graph(), .producer = selection.currentNode(), .isBefore = true});
}

void MainWindow::insertCall(const InsertPlace& place) {
    std::vector<Callable> all = callables(m_workspace->document().model(), place.graph);
    // What was used last comes first.
    const QStringList recent = Settings::recentCalls();
    std::ranges::stable_sort(all, {}, [&](const Callable& each) {
        const qsizetype at = recent.indexOf(qt(each.text));
        return at < 0 ? recent.size() : at;
    });
    const std::shared_ptr<const OpenedModel> model = m_workspace->snapshot().opened;
    std::vector<FinderItem> items;
    for (const Callable& each : all) {
        items.push_back({qt(each.text), qt(each.about), {}, [this, place, each] { fillIn(place, each); }});
        items.back().more = [each, model, graph = place.graph] {
            return qt(signatureText(each, model->model, graph));
        };
    }
    m_finder->open("Insert a call: a function, an operator, a module…", std::move(items));
}

void MainWindow::fillIn(const InsertPlace& place, const Callable& callable) {
    const ModelSnapshot model = m_workspace->snapshot();
    const Pass& pass = findPass("insert");
    const auto attempt = [model, graph = place.graph, name = pass.name,
                          run = m_workspace->debug().inputs().requestHere()](
                             const InsertDialog::Options& options, Progress& progress) {
        const PassAnswer answer = model.ask(kPassService, {name, options, graph, run}, progress);
        if (!answer.fault.empty())
            throw Error("", answer.fault);
        return answer.lines.empty() ? std::string() : answer.lines.front();
    };
    // Beside the graph, in which nodes can be picked; it is of the graph as it is, and of this tab.
    auto* dialog = new InsertDialog(model.opened, place, callable, attempt, m_theme.fixedFont(), m_view);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    Selection& selection = m_workspace->selection();
    connect(&selection, &Selection::changed, dialog, [dialog, place, &selection, canvas = &m_view->canvas()] {
        if (canvas->isPicking() && selection.graph() == place.graph && selection.currentNode())
            dialog->takeNode(selection.currentNode());
    });
    connect(&m_workspace->document(), &GraphDocument::changed, dialog, &QDialog::reject);
    connect(m_tabBar, &QTabBar::currentChanged, dialog, &QDialog::reject);
    connect(dialog, &QDialog::accepted, this, [this, dialog, place, callable, &pass] {
        Settings::addRecentCall(qt(callable.text));
        selectWhatComes(place.graph, false);
        m_workspace->passes().run(pass, dialog->options(), place.graph);
    });
    dialog->show();
}

/// A node that the next pass makes is looked at, its last or its first; where none comes, nothing else is.
void MainWindow::selectWhatComes(ModuleId graph, bool isFirst) {
    auto* once = new QObject(m_view);
    connect(&m_workspace->passes(), &PassService::ended, once, &QObject::deleteLater);
    connect(&m_workspace->document(), &GraphDocument::changed, once,
            [graph, isFirst, workspace = m_workspace.get()](const Changes& changes) {
                NodeId found;
                for (const Change& change : changes) {
                    const auto* step = std::get_if<GraphChange>(&change.step);
                    const auto* created = step ? std::get_if<NodeCreated>(step) : nullptr;
                    if (created && change.module == graph && !(isFirst && found))
                        found = created->node;
                }
                if (found)
                    workspace->selection().select({graph, found});
            });
}

} // namespace fx
