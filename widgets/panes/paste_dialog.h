// SPDX-License-Identifier: GPL-3.0-or-later
// What nodes that come from another graph read in this one: asked for each value, with a proposal.
#pragma once

#include "widgets/document/node_clipboard.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>

class QPushButton;

namespace fx::ui {

class PasteDialog : public QDialog {
    Q_OBJECT

public:
    /// `known`: what need not be asked; `selected`: proposed where nothing fits better.
    PasteDialog(const GraphDocument& document, ModuleId graph, const ClippedNodes& nodes, NodeMap known,
                NodeId selected, const QFont& fixedFont, QWidget* parent = nullptr);
    /// A node for each input; none where the graph is to have a new input.
    NodeMap inputs() const;

private:
    struct Row {
        NodeId input;
        QComboBox* choice;
    };
    void refresh();
    bool isNew(const Row& row) const;
    NodeId chosen(const Row& row) const;
    NodeId proposal(const Node& input, NodeId selected) const;

    const Graph& m_graph;
    const NodeMap m_known;
    bool m_mayAdd; ///< inputs
    std::vector<Row> m_rows;
    QLabel* m_fault;
    QPushButton* m_paste;
};

} // namespace fx::ui
