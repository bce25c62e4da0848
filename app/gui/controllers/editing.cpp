// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/editing.h"

#include "app/gui/controllers/passes.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/fx_code.h"
#include "core/ir/dependents.h"
#include "core/layout/call_text.h"
#include "core/module/muted.h"
#include "core/passes/registry.h"
#include "core/session/pass_job.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/node_clipboard.h"
#include "widgets/panes/finder.h"
#include "widgets/panes/inspector_pane.h"
#include "widgets/panes/paste_dialog.h"
#include "widgets/panes/toast.h"
#include "widgets/session/settings.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <set>

namespace fx::ui {

namespace {

using Chosen = std::function<void(NodeId)>;

/// Those of the nodes, to be found by name or call.
std::vector<FinderItem> itemsOf(const Graph& graph, const std::vector<NodeId>& nodes, const Chosen& chosen) {
    std::vector<FinderItem> out;
    CallTexts calls;
    for (const NodeId id : nodes) {
        const Node& node = graph.node(id);
        QString detail = qt(calls.text(graph, node));
        if (const ValueMeta* value = knownValue(node.meta))
            detail += "   " + qt(valueMetaText(*value));
        out.push_back({qt(node.name), detail, qt(node.target.name()), [chosen, id] { chosen(id); }});
    }
    return out;
}

QString shapeText(const Node& node) {
    const ValueMeta* value = knownValue(node.meta);
    return value ? qt(valueMetaText(*value)) : QString();
}

} // namespace

EditingController::EditingController(const WindowContext& context, PassesController& passes)
    : m_context(context), m_passes(passes) {
    addHistory();
    addClipboard();
    addNodes();
    addWires();
    passes.replaceDialog("insert", [this] { insertAtSelection(); });
    connect(&context.tabs, &Tabs::opened, this, &EditingController::follow);
}

void EditingController::follow() {
    CanvasView& canvas = m_context.view().canvas();
    connect(&canvas, &CanvasView::connectWanted, this, &EditingController::connectNodes);
    connect(&canvas, &CanvasView::insertWanted, this, [this](NodeRef producer, NodeRef reader) {
        insertCall({m_context.selection().graph(), producer.node, reader.node});
    });
    connect(&canvas, &CanvasView::paletteWanted, this, &EditingController::insertAtSelection);
}

void EditingController::addHistory() {
    m_context.actions.add(
        MenuPlace::EditHistory, {"undo", "Undo", "Ctrl+Z", "undo", "Take the last edit back"},
        [this] { m_context.document().undoStack().undo(); },
        {.isEnabled = [this] { return m_context.document().undoStack().canUndo(); },
         .label = [this] { return ("Undo " + m_context.document().undoStack().undoText()).trimmed(); }});
    m_context.actions.add(
        MenuPlace::EditHistory, {"redo", "Redo", "Ctrl+Shift+Z; Ctrl+Y", "redo", "Do it again"},
        [this] { m_context.document().undoStack().redo(); },
        {.isEnabled = [this] { return m_context.document().undoStack().canRedo(); },
         .label = [this] { return ("Redo " + m_context.document().undoStack().redoText()).trimmed(); }});
}

void EditingController::addClipboard() {
    const auto hasNode = [this] { return m_context.hasNode(); };
    m_context.actions.add(MenuPlace::EditClipboard,
                          {"cut", "Cut", "Ctrl+X", "", "Copy the selected nodes, and delete them"},
                          [this] {
                              if (copySelected())
                                  removeSelected();
                          },
                          {.context = ContextPlace::Clipboard, .isOnCanvas = true, .isEnabled = hasNode});
    m_context.actions.add(MenuPlace::EditClipboard,
                          {"copy", "Copy", "Ctrl+C", "",
                           "Copy the selected nodes with the modules and weights that they name, for "
                           "this window or another"},
                          [this] { copySelected(); },
                          {.context = ContextPlace::Clipboard, .isOnCanvas = true, .isEnabled = [this] {
                               return m_context.hasSelection();
                           }});
    m_context.actions.add(MenuPlace::EditClipboard,
                          {"paste", "Paste", "Ctrl+V", "",
                           "Put the nodes that were copied, or lines of Python such as y = "
                           "torch.relu(x), behind the selected "
                           "node; what they read and is not here is asked for"},
                          [this] { paste(); }, {.context = ContextPlace::Clipboard, .isOnCanvas = true});
    m_context.actions.add(MenuPlace::EditClipboard,
                          {"selectAll", "Select all", "Ctrl+A", "", "Select all nodes that are shown"},
                          [this] { selectAll(); });
}

void EditingController::addNodes() {
    const auto hasNode = [this] { return m_context.hasNode(); };
    m_context.actions.add(
        MenuPlace::EditNode,
        {"insertBefore", "Insert a call before…", "Alt+Ins", "",
         "Find what is to be called between the selected node and what it reads first (Ins: behind it)"},
        [this] {
            const Selection& selection = m_context.selection();
            insertCall({.graph = selection.graph(), .producer = selection.currentNode(), .isBefore = true});
        },
        {.context = ContextPlace::Node, .isEnabled = hasNode});
    m_context.actions.add(
        MenuPlace::EditNode,
        {"rename", "Rename", "F2", "rename", "Give the selected node or scope another name"},
        [this] { rename(); },
        {.context = ContextPlace::Node, .isEnabled = [this] { return m_context.hasSelection(); }});
    m_context.actions.add(MenuPlace::EditNode,
                          {"remove", "Delete", "Del", "delete",
                           "Delete the selected nodes; where others read them, one is asked"},
                          [this] { removeSelected(); },
                          {.context = ContextPlace::Node, .isOnCanvas = true, .isEnabled = hasNode});
    m_context.actions.add(MenuPlace::EditNode,
                          {"bypass", "Bypass", "Ctrl+Del", "",
                           "Take the selected nodes out; who read one of them reads its first input"},
                          [this] { doToSelected(bypassNodes); },
                          {.context = ContextPlace::Node, .isEnabled = hasNode});
    m_context.actions.add(
        MenuPlace::EditNode,
        {"mute", "Mute", "M", "",
         "Leave the selected calls out without taking them away: who reads one gets "
         "its first input. Once "
         "more: they call again"},
        [this] { doToSelected(muteNodes); },
        {.context = ContextPlace::Node, .isOnCanvas = true, .isEnabled = hasNode, .isChecked = [this] {
             const NodeRef at = m_context.selection().current();
             return at.node && mutedCall(m_context.document().model().graph(at.module).node(at.node));
         }});
    m_context.actions.add(
        MenuPlace::EditNode,
        {"duplicate", "Duplicate", "Ctrl+D", "", "Copy the selected nodes, behind the last of them"},
        [this] { doToSelected(duplicateNodes); }, {.context = ContextPlace::Node, .isEnabled = hasNode});
}

void EditingController::addWires() {
    const auto hasNode = [this] { return m_context.hasNode(); };
    m_context.actions.add(
        MenuPlace::EditNode,
        {"swapInputs", "Swap inputs", "S", "", "Exchange the first two nodes that the selected node reads"},
        [this] { m_context.take(swapInputs(m_context.document(), m_context.selection().current())); },
        {.context = ContextPlace::Node, .isOnCanvas = true, .isEnabled = hasNode});
    m_context.actions.add(
        MenuPlace::EditNode,
        {"connectNodes", "Connect…", "W", "",
         "Let another node read the selected one; of two selected nodes, the second reads the first"},
        [this] { connectSelected(); },
        {.context = ContextPlace::Node, .isOnCanvas = true, .isEnabled = hasNode});
    m_context.actions.add(
        MenuPlace::EditNode,
        {"copyNames", "Copy name", "", "", "Copy the names of the selected nodes, a line each"},
        [this] {
            const Selection& selection = m_context.selection();
            const Graph& graph = m_context.document().model().graph(selection.graph());
            QStringList names;
            for (const NodeId node : selection.nodes())
                names << wholeQt(graph.node(node).name);
            QApplication::clipboard()->setText(names.join('\n'));
            m_context.tell("Copied " + shown(names.join(", ")) + '.');
        },
        {.context = ContextPlace::Node, .isEnabled = hasNode});
    m_context.actions.add(
        MenuPlace::EditNode,
        {"copyCode", "Copy as FX code", "Ctrl+Shift+C", "",
         "Copy Python that finds the selected nodes, and that builds the same calls in any graph"},
        [this] { copyCode(); }, {.context = ContextPlace::Node, .isEnabled = hasNode});
}

void EditingController::doToSelected(Intent intent) {
    const Selection& selection = m_context.selection();
    if (!selection.nodes().empty())
        m_context.take(intent(m_context.document(), selection.graph(), selection.nodes()));
}

void EditingController::rename() {
    if (!m_context.hasNode()) // a scope, then
        return m_passes.run(findPass("rename-scope"));
    m_context.docks.show(Docks::NodePane);
    m_context.view().inspector().editName();
}

void EditingController::copyCode() {
    const Selection& selection = m_context.selection();
    const Graph& graph = m_context.document().model().graph(selection.graph());
    if (selection.nodes().empty())
        return m_context.tell("Select nodes first: their code is copied.", true);
    QApplication::clipboard()->setText(wholeQt(fxCode(graph, selection.nodes())));
    m_context.tell("Copied Python for " + qt(plural(selection.nodes().size(), "node")) + ".");
}

void EditingController::selectAll() {
    Selection& selection = m_context.selection();
    const std::unordered_set<NodeId> shown = selection.nodesOfPart();
    std::vector<NodeId> nodes;
    for (const Node& node : m_context.document().model().graph(selection.graph()))
        if (shown.empty() || shown.contains(node.id))
            nodes.push_back(node.id);
    selection.selectNodes(std::move(nodes));
}

bool EditingController::copySelected() {
    const Selection& selection = m_context.selection();
    const std::vector<NodeId> nodes = selection.allNodes();
    try {
        QApplication::clipboard()->setMimeData(
            NodeClipboard::of(m_context.document(), selection.graph(), nodes).release());
    } catch (const Error& error) {
        m_context.take(faultText(error.what()));
        return false;
    }
    m_context.tell("Copied " + qt(plural(nodes.size(), "node")) + ".", false);
    return true;
}

void EditingController::paste() {
    GraphDocument& document = m_context.document();
    Selection& selection = m_context.selection();
    std::optional<ClippedNodes> nodes;
    try {
        nodes = NodeClipboard::read(QApplication::clipboard()->mimeData());
    } catch (const Error& error) {
        return m_context.take("What was copied cannot be read: " + faultText(error.what()));
    }
    if (!nodes)
        return pasteCode(QApplication::clipboard()->text());
    NodeMap inputs = knownInputs(document, selection.graph(), *nodes);
    const auto isUnknown = [&](NodeId input) { return inputs.find(input) == inputs.end(); };
    if (std::ranges::any_of(nodes->excerpt->model.graph().findNodes(Opcode::Placeholder), isUnknown)) {
        PasteDialog dialog(document, selection.graph(), *nodes, inputs, selection.currentNode(),
                           m_context.theme.fixedFont(), &m_context.window);
        if (dialog.exec() != QDialog::Accepted)
            return;
        inputs = dialog.inputs();
    }
    std::vector<NodeId> fresh;
    const QString reason =
        pasteNodes(document, selection.graph(), *nodes, inputs, selection.currentNode(), fresh);
    if (!reason.isEmpty())
        return m_context.take(reason);
    selection.selectNodes(fresh);
    m_context.tell("Pasted " + qt(plural(fresh.size(), "node")) + ".", false);
}

/// Python as people write it or as it is generated, of calls that read what is here.
void EditingController::pasteCode(const QString& text) {
    if (text.trimmed().isEmpty())
        return m_context.take(
            "There is nothing to paste: copy nodes, here or in another window, or lines of Python.");
    const Selection& selection = m_context.selection();
    m_context.workspace().selectWhatComes(selection.graph(), false);
    m_context.workspace().passes().run(findPass("insert"), {{"call", utf8(text)}}, selection.graph());
}

void EditingController::removeSelected() {
    GraphDocument& document = m_context.document();
    const ModuleId graph = m_context.selection().graph();
    const std::vector<NodeId> nodes = m_context.selection().nodes();
    if (nodes.empty())
        return;
    const Graph& all = document.model().graph(graph);
    const std::vector<NodeId> readers = readersOf(all, nodes);
    if (readers.empty())
        return m_context.take(deleteNodes(document, graph, nodes));
    const QString what =
        nodes.size() == 1 ? qt(all.node(nodes[0]).name) + " is" : QString("%1 nodes are").arg(nodes.size());
    QString who = qt(all.node(readers[0]).name);
    if (readers.size() > 1)
        who += QString(" and %1 more").arg(readers.size() - 1);
    QMessageBox box(QMessageBox::Question, "Delete", what + " read by " + who + '.', QMessageBox::Cancel,
                    &m_context.window);
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
        m_context.take(bypassNodes(document, graph, nodes));
    else if (box.clickedButton() == reconnect)
        chooseInstead(graph, nodes);
    else if (box.clickedButton() == with)
        m_context.take(deleteWithReaders(document, graph, nodes));
}

void EditingController::insertAtSelection() {
    const Selection& selection = m_context.selection();
    insertCall({selection.graph(), selection.currentNode(), {}});
}

void EditingController::insertCall(const InsertPlace& place) {
    std::vector<Callable> all = callables(m_context.document().model(), place.graph);
    // What was used last comes first.
    const QStringList recent = Settings::recentCalls();
    std::ranges::stable_sort(all, {}, [&](const Callable& each) {
        const qsizetype at = recent.indexOf(qt(each.text));
        return at < 0 ? recent.size() : at;
    });
    const std::shared_ptr<const OpenedModel> model = m_context.workspace().snapshot().opened;
    std::vector<FinderItem> items;
    for (const Callable& each : all) {
        items.push_back({qt(each.text), qt(each.about), {}, [this, place, each] { fillIn(place, each); }});
        items.back().more = [each, model, graph = place.graph] {
            return qt(signatureText(each, model->model, graph));
        };
    }
    m_context.finder.open("Insert a call: a function, an operator, a module…", std::move(items));
}

void EditingController::fillIn(const InsertPlace& place, const Callable& callable) {
    const ModelSnapshot model = m_context.workspace().snapshot();
    const Pass& pass = findPass("insert");
    const auto attempt = [model, graph = place.graph, name = pass.name,
                          run = m_context.debug().inputs().requestHere()](
                             const InsertDialog::Options& options, Progress& progress) {
        const PassAnswer answer = model.ask(kPassService, {name, options, graph, run}, progress);
        if (!answer.fault.empty())
            throw Error("", answer.fault);
        return answer.lines.empty() ? std::string() : answer.lines.front();
    };
    // Beside the graph, in which nodes can be picked; it is of the graph as it is, and of this tab.
    auto* dialog = new InsertDialog(model.opened, place, callable, attempt, m_context.theme.fixedFont(),
                                    &m_context.view());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    Selection& selection = m_context.selection();
    connect(&selection, &Selection::changed, dialog,
            [dialog, place, &selection, canvas = &m_context.view().canvas()] {
                if (canvas->isPicking() && selection.graph() == place.graph && selection.currentNode())
                    dialog->takeNode(selection.currentNode());
            });
    connect(&m_context.document(), &GraphDocument::changed, dialog, &QDialog::reject);
    connect(&m_context.tabs.bar(), &QTabBar::currentChanged, dialog, &QDialog::reject);
    connect(dialog, &QDialog::accepted, this, [this, dialog, place, callable, &pass] {
        Settings::addRecentCall(qt(callable.text));
        m_context.workspace().selectWhatComes(place.graph, false);
        m_context.workspace().passes().run(pass, dialog->options(), place.graph);
    });
    dialog->show();
}

void EditingController::connectSelected() {
    const Selection& selection = m_context.selection();
    const ModuleId module = selection.graph();
    const Graph& graph = m_context.document().model().graph(module);
    std::vector<NodeId> nodes = selection.nodes();
    std::ranges::sort(nodes, [&](NodeId a, NodeId b) { return graph.precedes(a, b); });
    if (nodes.size() == 2)
        return connectNodes({module, nodes[0]}, {module, nodes[1]});
    const NodeRef producer = selection.current();
    const auto needed = neighbourhoodOf(graph, {producer.node}, true, false, graph.size()).nodes;
    std::vector<NodeId> readers;
    for (const Node& node : graph)
        if (node.opcode != Opcode::GetAttr && node.opcode != Opcode::Placeholder && !needed.contains(node.id))
            readers.push_back(node.id);
    // Those behind it first, as nothing has to be moved for them.
    std::ranges::stable_partition(readers,
                                  [&](NodeId reader) { return graph.precedes(producer.node, reader); });
    const QString name = qt(graph.node(producer.node).name);
    if (readers.empty())
        return m_context.tell(name + " depends on all nodes, so none can read it.", true);
    m_context.finder.open("Which node is to read " + name + "?",
                          itemsOf(graph, readers, [this, producer](NodeId to) {
                              connectNodes(producer, {producer.module, to});
                          }));
}

void EditingController::connectNodes(NodeRef producer, NodeRef reader) {
    if (!reader.node)
        return insertCall({producer.module, producer.node, {}, true});
    GraphDocument& document = m_context.document();
    const Graph& graph = document.model().graph(reader.module);
    const Node& node = graph.node(reader.node);
    const auto places = placesForNode(argumentPlaces(document.model(), reader.module, node));
    if (places.empty())
        return m_context.take(qt(node.name) + " reads no node");
    const auto connectAt = [&](const ArgumentPlace& place) {
        if (const QString reason = connectNode(document, reader, place, producer.node); !reason.isEmpty())
            return m_context.take(reason);
        m_context.view().canvas().pick([&](Selection& selection) { selection.select(reader); });
        m_context.view().canvas().setFocus();
    };
    if (const QString reason = reasonAgainstReading(document, reader, producer.node);
        places.size() == 1 || !reason.isEmpty())
        return reason.isEmpty() ? connectAt(places[0]) : m_context.take(reason);
    QMenu menu(&m_context.window);
    menu.addSection(qt(node.name + " reads " + graph.node(producer.node).name + " as"));
    for (size_t i = 0; i < places.size(); ++i)
        menu.addAction(qt(placeText(places[i], graph)))->setData(static_cast<int>(i));
    menu.setActiveAction(menu.actions().at(1));
    const CanvasView& canvas = m_context.view().canvas();
    const int box =
        canvas.geometry().picture() ? canvas.geometry().picture()->diagram.boxOf(reader.node) : -1;
    const QPointF at = box < 0 ? QPointF(canvas.rect().center())
                               : canvas.camera().toScreen(canvas.geometry().rect(box)).center();
    if (const QAction* chosen = menu.exec(canvas.mapToGlobal(at.toPoint())))
        connectAt(places[static_cast<size_t>(chosen->data().toInt())]);
}

void EditingController::chooseInstead(ModuleId module, const std::vector<NodeId>& nodes) {
    const GraphDocument& document = m_context.document();
    const Graph& graph = document.model().graph(module);
    const std::vector<NodeId> readers = readersOf(graph, nodes);
    const std::vector<NodeId> unfit = dependentsOf(graph, nodes);
    const std::set<NodeId> behind(unfit.begin(), unfit.end());
    std::vector<NodeId> fit;
    for (const Node& node : graph)
        if (node.opcode != Opcode::Output && !behind.contains(node.id))
            fit.push_back(node.id);
    // What is of the same shape first, and of these the nearest.
    std::ranges::reverse(fit);
    const QString shape = shapeText(graph.node(nodes.front()));
    std::ranges::stable_partition(fit, [&](NodeId id) { return shapeText(graph.node(id)) == shape; });
    const QString name =
        nodes.size() == 1 ? qt(graph.node(nodes[0]).name) : QString("the %1 nodes").arg(nodes.size());
    m_context.finder.open("What is read in the place of " + name + "?",
                          itemsOf(graph, fit, [this, module, nodes](NodeId producer) {
                              m_context.take(reconnectNodes(m_context.document(), module, nodes, producer));
                          }));
}

} // namespace fx::ui
