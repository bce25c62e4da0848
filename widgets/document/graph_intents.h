// SPDX-License-Identifier: GPL-3.0-or-later
// What a user can want of a graph, each as one undoable edit. They give the reason if they are refused, else
// nothing.
#pragma once

#include "core/module/node_marks.h"
#include "core/rewrite/argument_places.h"
#include "widgets/document/graph_document.h"

#include <QString>

namespace fx::ui {

/// Deletes nodes together; refused while another node reads one of them.
QString deleteNodes(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes);
/// Those that read one of the nodes and are none of them.
std::vector<NodeId> readersOf(const Graph& graph, const std::vector<NodeId>& nodes);
/// Deletes nodes; who read one of them reads its first input then. Refused for one that reads nothing.
///   before  a = relu(x)  b = exp(a)  c = neg(b)     without  b
///   after   a = relu(x)  c = neg(a)
QString bypassNodes(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes);
/// Deletes nodes with all that depends on them; refused where the output does.
QString deleteWithReaders(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes);
/// Deletes nodes; who read one of them reads `producer` then.
QString reconnectNodes(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes,
                       NodeId producer);
/// Copies nodes behind the last of them; a copy reads copies where there are some.
QString duplicateNodes(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes);
/// Exchanges the first two nodes among the positional arguments.
QString swapInputs(GraphDocument& document, NodeRef node);
/// Mutes calls (core/module/muted.h); where all of them are muted, they call again.
QString muteNodes(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes);
/// Changes the marks of nodes (core/module/node_marks.h).
QString markNodes(GraphDocument& document, const QString& title, ModuleId module,
                  const std::vector<NodeId>& nodes, const std::function<void(NodeMark&)>& change);
QString renameNode(GraphDocument& document, NodeRef node, const QString& name);
/// Makes `reader` read `producer` wherever it reads `old`.
QString rewire(GraphDocument& document, NodeRef reader, NodeId old, NodeId producer);
/// Makes `reader` read `producer` at one of its placesForNode().
QString connectNode(GraphDocument& document, NodeRef reader, const ArgumentPlace& place, NodeId producer);
/// Why `reader` cannot read `producer`; empty: it can.
QString reasonAgainstReading(const GraphDocument& document, NodeRef reader, NodeId producer);
/// Sets a positional argument (`index`, at most one behind those that are there) or a keyword argument
/// (`key`) from Python text; node names stand for nodes.
QString setArgument(GraphDocument& document, NodeRef node, int index, const QString& key,
                    const QString& text);
/// Takes an argument away, so that its default is taken; of positional ones the last.
QString removeArgument(GraphDocument& document, NodeRef node, int index, const QString& key);
/// With the same arguments, by name (callInstead() in core/rewrite/argument_places.h).
QString setTarget(GraphDocument& document, NodeRef node, const QString& target);

} // namespace fx::ui
