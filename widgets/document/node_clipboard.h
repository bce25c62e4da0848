// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes on the clipboard: what is copied in one window is pasted in it or in another one, of another process
// too. As text it is the FX code of the nodes.
#pragma once

#include "core/rewrite/excerpt.h"
#include "widgets/document/graph_document.h"

#include <QMimeData>
#include <QTemporaryFile>

#include <memory>
#include <optional>

namespace fx::ui {

/// Nodes of one graph with what they name, and where they come from.
struct ClippedNodes {
    std::shared_ptr<const OpenedModel> excerpt;
    QString document; ///< GraphDocument::id()
    ModuleId graph;
    NodeMap outside; ///< of the excerpt's inputs and what else it reads, the node in that graph
};

class NodeClipboard : public QMimeData {
    Q_OBJECT

public:
    static constexpr const char* kType = "application/x-fxscope-nodes";

    /// Throws an Error where there is nothing to copy.
    static std::unique_ptr<NodeClipboard> of(const GraphDocument& document, ModuleId graph,
                                             const std::vector<NodeId>& nodes);
    /// What there is to paste; none where it is something else. Throws an Error for what cannot be read.
    static std::optional<ClippedNodes> read(const QMimeData* data);

    QStringList formats() const override;
    bool hasFormat(const QString& type) const override { return formats().contains(type); }

protected:
    /// Another process asks for the bytes: they are made then.
    QVariant retrieveData(const QString& type, QMetaType preferred) const override;

private:
    ClippedNodes m_nodes;
    mutable QByteArray m_bytes;
};

/// The nodes of the excerpt's inputs in this graph, as far as they are known: those that were read, where it
/// is the graph that they come from.
NodeMap knownInputs(const GraphDocument& document, ModuleId graph, const ClippedNodes& nodes);
/// Puts them behind `after`. The reason if it is refused; `fresh`: the new nodes. `inputs` holds a node for
/// each input of the excerpt; for one without a node the graph gets a new input.
QString pasteNodes(GraphDocument& document, ModuleId graph, const ClippedNodes& nodes, NodeMap inputs,
                   NodeId after, std::vector<NodeId>& fresh);

} // namespace fx::ui
