// SPDX-License-Identifier: GPL-3.0-or-later
// What a user can want of a graph, each as one undoable edit. They give the reason if they are refused, else
// nothing.
#pragma once

#include "widgets/document/graph_document.h"

#include <QString>

namespace fx {

/// Deletes nodes together; refused while another node reads one of them.
QString deleteNodes(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes);
QString renameNode(GraphDocument& document, NodeRef node, const QString& name);
/// Makes `reader` read `producer` wherever it reads `old`.
QString rewire(GraphDocument& document, NodeRef reader, NodeId old, NodeId producer);
/// The same without doing it: why it would be refused.
QString reasonAgainstRewire(const GraphDocument& document, NodeRef reader, NodeId old, NodeId producer);
/// Sets a positional argument (`index`) or a keyword argument (`key`) from Python text; node names stand for
/// nodes.
QString setArgument(GraphDocument& document, NodeRef node, int index, const QString& key,
                    const QString& text);
QString setTarget(GraphDocument& document, NodeRef node, const QString& target);

} // namespace fx
