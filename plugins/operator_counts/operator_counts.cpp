// SPDX-License-Identifier: GPL-3.0-or-later
// A pane that counts what the shown graph calls, most first. Choosing a row selects the next node that calls
// it.
#include "core/ir/opcode.h"
#include "core/plugins/plugin.h"

#include <QHeaderView>
#include <QTreeWidget>

#include <algorithm>
#include <map>

namespace {

using namespace fx;

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

class OperatorCounts : public QTreeWidget {
public:
    explicit OperatorCounts(PaneHost& host) : m_host(host) {
        setObjectName("operatorCounts");
        setAccessibleName("Operators of the graph");
        setHeaderLabels({"Operator", "Kind", "Count"});
        setRootIsDecorated(false);
        setUniformRowHeights(true);
        header()->setStretchLastSection(false);
        header()->setSectionResizeMode(0, QHeaderView::Stretch);
        connect(this, &QTreeWidget::itemClicked, this, &OperatorCounts::selectNext);
        connect(this, &QTreeWidget::itemActivated, this, &OperatorCounts::selectNext);
        host.whenChanged(*this, [this] { count(); });
        count();
    }

private:
    using Callee = std::pair<Opcode, std::string>;

    void count() {
        m_nodes.clear();
        for (const Node& node : m_host.model().graph(m_host.graph()))
            if (node.opcode == Opcode::CallFunction || node.opcode == Opcode::CallMethod ||
                node.opcode == Opcode::CallModule)
                m_nodes[{node.opcode, calleeOf(node)}].push_back(node.id);
        std::vector<Callee> order;
        for (const auto& [callee, nodes] : m_nodes)
            order.push_back(callee);
        std::stable_sort(order.begin(), order.end(), [this](const Callee& a, const Callee& b) {
            return m_nodes[a].size() > m_nodes[b].size();
        });
        clear();
        m_order = std::move(order);
        for (const Callee& callee : m_order) {
            auto* item = new QTreeWidgetItem(this);
            item->setText(0, text(callee.second));
            item->setText(1, text(info(callee.first).name));
            item->setText(2, QString::number(m_nodes[callee].size()));
            item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        }
    }

    /// Modules count by their class: their paths all differ.
    std::string calleeOf(const Node& node) const {
        if (node.opcode != Opcode::CallModule)
            return node.target.name();
        const ModuleId module = m_host.model().resolve(m_host.graph(), node.target.name()).module;
        return module ? m_host.model().module(module).type : node.target.name();
    }

    void selectNext(QTreeWidgetItem* item) {
        const auto row = static_cast<size_t>(indexOfTopLevelItem(item));
        const std::vector<NodeId>& nodes = m_nodes[m_order[row]];
        const auto last = std::find(nodes.begin(), nodes.end(), m_selected);
        m_selected = last == nodes.end() || last + 1 == nodes.end() ? nodes.front() : *(last + 1);
        m_host.select(m_selected);
    }

    PaneHost& m_host;
    std::map<Callee, std::vector<NodeId>> m_nodes; ///< in the order of the graph
    std::vector<Callee> m_order;                   ///< as the rows are
    NodeId m_selected;
};

} // namespace

FXSCOPE_PLUGIN(registry) {
    registry.panes.push_back({"operator-counts", "Operators",
                              [](PaneHost& host) -> QWidget* { return new OperatorCounts(host); }});
}
