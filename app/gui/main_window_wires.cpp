// SPDX-License-Identifier: GPL-3.0-or-later
// Wires by hand: from one node to another that is to read it, and from readers of a node that goes.
#include "app/gui/main_window.h"
#include "core/ir/dependents.h"
#include "core/layout/call_text.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/graph_intents.h"
#include "widgets/panes/finder.h"
#include "widgets/panes/toast.h"
#include "widgets/support/qt_text.h"

#include <QMenu>

#include <algorithm>
#include <set>

namespace fx {

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

void MainWindow::connectSelected() {
    const Selection& selection = m_workspace->selection();
    const ModuleId module = selection.graph();
    const Graph& graph = m_workspace->document().model().graph(module);
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
        return m_view->toast().tell(name + " depends on all nodes, so none can read it.", true);
    m_finder->open("Which node is to read " + name + "?",
                   itemsOf(graph, readers, [this, producer](NodeId to) {
                       connectNodes(producer, {producer.module, to});
                   }));
}

void MainWindow::connectNodes(NodeRef producer, NodeRef reader) {
    if (!reader.node)
        return insertCall({producer.module, producer.node, {}, true});
    GraphDocument& document = m_workspace->document();
    const Graph& graph = document.model().graph(reader.module);
    const Node& node = graph.node(reader.node);
    const auto places = placesForNode(argumentPlaces(document.model(), reader.module, node));
    if (places.empty())
        return take(qt(node.name) + " reads no node");
    const auto connectAt = [&](const ArgumentPlace& place) {
        if (const QString reason = connectNode(document, reader, place, producer.node); !reason.isEmpty())
            return take(reason);
        m_view->canvas().pick([&](Selection& selection) { selection.select(reader); });
        m_view->canvas().setFocus();
    };
    if (const QString reason = reasonAgainstReading(document, reader, producer.node);
        places.size() == 1 || !reason.isEmpty())
        return reason.isEmpty() ? connectAt(places[0]) : take(reason);
    QMenu menu(this);
    menu.addSection(qt(node.name + " reads " + graph.node(producer.node).name + " as"));
    for (size_t i = 0; i < places.size(); ++i)
        menu.addAction(qt(placeText(places[i], graph)))->setData(static_cast<int>(i));
    menu.setActiveAction(menu.actions().at(1));
    const CanvasView& canvas = m_view->canvas();
    const int box =
        canvas.geometry().picture() ? canvas.geometry().picture()->diagram.boxOf(reader.node) : -1;
    const QPointF at = box < 0 ? QPointF(canvas.rect().center())
                               : canvas.camera().toScreen(canvas.geometry().rect(box)).center();
    if (const QAction* chosen = menu.exec(canvas.mapToGlobal(at.toPoint())))
        connectAt(places[static_cast<size_t>(chosen->data().toInt())]);
}

void MainWindow::chooseInstead(ModuleId module, const std::vector<NodeId>& nodes) {
    const GraphDocument& document = m_workspace->document();
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
    m_finder->open("What is read in the place of " + name + "?",
                   itemsOf(graph, fit, [this, module, nodes](NodeId producer) {
                       take(reconnectNodes(m_workspace->document(), module, nodes, producer));
                   }));
}

} // namespace fx
